import History
import Localization
import Reports
import Terminal

/// A stored breathing exercise as lines in the details of its session.
struct ExerciseText {
  let exercise: StoredBreathing

  var lines: [String] {
    let cycles = "\(exercise.cycles) of \(counted(exercise.plannedCycles, "cycle"))"
    return ["  Breathing \(exercise.pattern), \(cycles), \(clockText(seconds: exercise.seconds))"]
      + table.map { "    " + $0 } + findings.map { "    " + $0 }
  }

  private var table: [String] {
    let parts = [
      exercise.before == StoredBreathing.Part() ? nil : ("before", exercise.before),
      ("during", exercise.during),
      exercise.after == StoredBreathing.Part() ? nil : ("after", exercise.after),
    ].compactMap(\.self)
    var table = TextTable([("", .left)] + parts.map { ($0.0, .right) })
    let rows: [(String, Int, KeyPath<StoredBreathing.Part, Double?>)] = [
      (MetricDefinition.rmssd.heading, 1, \.rmssd), (MetricDefinition.sdnn.heading, 1, \.sdnn),
      (MetricDefinition.heartRate.heading, 1, \.heartRate), (MetricDefinition.stress.name, 0, \.stress),
      (MetricDefinition.confidence.name, 2, \.confidence),
    ]
    for (name, decimals, value) in rows {
      table.append([name] + parts.map { $0.1[keyPath: value]?.fixed(decimals) ?? "-" })
    }
    return table.lines()
  }

  private var findings: [String] {
    var lines: [String] = []
    if let coherence = exercise.coherence { lines.append("Coherence \(coherence.fixed(2))") }
    if let resonance = exercise.resonance {
      lines.append(
        "Resonance \(resonance.value.fixed(2)) breaths a minute (\(resonance.low.fixed(2)) to \(resonance.high.fixed(2)))"
      )
    }
    if exercise.ratio != nil {
      lines += BreathingSentence(exercise).lines.map { Language.english.text($0) }
      lines.append(
        "More of it: stressmon compare \(exercise.session.text)@before \(exercise.session.text)@after")
    }
    return lines
  }
}
