public import HeartRate

extension RRSeries {
  /// A Polar HRM file with the intervals in whole ms, which Kubios reads. Its times are local, to 0.1 s.
  public func hrm(started: WallTime, utcOffset: Int) -> [UInt8] {
    let milliseconds = milliseconds()
    let local = started.advanced(ticks: Int64(utcOffset) * RRInterval.ticksPerSecond).rfc3339
    let params = [
      "[Params]", "Version=106", "Monitor=0", "SMode=000000000",
      "Date=\(local.prefix(10).filter { $0 != "-" })",
      "StartTime=\(local.dropFirst(11).prefix(10))", "Length=\(Self.clock(milliseconds.reduce(0, +)))",
      "Interval=\(PolarHRM.rrInterval)", "", "[HRData]",
    ]
    return Array((params + milliseconds.map(String.init)).map { $0 + "\r\n" }.joined().utf8)
  }

  /// `01:02:03.4`.
  private static func clock(_ milliseconds: Int64) -> String {
    func padded(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let seconds = milliseconds / 1000
    return
      "\(padded(seconds / 3600)):\(padded(seconds / 60 % 60)):\(padded(seconds % 60)).\(milliseconds % 1000 / 100)"
  }
}
