import HeartRate
import History
import Recording
import Terminal
import Words

/// The stored breathing exercises as a table and as JSON, the latest last.
struct BreathingList {
  let profile: String
  let path: String
  var style = TerminalStyle.plain

  func text(_ exercises: [StoredBreathing]) -> String {
    guard !exercises.isEmpty else {
      let command = "stressmon breathe"
      return style.words(
        "No breathing exercise of '\(profile.printable)' is stored in \(path) yet. Do one with: \(command)")
        + "\n"
    }
    var table = TextTable([
      (style.words("session"), .left), (style.words("time"), .left), (style.words("pattern"), .left),
      (style.words("cycles"), .right), ("RMSSD ms", .right), (style.words("ratio"), .right),
      (style.words("changed"), .left), (style.words("coherence"), .right), (style.words("resonance"), .right),
    ])
    for exercise in exercises.reversed() {
      table.append([
        String(exercise.session.text), LocalZone.text(exercise.time), exercise.pattern,
        "\(exercise.cycles)/\(exercise.plannedCycles)",
        "\(number(exercise.before.rmssd, 1)) > \(number(exercise.after.rmssd, 1))",
        number(exercise.ratio?.value, 2), style.words(exercise.changed.word), number(exercise.coherence, 2),
        number(exercise.resonance?.value, 2),
      ])
    }
    return table.lines().map { $0 + "\n" }.joined()
  }

  // MARK: JSON

  func json(_ exercises: [StoredBreathing]) -> String {
    var line = JSONLine()
    for exercise in exercises.reversed() { line.line { put(exercise, in: &$0) } }
    return String(decoding: line.bytes, as: UTF8.self)
  }

  private func put(_ exercise: StoredBreathing, in line: inout JSONLine) {
    line.put("session", exercise.session.text)
    line.put("profile", profile)
    line.put("time", exercise.time.rfc3339)
    line.put("pattern", exercise.pattern)
    line.put("cycles", exercise.cycles)
    line.put("planned_cycles", exercise.plannedCycles)
    line.put("duration_s", exercise.seconds)
    for (key, part) in [("before", exercise.before), ("during", exercise.during), ("after", exercise.after)] {
      line.put(key) { line in
        line.put("rmssd_ms", part.rmssd)
        line.put("sdnn_ms", part.sdnn)
        line.put("mean_hr_bpm", part.heartRate)
        line.put("stress", part.stress)
        line.put("confidence", part.confidence)
      }
    }
    line.put("coherence", exercise.coherence)
    line.put("rsa_ms", exercise.amplitude)
    line.put("changed", exercise.changed.rawValue)
    line.put("rmssd_ratio", exercise.ratio?.value)
    line.put("rmssd_ratio_low", exercise.ratio?.low)
    line.put("rmssd_ratio_high", exercise.ratio?.high)
    line.put("smallest_detectable_ratio", exercise.smallestDetectableRatio)
    line.put("resonance_brpm", exercise.resonance?.value)
    line.put("resonance_low_brpm", exercise.resonance?.low)
    line.put("resonance_high_brpm", exercise.resonance?.high)
  }

  private func number(_ value: Double?, _ decimals: Int) -> String { value.map { $0.fixed(decimals) } ?? "-" }
}

extension StoredBreathing.Changed {
  fileprivate var word: Phrase {
    switch self {
    case .yes: Phrase("yes")
    case .no: Phrase("no")
    case .cannotTell: Phrase("cannot tell")
    }
  }
}
