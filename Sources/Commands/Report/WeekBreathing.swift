import History
import Localization
import Platform
import Reports
import Terminal

/// The breathing exercises of a week as a table.
struct WeekBreathing {
  private let exercises: [StoredBreathing]
  private let calendar: LocalCalendar

  init(_ week: WeekReport) { (exercises, calendar) = (week.exercises, week.calendar) }

  var block: ReportDocument.Block {
    guard !exercises.isEmpty else {
      return .paragraph("No breathing exercise was done. Be led through one with: stressmon breathe")
    }
    return .table(
      caption: "RMSSD in ms in the rests before and after\(changes).",
      headings: ["day", "time", "pattern", "cycles", "before", "after", "changed"],
      rows: exercises.map(row))
  }

  /// The number of changes among the exercises that were tested, which requires two rests with good data.
  private var changes: String {
    let told = exercises.count { $0.changed != .cannotTell }
    guard told > 0 else { return "" }
    let changed = exercises.count { $0.changed == .yes }
    return "; changed by more than it does within one rest: \(changed) of the \(told) of which it can be said"
  }

  private func row(_ exercise: StoredBreathing) -> [String] {
    [
      calendar.dayText(exercise.time), String(calendar.clockText(exercise.time).prefix(5)),
      exercise.pattern.printable, "\(exercise.cycles) of \(exercise.plannedCycles)",
      exercise.before.rmssd?.fixed(0) ?? "-", exercise.after.rmssd?.fixed(0) ?? "-",
      exercise.changed.rawValue,
    ]
  }
}
