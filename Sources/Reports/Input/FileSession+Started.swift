package import HeartRate
package import Platform
package import SessionData

extension FileSession {
  /// Start time, and the time zone at that time; nil if the file does not state it.
  package var started: (time: WallTime, zone: LocalZone)? { start?.localized }
}

extension FileSession.Start {
  /// The time and the zone. A start without an offset from UTC is interpreted in the system's time zone.
  package var localized: (time: WallTime, zone: LocalZone) {
    switch self {
    case .absolute(let time, let utcOffset):
      return (time, utcOffset.map(LocalZone.init(utcOffset:)) ?? LocalZone(at: time))
    case .local(let reading):
      let time = LocalTime.time(when: reading)
      return (time, LocalZone(at: time))
    }
  }
}
