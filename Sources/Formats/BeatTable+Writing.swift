package import HRV
package import HeartRate
import JSONLines

extension BeatTable {
  /// The line that the table begins with.
  package static var headingLine: [UInt8] { Array((heading + "\n").utf8) }

  /// The rows of the beats of one session: its name, whose it is, when each beat ended (by the wall clock, and exactly in
  /// seconds since the session began), how long it was, exactly, and what is thought of it.
  package static func rows(
    of beats: some Sequence<Beat>, session: String, profile: String, started: WallTime
  ) -> [UInt8] {
    let name = Array("\(session),\(quoted(profile)),".utf8)
    var bytes: [UInt8] = []
    for beat in beats {
      bytes += name
      bytes += started.advanced(ticks: beat.end.ticks).rfc3339.utf8
      bytes.append(UInt8(ascii: ","))
      bytes.append(seconds: beat.end)
      bytes.append(UInt8(ascii: ","))
      bytes.append(milliseconds: beat.rr)
      bytes += ",\(beat.verdict.rawValue)\n".utf8
    }
    return bytes
  }

  /// As tables want it: between quotation marks where it has a comma, and its own quotation marks twice.
  private static func quoted(_ text: String) -> String {
    guard text.contains(where: { $0 == "," || $0 == "\"" }) else { return text }
    return "\"" + text.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"")
      + "\""
  }
}

/// Beats as a table of comma-separated values, one row for each RR interval, with a line of headings.
///
/// `index` counts from 0; `time_s` is when the interval ended, in seconds since the session began, and `rr_ms` its
/// length, both exact; `verdict` is what is thought of it (``Verdict``).
package struct BeatCSV: Sendable {
  package let bytes: [UInt8]

  package init(_ beats: some Sequence<Beat>) {
    var bytes = Array("index,time_s,rr_ms,verdict\n".utf8)
    for (index, beat) in beats.enumerated() {
      bytes.appendDigits(of: Int64(index))
      bytes.append(UInt8(ascii: ","))
      bytes.append(seconds: beat.end)
      bytes.append(UInt8(ascii: ","))
      bytes.append(milliseconds: beat.rr)
      bytes += ",\(beat.verdict.rawValue)\n".utf8
    }
    self.bytes = bytes
  }
}
