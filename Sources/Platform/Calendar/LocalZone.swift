import FoundationEssentials
package import Time

/// The time zone in which a session is recorded.
package struct LocalZone: Sendable {
  /// IANA name, such as `Europe/Paris`; a UTC offset if the name is unknown.
  package let name: String
  /// Seconds east of UTC at the time given to the initializer.
  package let utcOffset: Int

  /// The time zone of this machine, with its UTC offset at `time`.
  package init(at time: WallTime) {
    let zone = TimeZone.current
    name = zone.identifier
    utcOffset = zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(time.microseconds) / 1e6))
  }

  /// The zone with an IANA name or a UTC offset such as `+02:00`. Fails for any other text.
  package init?(named name: String, at time: WallTime) {
    // The RFC 3339 parser accepts the same offsets.
    if let shifted = WallTime(rfc3339: "1970-01-02T00:00:00\(name)") {
      self.init(utcOffset: Int((86_400_000_000 - shifted.microseconds) / 1_000_000))
    } else if let zone = TimeZone(identifier: name) {
      let date = Date(timeIntervalSince1970: Double(time.microseconds) / 1e6)
      self.init(name: name, utcOffset: zone.secondsFromGMT(for: date))
    } else {
      return nil
    }
  }

  /// A zone without a name, given by its seconds east of UTC: `+02:00`.
  package init(utcOffset: Int) {
    let minutes = utcOffset.magnitude / 60
    func padded(_ value: UInt) -> String { value < 10 ? "0\(value)" : "\(value)" }
    let name = "\(utcOffset < 0 ? "-" : "+")\(padded(minutes / 60)):\(padded(minutes % 60))"
    self.init(name: name, utcOffset: utcOffset)
  }

  private init(name: String, utcOffset: Int) {
    self.name = name
    self.utcOffset = utcOffset
  }

  /// The current local calendar day, in days since 1970-01-01.
  package static var today: Int { Int(LocalCalendar.system.day(of: SystemClock.wall)) }

  /// The local date and time, `2026-11-21 07:30:00`.
  package static func text(_ time: WallTime) -> String { LocalCalendar.system.text(time) }
}
