import History
import Terminal

/// The stored breathing exercises as a table.
struct BreathingList {
  let profile: String
  let path: String
  /// Whether something was left out, so that there may be more.
  var isFiltered = false

  /// - Parameters:
  ///   - exercises: the latest last.
  ///   - width: Columns of the terminal; nil for as many as it takes.
  func text(_ exercises: [StoredBreathing], width: Int?) -> String {
    guard !exercises.isEmpty else { return nothing }
    var table = TextTable([
      ("session", .left), ("time", .left), ("pattern", .left), ("cycles", .right), ("RMSSD ms", .right),
      ("ratio", .right), ("changed", .left), ("coherence", .right), ("resonance", .right),
    ])
    for exercise in exercises {
      table.append([
        // When it began: enough for whatever takes the beginning of a name.
        String(exercise.session.text.prefix(10)), String(LocalZone.text(exercise.time).prefix(16)),
        exercise.pattern,
        "\(exercise.cycles)/\(exercise.plannedCycles)", rmssd(exercise), number(exercise.ratio?.value, 2),
        exercise.changed.rawValue, number(exercise.coherence, 2), number(exercise.resonance?.value, 2),
      ])
    }
    let lines = table.lines(
      width: width, expendable: ["resonance", "coherence", "cycles", "ratio", "session"])
    return lines.map { $0 + "\n" }.joined()
  }

  private var nothing: String {
    isFiltered
      ? "No breathing exercise of '\(profile.printable)' matches. See the latest with: stressmon breathe --list\n"
      : "No breathing exercise of '\(profile.printable)' is stored in \(path) yet. Do one with: stressmon breathe\n"
  }

  /// From rest to rest; without rests what it was in the exercise.
  private func rmssd(_ exercise: StoredBreathing) -> String {
    let (before, after) = (exercise.before.rmssd, exercise.after.rmssd)
    guard before == nil, after == nil, let during = exercise.during.rmssd else {
      return "\(number(before, 1)) > \(number(after, 1))"
    }
    return "\(during.fixed(1)) during"
  }

  private func number(_ value: Double?, _ decimals: Int) -> String { value.map { $0.fixed(decimals) } ?? "-" }
}
