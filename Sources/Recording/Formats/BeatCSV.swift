public import HRV
import HeartRate
import JSONLines

/// Beats as a table of comma-separated values, one row for each RR interval, with a line of headings.
///
/// `index` counts from 0; `time_s` is when the interval ended, in seconds since the session began, and `rr_ms` its
/// length, both exact; `verdict` is what is thought of it (``Verdict``).
public struct BeatCSV: Sendable {
  public let bytes: [UInt8]

  public init(_ beats: some Sequence<Beat>) {
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
