public import ArgumentParser
import HeartRate
import History
public import Stress

/// Between which times.
struct TimeOptions: ParsableArguments {
  @Flag(name: .long, help: "Only today, from midnight to midnight.")
  var today = false

  @Flag(name: .long, help: "Only today and the six days before it.")
  var week = false

  @Flag(name: .long, help: "Only today and the 29 days before it.")
  var month = false

  @Option(
    name: .long,
    help: ArgumentHelp(
      "From then on: 2026-11, 2026-11-21, 2026-11-21T07:30, 07:30, today, yesterday.", valueName: "time"),
    transform: TimeArgument.init(argument:))
  var from: TimeArgument?

  @Option(
    name: .long,
    help: ArgumentHelp("Up to then; a day or a month is meant to its end.", valueName: "time"),
    transform: TimeArgument.init(argument:))
  var to: TimeArgument?

  func validate() throws {
    let words = [today, week, month].count { $0 } + (from == nil && to == nil ? 0 : 1)
    guard words <= 1 else {
      throw ValidationError("Choose one of --today, --week, --month, and --from with --to.")
    }
    if let from, let to, from.start >= to.end {
      throw ValidationError("--from is not before --to.")
    }
  }

  var isGiven: Bool { today || week || month || from != nil || to != nil }

  /// The times that are meant, all where nothing is said.
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

/// Which measurements and sessions.
struct HistoryFilterOptions: ParsableArguments {
  @OptionGroup var times: TimeOptions

  @Option(
    name: .long,
    help: ArgumentHelp("Only this category; may be repeated.", valueName: "category"))
  var category: [StressCategory] = []

  @Option(name: .long, help: ArgumentHelp("Only with this strap, by address or name.", valueName: "strap"))
  var strap: String?

  @Option(
    name: .customLong("min-confidence"),
    help: ArgumentHelp("Only with at least this confidence.", valueName: "0-1"))
  var leastConfidence: Double?

  func validate() throws {
    if let leastConfidence, !(0...1).contains(leastConfidence) {
      throw ValidationError("'--min-confidence \(leastConfidence)': it takes 0 to 1.")
    }
  }

  /// Whether anything is left out.
  var isGiven: Bool { times.isGiven || !category.isEmpty || strap != nil || leastConfidence != nil }

  var filter: HistoryFilter {
    HistoryFilter(
      times: times.range(), categories: Set(category), strap: strap, leastConfidence: leastConfidence)
  }
}

extension StressCategory: ExpressibleByArgument {}
