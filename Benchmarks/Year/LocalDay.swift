import Glibc
import HeartRate

/// A calendar day in the local time zone.
struct LocalDay {
  /// Days since 1970-01-01.
  let number: Int64
  /// Start of the session: 8:00; for today, twelve hours ago.
  let morning: WallTime
  /// Seconds east of UTC in the morning.
  let utcOffset: Int

  static let now: WallTime = WallTime(microseconds: Int64(time(nil)) * 1_000_000)

  /// The day `count` days before today.
  static func ago(_ count: Int) -> LocalDay {
    var second = time(nil)
    var fields = tm()
    localtime_r(&second, &fields)
    fields.tm_mday -= Int32(count)
    if count > 0 { (fields.tm_hour, fields.tm_min, fields.tm_sec) = (8, 0, 0) }
    fields.tm_isdst = -1
    second = mktime(&fields) - (count > 0 ? 0 : 12 * 3600)
    let morning = WallTime(microseconds: Int64(second) * 1_000_000)
    let offset = fields.tm_gmtoff
    return LocalDay(number: morning.localDay(utcOffset: offset), morning: morning, utcOffset: offset)
  }

  /// The local hour of a time of that day, as a decimal number.
  func hour(after seconds: Double) -> Double {
    let local = Double(morning.microseconds / 1_000_000 + Int64(utcOffset)) + seconds
    return (local / 86_400 - (local / 86_400).rounded(.down)) * 24
  }
}
