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

  /// The calendar day here and now, in days since 1970-01-01.
  static var today: Int {
    let now = SystemClock.wall
    return Int(now.localDay(utcOffset: LocalZone(at: now).utcOffset))
  }

  /// The time as a clock here showed it, `2026-11-21 07:30:00`.
  static func text(_ time: WallTime) -> String {
    let offset = Int64(LocalZone(at: time).utcOffset)
    let local = WallTime(microseconds: time.microseconds + offset * 1_000_000).rfc3339
    return local.prefix(10) + " " + local.dropFirst(11).prefix(8)
  }
}
