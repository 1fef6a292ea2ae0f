import HeartRate
import History
import Platform

/// A stretch of local time that ends with today, cut into steps.
struct TrendPeriod {
  enum Step: String, CaseIterable {
    case hour
    case day
    case week
    case month
  }

  struct Part {
    let times: Range<WallTime>
    /// As it stands below a chart, and in a table.
    let short: String
    let long: String
  }

  let step: Step
  let parts: [Part]
  var times: Range<WallTime> {
    guard let first = parts.first, let last = parts.last else {
      return .init(uncheckedBounds: (Self.origin, Self.origin))
    }
    return first.times.lowerBound..<last.times.upperBound
  }

  /// `2026-08-31 to 2026-11-22`, for a heading.
  var span: String {
    guard let first = parts.first, let last = parts.last else { return "" }
    guard step == .week else { return "\(first.long) to \(last.long)" }
    let lastDay = LocalCalendar.system.day(of: last.times.upperBound.moved(seconds: -1))
    return "\(first.long) to \(Self.date(lastDay))"
  }

  private static let origin = WallTime(microseconds: 0)
  private static let hour: Int64 = 3600

  /// The last 24 hours, the one that goes on included, by the hours of the clock here.
  init(hoursUntil now: WallTime, _ calendar: LocalCalendar) {
    let local = now.microseconds / 1_000_000 + Int64(calendar.utcOffset(now))
    let passed = (local % Self.hour + Self.hour) % Self.hour
    let thisHour = WallTime(microseconds: (now.microseconds / 1_000_000 - passed) * 1_000_000)
    let starts = (-23...1).map { thisHour.moved(seconds: $0 * Self.hour) }
    step = .hour
    parts = zip(starts, starts.dropFirst()).map { Self.hourPart($0..<$1, calendar) }
  }

  /// The last `days` local days, today included.
  init(days: Int64, step: Step, until now: WallTime, _ calendar: LocalCalendar) {
    let today = calendar.day(of: now)
    self.init(fromDay: today - days + 1, toDay: today, step: step, calendar)
  }

  /// The local days from the first to the last one, in days since 1970-01-01.
  init(fromDay first: Int64, toDay last: Int64, step: Step, _ calendar: LocalCalendar) {
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
  private static func weekday(_ day: Int64) -> Int { Int(((day + 3) % 7 + 7) % 7) }

  /// `2026-11-21`
  static func date(_ day: Int64) -> String {
    String(WallTime(microseconds: day * 86_400_000_000).rfc3339.prefix(10))
  }

  private static let weekdays = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]
}

/// What was measured in a period, part by part.
struct Trends {
  let period: TrendPeriod
  /// One for each part of the period.
  let sums: [MeasurementSums]
  let whole: MeasurementSums
  /// The moods from 1 to 10 that were written down in each part.
  let moods: [[Int]]
  /// Whether all of it is of the embedded simulated strap.
  let isSimulated: Bool

  init(_ reader: HistoryReader?, of profile: String, _ period: TrendPeriod) throws {
    self.period = period
    let quarters = try reader?.quarterHours(of: profile, in: period.times) ?? []
    isSimulated = quarters.first?.isSimulated ?? false
    let journal = try reader?.journal(of: profile, in: period.times) ?? []
    moods = period.parts.map { part in
      journal.filter { part.times.contains($0.time) }.compactMap(\.mood?.rating)
    }
    var rest = quarters[...]
    sums = period.parts.map { part in
      var sums = MeasurementSums()
      while let first = rest.first, first.start < part.times.upperBound {
        sums += first.sums
        rest.removeFirst()
      }
      return sums
    }
    whole = sums.reduce(into: MeasurementSums()) { $0 += $1 }
  }
}
