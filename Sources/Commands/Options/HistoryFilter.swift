public import ArgumentParser
import HeartRate
import History
import Localization
import Platform
public import Stress

/// A range of times.
struct TimeOptions: ParsableArguments {
  @Flag(name: .long, help: "Only today (local midnight to midnight).")
  var today = false

  @Flag(name: .long, help: "Only the last 7 days, today included.")
  var week = false

  @Flag(name: .long, help: "Only the last 30 days, today included.")
  var month = false

  @Option(
    name: .long,
    help: ArgumentHelp(
      "From this time on: 2026-11, 2026-11-21, 2026-11-21T07:30, 07:30, today or yesterday.",
      valueName: "time"), completion: Completions.days,
    transform: TimeArgument.init(argument:))
  var from: TimeArgument?

  @Option(
    name: .long,
    help: ArgumentHelp("Up to this time; a day or a month is included to its end.", valueName: "time"),
    completion: Completions.days,
    transform: TimeArgument.init(argument:))
  var to: TimeArgument?

  func validate() throws {
    let words = [today, week, month].count { $0 } + (from == nil && to == nil ? 0 : 1)
    guard words <= 1 else {
      throw ValidationError(
        Phrase("--today, --week, --month and --from/--to exclude each other: leave out all but one."))
    }
    if let from, let to, from.start >= to.end {
      throw ValidationError(Phrase("--from is not before --to. Example: --from 2026-11-01 --to 2026-11-14"))
    }
  }

  var isGiven: Bool { today || week || month || from != nil || to != nil }

  /// The selected times; all times if no option is given.
  func range(_ calendar: LocalCalendar = .system, now: WallTime = SystemClock.wall) -> Range<WallTime> {
    let days: Int64? = today ? 1 : week ? 7 : month ? 30 : nil
    if let days {
      let last = calendar.day(of: now)
      return calendar.start(ofDay: last - days + 1)..<calendar.start(ofDay: last + 1)
    }
    let always = HistoryFilter.always
    return (from?.start ?? always.lowerBound)..<(to?.end ?? always.upperBound)
  }
}

/// A selection of measurements and sessions.
struct HistoryFilterOptions: ParsableArguments {
  @OptionGroup var times: TimeOptions

  @Option(
    name: .long,
    help: ArgumentHelp("Only this stress category; may be repeated.", valueName: "category"))
  var category: [StressCategory] = []

  @Option(
    name: .long, help: ArgumentHelp("Only sessions with this strap, by address or name.", valueName: "strap"),
    completion: Completions.straps)
  var strap: String?

  @Option(
    name: .customLong("min-confidence"),
    help: ArgumentHelp("Only measurements with at least this confidence, 0 to 1.", valueName: "0-1"))
  var leastConfidence: Double?

  func validate() throws {
    if let leastConfidence, !(0...1).contains(leastConfidence) {
      throw ValidationError.outOfRange(
        "--min-confidence \(leastConfidence)", "0", to: "1", example: "--min-confidence 0.5")
    }
  }

  /// Whether any filter is given.
  var isGiven: Bool { times.isGiven || !category.isEmpty || strap != nil || leastConfidence != nil }

  var filter: HistoryFilter {
    HistoryFilter(
      times: times.range(), categories: Set(category), strap: strap, leastConfidence: leastConfidence)
  }
}

extension StressCategory: ExpressibleByArgument {}
