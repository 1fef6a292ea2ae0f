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
}
