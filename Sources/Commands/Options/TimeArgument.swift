import ArgumentParser
import HeartRate
import Localization
import Platform

/// A time on the command line, from a moment to a year: `2026`, `2026-11`, `2026-11-21`, `2026-11-21T07:30`, `07:30`
/// (today), `now`, `today`, `yesterday`; local time, or with an offset (RFC 3339).
struct TimeArgument: Equatable, Sendable {
  /// The first moment.
  let start: WallTime
  /// End of the period (exclusive). For an ambiguous local time, the later instant.
  let end: WallTime
  /// Whether the argument is a time of day, and not a day, a month or a year.
  let isMoment: Bool

  /// - Throws: `ValidationError` with the valid forms.
  init(argument: String) throws { try self.init(argument, .system, now: SystemClock.wall) }

  /// Reads a moment, not a day or longer.
  /// - Throws: `ValidationError` with the valid forms.
  init(momentArgument: String) throws {
    guard let time = try? TimeArgument(argument: momentArgument), time.isMoment else {
      throw ValidationError(Phrase("expected a time of day, such as 2026-11-21T07:30, 07:30 or now."))
    }
    self = time
  }

  init(_ text: String, _ calendar: LocalCalendar, now: WallTime) throws(ValidationError) {
    guard let time = Self.parse(text, calendar, now: now) else {
      throw ValidationError(
        Phrase(
          "expected a date or a time, such as 2026-11, 2026-11-21, 2026-11-21T07:30, 07:30, today or yesterday."
        )
      )
    }
    (start, end, isMoment) = time
  }

  private static func parse(_ text: String, _ calendar: LocalCalendar, now: WallTime) -> (
    WallTime, WallTime, Bool
  )? {
    let today = calendar.day(of: now)
    switch text.lowercased() {
    case "now": return (now, now, true)
    case "today": return days(today..<today + 1, calendar)
    case "yesterday": return days(today - 1..<today, calendar)
    default: break
    }
    if let moment = WallTime(withOffset: text[...]) { return (moment, moment, true) }
    if let days = dates(text) { return Self.days(days, calendar) }
    return clock(text, today: today).map { local in
      let moments = calendar.moments(showing: local)
      return (moments.earliest, moments.latest, true)
    }
  }

  private static func days(_ days: Range<Int64>, _ calendar: LocalCalendar) -> (WallTime, WallTime, Bool) {
    (calendar.start(ofDay: days.lowerBound), calendar.start(ofDay: days.upperBound), false)
  }

  /// A year, a month or a day.
  private static func dates(_ text: String) -> Range<Int64>? {
    switch text.utf8.count {
    case 4:
      guard let year = Int(text), let first = day("\(text)-01-01"), let last = day("\(text)-12-31") else {
        return nil
      }
      return year > 0 ? first..<last + 1 : nil
    case 7:
      guard let first = day(text + "-01") else { return nil }
      // The last valid day of the month.
      let last = (28...31).reversed().lazy.compactMap { day("\(text)-\($0)") }.first
      return last.map { first..<$0 + 1 }
    case 10: return day(text).map { $0..<$0 + 1 }
    default: return nil
    }
  }

  /// Days since 1970-01-01.
  private static func day(_ date: String) -> Int64? {
    WallTime(rfc3339: date + "T00:00:00Z")?.localDay(utcOffset: 0)
  }

  /// A date with a time of day, or a time of today, as local seconds since 1970-01-01.
  private static func clock(_ text: String, today: Int64) -> Int64? {
    let seconds = [5, 16].contains(text.utf8.count) ? ":00" : ""
    switch text.utf8.count {
    case 5, 8:
      return WallTime(rfc3339: "1970-01-01T\(text)\(seconds)Z").map {
        today * 86_400 + $0.microseconds / 1_000_000
      }
    case 16, 19: return WallTime(rfc3339: "\(text)\(seconds)Z").map { $0.microseconds / 1_000_000 }
    default: return nil
    }
  }
}
