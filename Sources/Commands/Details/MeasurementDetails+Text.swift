import HeartRate
import History
import LiveSession
import Localization
import NetworkCommands
import Platform
import Reports
import Stress
import Terminal

extension MeasurementDetails {
  var text: String {
    let measured =
      explanation?.text(heading: heading) ?? heading + "\n\n"
      + localized("No stress value. \(Phrase(known: reason))") + "\n"
    let lines =
      ["", localized("Window")] + window
      + [
        "",
        localized(
          "Session \(session.info.id.text), \(clockText(seconds: measurement.at.seconds)) after its start"),
      ]
      + ["  " + localized("\(strap); all of it: \("stressmon show \(session.info.id.text)")")]
      + (journal.isEmpty ? [] : ["", localized("Journal")])
      + journal.map { "  \(LocalZone.text($0.time))  \(localized($0.summary).printable)" }
    return measured + lines.map { $0 + "\n" }.joined()
  }

  /// Number, profile, time and window of the measurement.
  var heading: String {
    let (time, metric) = (LocalZone.text(measurement.time), session.info.settings.metric.definition.name)
    let (id, profile, window) = (measurement.id, measurement.profile, measurement.window.fixed(0))
    return measurement.isSimulated
      ? localized("Measurement \(id) of '\(profile)' (simulated), \(time), \(metric) over \(window) s")
      : localized("Measurement \(id) of '\(profile)', \(time), \(metric) over \(window) s")
  }

  private var strap: String {
    session.strap.map { ($0.name ?? $0.address).printable } ?? localized(session.info.source.name)
  }

  private var window: [String] {
    let coverage = measurement.coverage.map { Self.coverage($0) } ?? localized("not known")
    let (normal, beats) = (measurement.normalBeats, measurement.beats)
    let sensor = measurement.sensorClass?.word ?? Phrase("not known yet")
    return Self.aligned([
      (localized("beats"), localized("\(normal) normal of \(beats), by provisional verdicts")),
      (localized("coverage"), coverage),
      (localized("sensor"), localized(sensor)),
      ("RMSSD", value(measurement.rmssd, "ms") + position),
      ("SDNN", value(measurement.sdnn, "ms")),
      (localized("mean NN"), value(measurement.meanNN, "ms")),
      (localized("mean HR"), value(measurement.meanHeartRate, localized("bpm"))),
      ("pNN50", value(measurement.pNN50, "%")),
    ])
  }

  /// Rows of a label and a value, indented.
  static func aligned(_ rows: [(label: String, value: String)], gap: Int = 3) -> [String] {
    let width = rows.map(\.label.columns).max() ?? 0
    return rows.map { "  \($0.label.padded(to: width + gap))\($0.value)" }
  }

  /// `, within your normal 36-53 since 2026-11-10`; empty without a normal range, and during exertion.
  private var position: String {
    guard let normal, let rmssd = measurement.rmssd, measurement.suspension == nil else {
      return ""
    }
    return ", " + localized(normal.phrase(rmssd, today: day))
  }

  /// The received RR intervals as a percentage of the time passed. A strap can send the last beats of one window in the
  /// next one, so up to 105 % is complete.
  static func coverage(_ coverage: Double) -> String {
    let percent = (min(1, coverage) * 100).fixed(1)
    guard coverage > 1.05 else { return localized("\(percent) % of the time") }
    return localized("\((coverage * 100).fixed(1)) % of the time: beats were received twice")
  }

  private func value(_ value: Double?, _ unit: String) -> String {
    value.map { "\(localized(number: $0, 1)) \(unit)" } ?? "-"
  }
}

extension ProfileHistory {
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
