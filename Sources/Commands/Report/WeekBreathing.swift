import HeartRate
import History
import JSONLines
import Platform
import Terminal

/// The breathing exercises of a week.
struct WeekBreathing {
  /// The earliest first.
  let exercises: [StoredBreathing]

  /// Those that began within `times`; of the simulated strap, or of real ones.
  init(
    _ reader: HistoryReader?, of profile: String, in times: Range<WallTime>, simulated: Bool
  ) throws {
    let latest =
      try reader?.breathingExercises(of: profile, matching: HistoryFilter(times: times), limit: .max) ?? []
    exercises = try latest.reversed().filter { exercise in
      (try reader?.info(of: exercise.session)?.source == .simulated) == simulated
    }
  }

  func block(_ calendar: LocalCalendar) -> ReportDocument.Block {
    guard !exercises.isEmpty else {
      return .paragraph("No breathing exercise was done. Be led through one with: stressmon breathe")
    }
    return .table(
      caption: "RMSSD in ms in the rests before and after\(changes).",
      headings: ["day", "time", "pattern", "cycles", "before", "after", "changed"],
      rows: exercises.map { row($0, calendar) })
  }

  /// Of those of which it can be said: it takes rests, and good data of both.
  private var changes: String {
    let told = exercises.count { $0.changed != .cannotTell }
    guard told > 0 else { return "" }
    let changed = exercises.count { $0.changed == .yes }
    return "; changed by more than it does within one rest: \(changed) of the \(told) of which it can be said"
  }

  private func row(_ exercise: StoredBreathing, _ calendar: LocalCalendar) -> [String] {
    [
      calendar.dayText(exercise.time), String(calendar.clockText(exercise.time).prefix(5)),
      exercise.pattern.printable, "\(exercise.cycles) of \(exercise.plannedCycles)",
      exercise.before.rmssd?.fixed(0) ?? "-", exercise.after.rmssd?.fixed(0) ?? "-",
      exercise.changed.rawValue,
    ]
  }

  func put(_ key: String, into line: inout JSONLine) {
    line.put(key, objects: exercises) { line, exercise in
      line.put("session", exercise.session.text)
      line.put("time", exercise.time.rfc3339)
      line.put("pattern", exercise.pattern)
      line.put("changed", exercise.changed.isChange)
      line.put("rmssd_ratio", exercise.ratio?.value)
      line.put("rmssd_ratio_low", exercise.ratio?.low)
      line.put("rmssd_ratio_high", exercise.ratio?.high)
    }
  }
}
