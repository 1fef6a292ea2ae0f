public import ArgumentParser
import HeartRate
import History
import Localization
import NetworkCommands
import Platform
import Reports
public import Stress

/// A range of times.
struct TimeOptions: ParsableArguments {
  @Flag(name: .long, help: .localized("Only today (local midnight to midnight)."))
  var today = false

  @Flag(name: .long, help: .localized("Only the last 7 days, today included."))
  var week = false

  @Flag(name: .long, help: .localized("Only the last 30 days, today included."))
  var month = false

  @Flag(name: .long, help: .localized("Only the last 365 days, today included."))
  var year = false

  @Option(
    name: .long,
    help: ArgumentHelp(
      localized("From this time on: 2026-11, 2026-11-21, 2026-11-21T07:30, 07:30, today or yesterday."),
      valueName: "time"), completion: Completions.days,
    transform: TimeArgument.init(argument:))
  var from: TimeArgument?

  @Option(
    name: .long,
    help: ArgumentHelp(
      localized("Up to this time; a day or a month is included to its end."), valueName: "time"),
    completion: Completions.days,
    transform: TimeArgument.init(argument:))
  var to: TimeArgument?

  func validate() throws {
    let words = [today, week, month, year].count { $0 } + (from == nil && to == nil ? 0 : 1)
    guard words <= 1 else {
      throw ValidationError(
        Phrase("--today, --week, --month, --year and --from/--to exclude each other: leave out all but one."))
    }
    if let from, let to, from.start >= to.end {
      throw ValidationError(Phrase("--from is not before --to. Example: --from 2026-11-01 --to 2026-11-14"))
    }
  }

  var isGiven: Bool { today || week || month || year || from != nil || to != nil }

  /// The selected times; all times if no option is given.
  func range(_ calendar: LocalCalendar = .system, now: WallTime = SystemClock.wall) -> Range<WallTime> {
    if let days = namedDays {
      let last = calendar.day(of: now)
      return calendar.start(ofDay: last - days + 1)..<calendar.start(ofDay: last + 1)
    }
    let always = HistoryFilter.always
    return (from?.start ?? always.lowerBound)..<(to?.end ?? always.upperBound)
  }

  /// The number of days up to today that a word selects.
  private var namedDays: Int64? { today ? 1 : week ? 7 : month ? 30 : year ? 365 : nil }

  /// Limit of the days of a trend or a report: 20 years.
  private static let mostDays: Int64 = 20 * 366

  /// The selected local days, in days since 1970-01-01, up to today unless `--to` is given.
  /// - Parameter usual: the number of days if `--from` and the words are not given.
  func days(
    usual: Int64, _ calendar: LocalCalendar = .system, now: WallTime = SystemClock.wall
  ) throws(ValidationError) -> ClosedRange<Int64> {
    // The end of a day is the start of the next one.
    let last =
      to.map { calendar.day(of: $0.isMoment ? $0.start : $0.end.moved(seconds: -1)) } ?? calendar.day(of: now)
    let first = from.map { calendar.day(of: $0.start) } ?? last - (namedDays ?? usual) + 1
    guard first <= last else {
      throw ValidationError(Phrase("--from is not before --to. Example: --from 2026-11-01 --to 2026-11-14"))
    }
    guard last - first < Self.mostDays else {
      throw ValidationError(Phrase("--from and --to are more than 20 years apart. Example: --from 2020"))
    }
    return first...last
  }
}

/// A selection of measurements and sessions.
struct HistoryFilterOptions: ParsableArguments {
  @OptionGroup var times: TimeOptions

  @Option(
    name: .long,
    help: ArgumentHelp(localized("Only this stress category; may be repeated."), valueName: "category"))
  var category: [StressCategory] = []

  @Option(
    name: .long,
    help: ArgumentHelp(localized("Only sessions with this strap, by address or name."), valueName: "strap"),
    completion: Completions.straps)
  var strap: String?

  @Option(
    name: .customLong("min-confidence"),
    help: ArgumentHelp(
      localized("Only measurements with at least this confidence, 0 to 1."), valueName: "0-1"))
  var leastConfidence: Double?

  func validate() throws {
    if let leastConfidence, !(0...1).contains(leastConfidence) {
      throw ValidationError.outOfRange(
        "--min-confidence \(leastConfidence)", "0", to: "1", example: "--min-confidence 0.5")
    }
  }

  /// The first given option that selects measurements, and not days.
  var measurementOption: String? {
    category.isEmpty
      ? strap.map { _ in "--strap" } ?? leastConfidence.map { _ in "--min-confidence" } : "--category"
  }

  /// Whether any filter is given.
  var isGiven: Bool { times.isGiven || !category.isEmpty || strap != nil || leastConfidence != nil }

  var filter: HistoryFilter {
    HistoryFilter(
      times: times.range(), categories: Set(category), strap: strap, leastConfidence: leastConfidence)
  }
}

extension StressCategory: ExpressibleByArgument {}
