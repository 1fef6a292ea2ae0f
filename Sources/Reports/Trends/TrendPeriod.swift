package import HeartRate
package import Platform

/// A range of local time, divided into hours, days, weeks or months.
package struct TrendPeriod: Sendable {
  package enum Step: String, CaseIterable, Sendable {
    case hour
    case day
    case week
    case month
  }

  /// One hour, day, week or month.
  package struct Part: Sendable {
    package let times: Range<WallTime>
    /// Name for the axis of a chart.
    package let short: String
    /// Name for a table.
    package let long: String
  }

  package let step: Step
  package let parts: [Part]
  package var times: Range<WallTime> {
    guard let first = parts.first, let last = parts.last else {
      return unsafe .init(uncheckedBounds: (Self.origin, Self.origin))
    }
    return first.times.lowerBound..<last.times.upperBound
  }

  /// `2026-08-31 to 2026-11-22`, for a heading.
  package var span: String {
    guard let (first, last) = ends else { return "" }
    return "\(first) to \(last)"
  }

  /// The first and the last date of ``span``, if it has parts.
  package var ends: (first: String, last: String)? {
    guard let first = parts.first, let last = parts.last else { return nil }
    guard step == .week else { return (first.long, last.long) }
    let lastDay = LocalCalendar.system.day(of: last.times.upperBound.moved(seconds: -1))
    return (first.long, Self.date(lastDay))
  }

  private static let origin = WallTime(microseconds: 0)
  private static let hour: Int64 = 3600

  /// The last 24 hours by hours of the local clock, including the current hour.
  package init(hoursUntil now: WallTime, _ calendar: LocalCalendar) {
    let local = now.microseconds / 1_000_000 + Int64(calendar.utcOffset(now))
    let passed = (local % Self.hour + Self.hour) % Self.hour
    let thisHour = WallTime(microseconds: (now.microseconds / 1_000_000 - passed) * 1_000_000)
    let starts = (-23...1).map { thisHour.moved(seconds: $0 * Self.hour) }
    step = .hour
    parts = zip(starts, starts.dropFirst()).map { Self.hourPart($0..<$1, calendar) }
  }

  /// The last `days` local days, including today.
  package init(days: Int64, step: Step, until now: WallTime, _ calendar: LocalCalendar) {
    let today = calendar.day(of: now)
    self.init(fromDay: today - days + 1, toDay: today, step: step, calendar)
  }

  /// The local days from the first to the last one, in days since 1970-01-01.
  package init(fromDay first: Int64, toDay last: Int64, step: Step, _ calendar: LocalCalendar) {
    self.step = step
    guard step != .hour else {
      parts = Self.hours(calendar.start(ofDay: first)..<calendar.start(ofDay: last + 1), calendar)
      return
    }
    var starts: [Int64] = []
    for day in first...last where starts.isEmpty || Self.begins(step, day) { starts.append(day) }
    let edges = starts.map { ($0, calendar.start(ofDay: $0)) } + [(last + 1, calendar.start(ofDay: last + 1))]
    parts = zip(edges, edges.dropFirst()).map { start, end in
      Part(
        times: start.1..<end.1, short: Self.short(step, start.0, days: last - first),
        long: Self.long(step, start.0))
    }
  }

  private static func hours(_ times: Range<WallTime>, _ calendar: LocalCalendar) -> [Part] {
    stride(from: times.lowerBound.microseconds, to: times.upperBound.microseconds, by: 3_600_000_000).map {
      let start = WallTime(microseconds: $0)
      let part = hourPart(start..<min(start.moved(seconds: hour), times.upperBound), calendar)
      return Part(times: part.times, short: part.short, long: String(calendar.text(start).prefix(16)))
    }
  }

  private static func hourPart(_ times: Range<WallTime>, _ calendar: LocalCalendar) -> Part {
    let clock = calendar.clockText(times.lowerBound)
    let weekday = weekdays[weekday(calendar.day(of: times.lowerBound))]
    return Part(times: times, short: String(clock.prefix(2)), long: "\(weekday) \(clock.prefix(5))")
  }

  /// Whether a step begins with the day.
  private static func begins(_ step: Step, _ day: Int64) -> Bool {
    switch step {
    case .hour, .day: true
    case .week: weekday(day) == 0
    case .month: date(day).hasSuffix("-01")
    }
  }

  private static func short(_ step: Step, _ day: Int64, days: Int64) -> String {
    let date = date(day)
    switch step {
    case .hour, .day: return days < 8 ? weekdays[weekday(day)] : String(date.suffix(2))
    case .week: return String(date.suffix(5))
    case .month: return Int(date.dropFirst(5).prefix(2)).map { months[$0 - 1] } ?? date
    }
  }

  private static func long(_ step: Step, _ day: Int64) -> String {
    switch step {
    case .hour, .day: "\(weekdays[weekday(day)]) \(date(day))"
    case .week: date(day)
    case .month: String(date(day).prefix(7))
    }
  }

  /// 0 for Monday; 1970-01-01 was a Thursday.
  package static func weekday(_ day: Int64) -> Int { Int(((day + 3) % 7 + 7) % 7) }

  /// `2026-11-21`
  package static func date(_ day: Int64) -> String {
    String(WallTime(microseconds: day * 86_400_000_000).rfc3339.prefix(10))
  }

  /// `Nov 2026`
  package static func month(of day: Int64) -> String {
    "\(short(.month, day, days: 0)) \(date(day).prefix(4))"
  }

  private static let weekdays = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]
}
