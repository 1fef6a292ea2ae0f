import HeartRate
import History
import LiveSession
import Localization
import Platform
import Reports
import Stress
import Terminal

extension MeasurementDetails {
  var text: String {
    let measured = explanation?.text(heading: heading) ?? heading + "\n\nNo stress value. \(reason)\n"
    let lines =
      ["", "Window"] + window
      + [
        "", "Session \(session.info.id.text), \(clockText(seconds: measurement.at.seconds)) after its start",
      ]
      + ["  \(strap); all of it: stressmon show \(session.info.id.text)"]
      + (journal.isEmpty ? [] : ["", "Journal"])
      + journal.map { "  \(LocalZone.text($0.time))  \($0.summary().printable)" }
    return measured + lines.map { $0 + "\n" }.joined()
  }

  /// Number, profile, time and window of the measurement.
  var heading: String {
    "Measurement \(measurement.id) of '\(measurement.profile)'\(measurement.isSimulated ? " (simulated)" : ""), \(LocalZone.text(measurement.time)), "
      + "\(session.info.settings.metric.definition.name) over \(measurement.window.fixed(0)) s"
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
      "  RMSSD      \(value(measurement.rmssd, "ms"))\(position)",
      "  SDNN       \(value(measurement.sdnn, "ms"))",
      "  mean NN    \(value(measurement.meanNN, "ms"))",
      "  mean HR    \(value(measurement.meanHeartRate, "bpm"))",
      "  pNN50      \(value(measurement.pNN50, "%"))",
    ]
  }

  /// `, within your normal 36-53 since 2026-11-10`; empty without a normal range, and during exertion.
  private var position: String {
    guard let normal, let rmssd = measurement.rmssd, measurement.suspension == nil else {
      return ""
    }
    return ", " + Language.english.text(normal.phrase(rmssd, today: day))
  }

  /// The received RR intervals as a percentage of the time passed. A strap can send the last beats of one window in the
  /// next one, so up to 105 % is complete.
  static func coverage(_ coverage: Double) -> String {
    let percent = (min(1, coverage) * 100).fixed(1)
    guard coverage > 1.05 else { return "\(percent) % of the time" }
    return "\((coverage * 100).fixed(1)) % of the time: beats were received twice"
  }

  private func value(_ value: Double?, _ unit: String) -> String {
    value.map { "\($0.fixed(1)) \(unit)" } ?? "-"
  }
}

extension CommandContext {
  /// - Throws: ``CommandFailure`` if the profile has no such measurement.
  func measurementDetails(_ id: Int64) throws -> MeasurementDetails {
    guard let reader = try reader(), let details = try MeasurementDetails(id, of: profile, reader) else {
      throw CommandFailure(
        .failed,
        Phrase(
          "there is no measurement \(id) of '\(profile)' in \(location.path). List them with: \("stressmon history")"
        ))
    }
    return details
  }
}
