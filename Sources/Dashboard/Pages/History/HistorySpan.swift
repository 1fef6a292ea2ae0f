import HeartRate
import History
import Localization
import Platform
import Reports

/// The days that the page History shows.
struct HistorySpan: Sendable {
  static let names = ["span", "month", "day", "before", PageNotice.parameter]

  /// The quick selections.
  enum Choice: String, CaseIterable, Sendable {
    case today
    case week
    case month
    case all
  }

  /// The page of a single day has none.
  let choice: Choice?
  /// The days of the calendar, and those of the cards, in days since 1970-01-01.
  let calendarDays: Range<Int64>
  let days: Range<Int64>
  /// The local day of today.
  let today: Int64

  init(_ context: PageContext, newest: Int64, today: Int64) throws {
    self.today = today
    if let text = context.query.text("day") {
      let day = try Self.day(text, "day")
      (choice, days, calendarDays) = (nil, day..<day + 1, Self.month(of: day))
      return
    }
    let choice: Choice = try context.query.word("span") ?? .month
    let month = Self.month(
      of: try context.query.text("month").map { try Self.day($0 + "-01", "month") } ?? newest)
    var days =
      switch choice {
      case .today: today..<today + 1
      case .week: today - 6..<today + 1
      case .month: month
      case .all: Self.year(until: month)
      }
    (self.choice, calendarDays) = (choice, choice == .month || choice == .all ? days : Self.month(of: today))
    if let text = context.query.text("before") {
      let before = try Self.day(text, "before")
      days = min(days.lowerBound, before)..<min(days.upperBound, before)
    }
    self.days = days
  }

  private static func day(_ text: String, _ name: String) throws -> Int64 {
    guard text.utf8.count == 10, let time = WallTime(rfc3339: text + "T00:00:00Z") else {
      throw Problem.badParameter(
        name, expected: name == "month" ? "a month such as 2026-11" : "a date such as 2026-11-21")
    }
    return time.localDay(utcOffset: 0)
  }

  /// The days of the month of a day.
  static func month(of day: Int64) -> Range<Int64> {
    let first = day - (Int64(TrendPeriod.date(day).suffix(2)) ?? 1) + 1
    let next = first + 31
    return first..<next - (Int64(TrendPeriod.date(next).suffix(2)) ?? 1) + 1
  }

  /// The twelve months until the end of `month`.
  private static func year(until month: Range<Int64>) -> Range<Int64> {
    var first = month.lowerBound
    for _ in 0..<11 { first = Self.month(of: first - 1).lowerBound }
    return first..<month.upperBound
  }

  /// The months of ``calendarDays``, the newest first.
  var months: [Range<Int64>] {
    var months: [Range<Int64>] = []
    var day = calendarDays.upperBound - 1
    while day >= calendarDays.lowerBound {
      months.append(Self.month(of: day))
      day = months[months.count - 1].lowerBound - 1
    }
    return months
  }

  func times(_ days: Range<Int64>, _ calendar: LocalCalendar) -> Range<WallTime> {
    calendar.start(ofDay: days.lowerBound)..<calendar.start(ofDay: days.upperBound)
  }

  /// `2026-11`
  static func text(month: Range<Int64>) -> String { String(TrendPeriod.date(month.lowerBound).prefix(7)) }

  /// The path of the same selection with the days before `day`.
  func path(before day: Int64) -> String {
    let choice = choice ?? .month
    let month =
      choice == .month || choice == .all
      ? "&month=\(Self.text(month: Self.month(of: calendarDays.upperBound - 1)))" : ""
    return "/history?span=\(choice.rawValue)\(month)&before=\(TrendPeriod.date(day))"
  }
}
