import HeartRate
import History
import JSONLines
import Platform
import Stress
import Terminal

/// A stored measurement, how it came about, and what was written at the time.
struct MeasurementDetails {
  let measurement: StoredMeasurement
  let session: StoredSession
  /// From a quarter of an hour before to a quarter after.
  let journal: [JournalEntry]

  /// - Throws: ``CommandFailure`` when the profile has no such measurement.
  init(_ id: Int64, _ context: CommandContext) throws {
    guard let reader = try context.reader(), let found = try reader.measurement(id, of: context.profile)
    else {
      throw context.noMeasurement(id)
    }
    (measurement, session) = found
    let quarter = 900 * RRInterval.ticksPerSecond
    journal = try reader.journal(
      of: context.profile,
      in: measurement.time.advanced(ticks: -quarter)..<measurement.time.advanced(ticks: quarter))
  }

  /// The formula filled in; nil without a stress value.
  var explanation: Explanation? {
    guard let inputs = measurement.inputs(in: session.info), let score = try? StressScore(inputs) else {
      return nil
    }
    return Explanation(
      score: score, confidence: measurement.confidence, heading: heading,
      reference: Explanation.Reference(baseline: session.info.baseline, metric: session.info.settings.metric),
      collected: collected)
  }

  private var collected: (covered: Double, window: Double)? {
    measurement.meanNN.map { ($0 / 1000 * Double(measurement.normalBeats), measurement.window) }
  }

  private var heading: String {
    "Measurement \(measurement.id) of '\(measurement.profile)', \(LocalZone.text(measurement.time)), "
      + "\(session.info.settings.metric.rawValue.uppercased()) over \(measurement.window.fixed(0)) s"
  }

  /// Why there is no stress value.
  var reason: String { measurement.sensorClass?.warning ?? "There were too few good beats." }

  var text: String {
    var text = explanation?.text ?? heading + "\n\nNo stress value. \(reason)\n"
    let lines =
      ["", "Window"] + window
      + ["", "Session \(session.info.id.text), \(clockText(seconds: measurement.at.seconds)) after it began"]
      + ["  \(strap); all of it: stressmon show \(session.info.id.text)"]
      + (journal.isEmpty ? [] : ["", "Journal"])
      + journal.map { "  \(LocalZone.text($0.time))  \($0.words.printable)" }
    text += lines.map { $0 + "\n" }.joined()
    return text
  }

  private var strap: String {
    (session.strap.map { $0.name ?? $0.address } ?? session.info.source.rawValue).printable
  }

  private var window: [String] {
    let coverage = measurement.coverage.map { Self.coverage($0) } ?? "not known"
    return [
      "  beats      \(measurement.normalBeats) normal of \(measurement.beats), by provisional verdicts",
      "  coverage   \(coverage)",
      "  sensor     \(measurement.sensorClass?.rawValue ?? "not known yet")",
      "  RMSSD      \(value(measurement.rmssd, "ms"))",
      "  SDNN       \(value(measurement.sdnn, "ms"))",
      "  mean NN    \(value(measurement.meanNN, "ms"))",
      "  mean HR    \(value(measurement.meanHeartRate, "bpm"))",
      "  pNN50      \(value(measurement.pNN50, "%"))",
    ]
  }

  /// RR intervals received over the time passed. A strap may send the last beats of one window in the next, so up to
  /// 5 % more than the time is complete.
  static func coverage(_ coverage: Double) -> String {
    let percent = (min(1, coverage) * 100).fixed(1)
    guard coverage > 1.05 else { return "\(percent) % of the time" }
    return "\((coverage * 100).fixed(1)) % of the time: beats were received twice"
  }

  private func value(_ value: Double?, _ unit: String) -> String {
    value.map { "\($0.fixed(1)) \(unit)" } ?? "-"
  }

  var json: [UInt8] {
    var line = JSONLine()
    line.line { line in
      measurement.put(into: &line)
      if let explanation {
        line.put("explanation") { explanation.put(into: &$0) }
      } else {
        line.put("reason", reason)
      }
      line.put("journal", objects: journal) { $1.put(into: &$0) }
    }
    return line.bytes
  }
}

extension CommandContext {
  func noMeasurement(_ id: Int64) -> CommandFailure {
    CommandFailure(
      .failed,
      "there is no measurement \(id) of '\(profile)' in \(location.path). See them with: stressmon history")
  }
}
