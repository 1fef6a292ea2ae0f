import History
import Localization
import Platform

/// The breathing exercises of a period as a table.
struct PeriodBreathing {
  private let exercises: [StoredBreathing]
  private let calendar: LocalCalendar
  private let language: Language

  init(_ report: PeriodReport, language: Language) {
    (exercises, calendar, self.language) = (report.exercises, report.calendar, language)
  }

  var block: ReportDocument.Block {
    guard !exercises.isEmpty else {
      return .paragraph(language.localized("No breathing exercises on these days."))
    }
    return .table(caption: caption, headings: headings, rows: exercises.map(row))
  }

  private var headings: [String] {
    [
      language.localized("day"), language.localized("time"), language.localized("pattern"),
      language.localized("cycles"),
      language.localized("before"), language.localized("after"), language.localized("changed"),
    ]
  }

  /// The number of changes refers to the exercises that were tested, which requires two rests with good data.
  private var caption: String {
    let tested = exercises.count { $0.changed != .cannotTell }
    guard tested > 0 else { return language.localized("HRV (RMSSD) in ms in the rests before and after.") }
    let changed = exercises.count { $0.changed == .yes }
    return language.localized(
      """
      HRV (RMSSD) in ms in the rests before and after. It changed clearly in \(changed) of \(tested) exercises with enough \
      data.
      """)
  }

  private func row(_ exercise: StoredBreathing) -> [String] {
    [
      language.date(calendar.dayText(exercise.time)), String(calendar.clockText(exercise.time).prefix(5)),
      exercise.pattern, language.localized("\(exercise.cycles) of \(exercise.plannedCycles)"),
      exercise.before.rmssd?.fixed(0) ?? "-", exercise.after.rmssd?.fixed(0) ?? "-",
      language.localized(exercise.changed.word),
    ]
  }
}
