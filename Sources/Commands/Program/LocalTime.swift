import Glibc
import HeartRate

/// Times as people type them: `2026-11-20T10:00`, by the clock here, or RFC 3339 with an offset.
enum LocalTime {
  /// Reads a date with a time of day, to the minute or the second. A time without an offset is local; one that the clock
  /// here skipped when it was set for summer is none, and of one that it showed twice the system takes its pick.
  static func parse(_ text: Substring) -> WallTime? {
    if let absolute = WallTime(rfc3339: String(text)) { return absolute }
    // With an offset of zero it says whether the date and the time exist in the calendar.
    let seconds = text.count == 16 ? ":00" : ""
    guard text.count == 16 || text.count == 19, WallTime(rfc3339: "\(text)\(seconds)Z") != nil else {
      return nil
    }
    let numbers = text.split { !$0.isNumber }.compactMap { Int32($0) }
    guard numbers.count >= 5 else { return nil }
    var fields = tm()
    fields.tm_year = numbers[0] - 1900
    fields.tm_mon = numbers[1] - 1
    fields.tm_mday = numbers[2]
    fields.tm_hour = numbers[3]
    fields.tm_min = numbers[4]
    fields.tm_sec = numbers.count > 5 ? numbers[5] : 0
    fields.tm_isdst = -1
    let time = mktime(&fields)
    guard fields.tm_hour == numbers[3], fields.tm_min == numbers[4] else { return nil }
    return WallTime(microseconds: Int64(time) * 1_000_000)
  }
}
