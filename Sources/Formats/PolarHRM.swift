package import HeartRate
import Platform
import SessionData

/// Reads a Polar HRM file with RR intervals, also supported by Kubios: sections with names in brackets, settings in
/// `[Params]`, one RR in ms per line in `[HRData]`. Times are local.
///
/// Source: Polar Electro, Polar HRM file format, version 1.
enum PolarHRM {
  /// Value of `Interval` in a file with RR intervals. Other values are the seconds between heart rates.
  static let rrInterval = "238"

  static func session(
    _ source: ByteSource, _ options: RRText.Options, _ mode: SessionEvents.Mode
  ) throws -> FileSession {
    var lines = TextLines(source, .hrm)
    var section = ""
    var params: [String: String] = [:]
    var session = FileSession()
    var events = SessionEvents(mode)
    var at = SessionTime.zero
    while let (number, text) = try lines.next() {
      if text.hasPrefix("[") {
        section = text.lowercased()
        if section == "[hrdata]", let interval = params["interval"], interval != rrInterval {
          throw lines.malformed(
            "it holds heart rates (Interval=\(interval.withoutControlCharacters)) and no RR intervals",
            at: number)
        }
      } else if section == "[params]", let sign = text.firstIndex(of: "=") {
        params[text[..<sign].lowercased()] = String(text[text.index(after: sign)...])
      } else if section == "[hrdata]" {
        guard let rr = RRInterval(millisecondsIn: text.prefix { !$0.isWhitespace }) else {
          guard options.skipsBadLines else {
            throw lines.malformed(
              "no RR interval in ms: \"\(String(text.prefix(60)).withoutControlCharacters)\"", at: number)
          }
          session.skipped += 1
          continue
        }
        at = at + rr
        try events.append(SessionEvent(at: at, .interval(rr)))
      }
    }
    session.start = start(params)
    session.events = events.all
    session.end()
    return session
  }

  /// `Date=20260601`, `StartTime=07:30:00.0`.
  private static func start(_ params: [String: String]) -> FileSession.Start? {
    guard let date = params["date"], date.utf8.count == 8, let time = params["starttime"] else { return nil }
    let day = "\(date.prefix(4))-\(date.dropFirst(4).prefix(2))-\(date.suffix(2))"
    return FileSession.Start(date: "\(day)T\(time.utf8.count == 7 ? "0" : "")\(time)")
  }
}

extension RRSeries {
  /// A Polar HRM file with intervals in whole ms. Times are local, with a resolution of 0.1 s.
  package func hrm(started: WallTime, utcOffset: Int) -> [UInt8] {
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
