import HeartRate

/// A Polar HRM file with RR intervals, which Kubios reads too: sections with names in brackets, settings in `[Params]`,
/// one RR in ms per line in `[HRData]`. Its times are local.
///
/// Source: Polar Electro, Polar HRM file format, version 1.
enum PolarHRM {
  /// What `Interval` says of a file with RR intervals; else it is the seconds between heart rates.
  static let rrInterval = "238"

  static func session(_ source: ByteSource, _ options: RRText.Options) throws(RecordingError) -> FileSession {
    var lines = TextLines(source, .hrm)
    var section = ""
    var params: [String: String] = [:]
    var session = FileSession()
    var at = SessionTime.zero
    while let (number, text) = try lines.next() {
      if text.hasPrefix("[") {
        section = text.lowercased()
        if section == "[hrdata]", let interval = params["interval"], interval != rrInterval {
          throw lines.flaw(
            "it holds heart rates (Interval=\(interval.printable)) and no RR intervals", at: number)
        }
      } else if section == "[params]", let sign = text.firstIndex(of: "=") {
        params[text[..<sign].lowercased()] = String(text[text.index(after: sign)...])
      } else if section == "[hrdata]" {
        guard let rr = RRInterval(millisecondsIn: text.prefix { !$0.isWhitespace }) else {
          guard options.skipsBadLines else {
            throw lines.flaw("no RR interval in ms: \"\(String(text.prefix(60)).printable)\"", at: number)
          }
          session.skipped += 1
          continue
        }
        at = at + rr
        session.events.append(SessionEvent(at: at, .interval(rr)))
      }
    }
    session.start = start(params)
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
