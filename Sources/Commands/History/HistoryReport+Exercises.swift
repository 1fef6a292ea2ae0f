import History
import Localization
import Platform
import Reports
import Terminal

extension HistoryReport {
  /// The stored breathing exercises as a table.
  /// - Parameters:
  ///   - exercises: the newest last.
  ///   - width: columns of the terminal, if lines are limited.
  func text(_ exercises: [StoredBreathing], width: Int?) -> String {
    guard !exercises.isEmpty else { return nothing + "\n" }
    var table = TextTable([
      (style.localized("session"), .left), (style.localized("time"), .left),
      (style.localized("pattern"), .left),
      (style.localized("cycles"), .right), (MetricDefinition.rmssd.heading, .right),
      (style.localized("ratio"), .right),
      (style.localized("changed"), .left), (style.localized("coherence"), .right),
      (style.localized("resonance"), .right),
    ])
    for exercise in exercises {
      table.append([
        // The characters that encode the start, which suffice as a prefix of the ID.
        String(exercise.session.text.prefix(10)), String(LocalZone.text(exercise.time).prefix(16)),
        pattern(exercise),
        "\(exercise.cycles)/\(exercise.plannedCycles)", rmssd(exercise),
        TextTable.number(exercise.ratio?.value, 2),
        style.localized(exercise.changed.word), TextTable.number(exercise.coherence, 2),
        TextTable.number(exercise.resonance?.value, 2),
      ])
    }
    let expendable = [
      style.localized("resonance"), style.localized("coherence"), style.localized("cycles"),
      style.localized("ratio"),
      style.localized("session"),
    ]
    let lines = table.lines(width: width, expendable: expendable, language: style.language)
    return lines.map { $0 + "\n" }.joined()
  }

  private var nothing: String {
    let command = isFiltered ? "stressmon history --breathing" : "stressmon breathe"
    return isFiltered
      ? style.localized(
        "No breathing exercise of '\(profile.printable)' matches. List the latest with: \(command)")
      : style.localized(
        "No breathing exercise of '\(profile.printable)' is stored in \(path) yet. Start one with: \(command)"
      )
  }

  private func pattern(_ exercise: StoredBreathing) -> String {
    let pattern = exercise.pattern
    return exercise.isSimulated ? style.localized("\(pattern) (simulated)") : pattern
  }

  /// RMSSD of both rests; that of the exercise if there are no rests.
  private func rmssd(_ exercise: StoredBreathing) -> String {
    let (before, after) = (exercise.before.rmssd, exercise.after.rmssd)
    guard before == nil, after == nil, let during = exercise.during.rmssd else {
      return "\(TextTable.number(before, 1)) > \(TextTable.number(after, 1))"
    }
    return style.localized("\(during.fixed(1)) during")
  }
}
