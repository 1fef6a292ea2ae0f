package import HRV
package import HeartRate
import JSONLines
import Platform

extension BeatTable {
  /// The heading, with a line feed.
  package static var headingLine: [UInt8] { Array((heading + "\n").utf8) }

  /// One row per beat of a session: session, profile, end of the beat (wall-clock time, and exact seconds since the start of
  /// the session), exact RR interval and verdict.
  package static func rows(
    of beats: some Sequence<Beat>, session: String, profile: String, started: WallTime
  ) -> [UInt8] {
    let name = Array("\(session),\(profile.withoutControlCharacters.csvField),".utf8)
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
}

/// Beats of one analysis as comma-separated values: a heading, then one row per RR interval.
///
/// `index` starts at 0. `time_s` is the end of the interval in seconds since the start of the session, `rr_ms` its length;
/// both are exact. `verdict` is a `Verdict`.
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
