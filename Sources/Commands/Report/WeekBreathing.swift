import History
import Localization
import Platform
import Reports
import Terminal

/// The breathing exercises of a week as a table.
struct WeekBreathing {
  private let exercises: [StoredBreathing]
  private let calendar: LocalCalendar
  private let style: TerminalStyle

  init(_ week: WeekReport, style: TerminalStyle) {
    (exercises, calendar, self.style) = (week.exercises, week.calendar, style)
  }

  var block: ReportDocument.Block {
    guard !exercises.isEmpty else {
      let command = "stressmon breathe"
      return .paragraph(
        style.localized("No breathing exercises this week. Start one with: \(command)"))
    }
    return .table(caption: caption, headings: headings, rows: exercises.map(row))
  }

  private var headings: [String] {
    [
      style.localized("day"), style.localized("time"), style.localized("pattern"), style.localized("cycles"),
      style.localized("before"), style.localized("after"), style.localized("changed"),
    ]
  }

  /// The number of changes refers to the exercises that were tested, which requires two rests with good data.
  private var caption: String {
    let tested = exercises.count { $0.changed != .cannotTell }
    guard tested > 0 else { return style.localized("RMSSD in ms in the rests before and after.") }
    let changed = exercises.count { $0.changed == .yes }
    return style.localized(
      """
      RMSSD in ms in the rests before and after. Change larger than the variation within one rest: \(changed) of \
      \(tested) exercises with enough data.
      """)
  }

  private func row(_ exercise: StoredBreathing) -> [String] {
    [
      style.date(calendar.dayText(exercise.time)), String(calendar.clockText(exercise.time).prefix(5)),
      exercise.pattern.printable, style.localized("\(exercise.cycles) of \(exercise.plannedCycles)"),
      exercise.before.rmssd?.fixed(0) ?? "-", exercise.after.rmssd?.fixed(0) ?? "-",
      style.localized(exercise.changed.word),
    ]
  }
}
