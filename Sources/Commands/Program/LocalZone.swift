import FoundationEssentials
import HeartRate

/// The time zone that a session is lived in.
struct LocalZone: Sendable {
  /// IANA name, as `Europe/Paris`; an offset where the system knows no name.
  let name: String
  /// Seconds east of UTC at the time asked for.
  let utcOffset: Int

  init(at time: WallTime) {
    let zone = TimeZone.current
    name = zone.identifier
    utcOffset = zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(time.microseconds) / 1e6))
  }

  /// The zone that is called so, an IANA name or an offset such as `+02:00`; nil for what is neither.
  init?(named name: String, at time: WallTime) {
    // RFC 3339 has the offsets: a time that bears one tells it.
    if let shifted = WallTime(rfc3339: "1970-01-02T00:00:00\(name)") {
      self.init(utcOffset: Int((86_400_000_000 - shifted.microseconds) / 1_000_000))
    } else if let zone = TimeZone(identifier: name) {
      let date = Date(timeIntervalSince1970: Double(time.microseconds) / 1e6)
      self.init(name: name, utcOffset: zone.secondsFromGMT(for: date))
    } else {
      return nil
    }
  }

  /// A zone of which nothing is known but how many seconds east of UTC it is: `+02:00`.
  init(utcOffset: Int) {
    let minutes = utcOffset.magnitude / 60
    func padded(_ value: UInt) -> String { value < 10 ? "0\(value)" : "\(value)" }
    let name = "\(utcOffset < 0 ? "-" : "+")\(padded(minutes / 60)):\(padded(minutes % 60))"
    self.init(name: name, utcOffset: utcOffset)
  }

  private init(name: String, utcOffset: Int) {
    self.name = name
    self.utcOffset = utcOffset
  }

  /// The calendar day here and now, in days since 1970-01-01.
  static var today: Int { Int(LocalCalendar.system.day(of: SystemClock.wall)) }

  /// The time as a clock here showed it, `2026-11-21 07:30:00`.
  static func text(_ time: WallTime) -> String { LocalCalendar.system.text(time) }
}
