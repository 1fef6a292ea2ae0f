import History
import Localization
import Reports
import Terminal

/// A stored breathing exercise as lines in the details of its session.
struct ExerciseText {
  let exercise: StoredBreathing
  let style: TerminalStyle

  /// The exercise and its result in words.
  /// - Parameter hasDetails: whether the statistics are included.
  func lines(hasDetails: Bool) -> [String] {
    let heading = style.localized(
      "Breathing \(exercise.pattern), \(exercise.done), \(clockText(seconds: exercise.seconds))")
    let statistics = hasDetails ? table + rhythm : []
    return ["  " + heading] + (statistics + findings).map { "    " + $0 }
  }

  private var table: [String] {
    let parts = [
      exercise.before == StoredBreathing.Part() ? nil : (style.localized("before"), exercise.before),
      (style.localized("during"), exercise.during),
      exercise.after == StoredBreathing.Part() ? nil : (style.localized("after"), exercise.after),
    ].compactMap(\.self)
    var table = TextTable([("", .left)] + parts.map { ($0.0, .right) })
    let rows: [(String, Int, KeyPath<StoredBreathing.Part, Double?>)] = [
      (MetricDefinition.rmssd.heading, 1, \.rmssd), (MetricDefinition.sdnn.heading, 1, \.sdnn),
      (style.localized("HR bpm"), 1, \.heartRate),
      (style.localized("Stress"), 0, \.stress), (style.localized("Confidence"), 2, \.confidence),
    ]
    for (name, decimals, value) in rows {
      table.append([name] + parts.map { $0.1[keyPath: value].map { $0.fixed(decimals) } ?? "-" })
    }
    return table.lines(language: style.language)
  }

  private var rhythm: [String] {
    var lines: [String] = []
    if let coherence = exercise.coherence { lines.append(style.localized("Coherence \(coherence.fixed(2))")) }
    if let resonance = exercise.resonance {
      lines.append(
        style.localized(
          "Resonance \(resonance.value.fixed(2)) breaths a minute (\(resonance.low.fixed(2)) to \(resonance.high.fixed(2)))"
        ))
    }
    return lines
  }

  private var findings: [String] {
    guard exercise.ratio != nil else { return [] }
    let id = exercise.session.text
    return BreathingSentence(exercise).lines.map { style.localized($0) } + [
      style.localized("More of it: \("stressmon compare \(id)@before \(id)@after")")
    ]
  }
}
