import HeartRate
import History
import Recording
import Stress
import Terminal

/// Measurements and sessions of the history, as tables and as JSON.
struct HistoryReport {
  let profile: String
  let path: String

  /// The latest last, as on a time line that is read downwards.
  func text(_ measurements: [StoredMeasurement]) -> String {
    guard !measurements.isEmpty else { return nothing("measurement") }
    var table = TextTable([
      ("id", .right), ("time", .left), ("stress", .right), ("category", .left), ("confidence", .right),
      ("HR bpm", .right), ("RMSSD ms", .right), ("SDNN ms", .right), ("beats", .right),
    ])
    for measurement in measurements.reversed() {
      table.append([
        "\(measurement.id)", LocalZone.text(measurement.time), number(measurement.stress, 0),
        category(measurement), measurement.confidence.value.fixed(2),
        number(measurement.meanHeartRate, 0), number(measurement.rmssd, 1), number(measurement.sdnn, 1),
        "\(measurement.normalBeats)",
      ])
    }
    return table.lines().map { $0 + "\n" }.joined()
  }

  /// In its place, which sensor it is that gives no stress value.
  private func category(_ measurement: StoredMeasurement) -> String {
    if let category = measurement.category { return category.rawValue }
    return measurement.sensorClass == .smoothed ? SensorClass.smoothed.rawValue : "-"
  }

  func text(_ sessions: [StoredSession]) -> String {
    guard !sessions.isEmpty else { return nothing("session") }
    var table = TextTable([
      ("session", .left), ("began", .left), ("length", .right), ("source", .left), ("strap", .left),
      ("measurements", .right), ("end", .left),
    ])
    for session in sessions.reversed() {
      table.append([
        session.info.id.text, LocalZone.text(session.info.started),
        clockText(seconds: session.length.seconds),
        session.info.source.rawValue, session.strap.map { $0.name ?? $0.address } ?? "-",
        "\(session.measurements)", session.outcome?.rawValue ?? "not ended",
      ])
    }
    return table.lines().map { $0 + "\n" }.joined()
  }

  func json(_ measurements: [StoredMeasurement]) -> String {
    lines(measurements.reversed()) { measurement, line in
      line.put("id", measurement.id)
      line.put("time", measurement.time.rfc3339)
      line.put("monotonic_s", seconds: measurement.at)
      line.put("session", measurement.session.text)
      line.put("profile", measurement.profile)
      line.put("window_s", measurement.window)
      line.put("beats", measurement.normalBeats)
      line.put("mean_nn_ms", measurement.meanNN)
      line.put("mean_hr_bpm", measurement.meanHeartRate)
      line.put("sdnn_ms", measurement.sdnn)
      line.put("rmssd_ms", measurement.rmssd)
      line.put("pnn50_percent", measurement.pNN50)
      line.put("artefact_percent", measurement.artefactShare * 100)
      line.put("coverage", measurement.coverage)
      line.put("sensor_class", measurement.sensorClass?.rawValue)
      line.put("stress", measurement.stress)
      line.put("category", measurement.category?.rawValue)
      line.put("confidence", measurement.confidence.value)
      line.put("confidence_factors", measurement.confidence)
    }
  }

  func json(_ sessions: [StoredSession]) -> String {
    lines(sessions.reversed()) { session, line in
      line.put("session", session.info.id.text)
      line.put("profile", session.info.profile)
      line.put("time", session.info.started.rfc3339)
      line.put("zone", session.info.zone)
      line.put("duration_s", seconds: session.length)
      line.put("source", session.info.source.rawValue)
      line.put("strap", session.strap?.address)
      line.put("strap_name", session.strap?.name)
      line.put("events", session.events)
      line.put("measurements", session.measurements)
      line.put("outcome", session.outcome?.rawValue)
      line.put("ended", session.ended?.rfc3339)
    }
  }

  private func lines<Rows: Sequence>(
    _ rows: Rows, _ members: (Rows.Element, inout JSONLine) -> Void
  ) -> String {
    var line = JSONLine()
    for row in rows { line.line { members(row, &$0) } }
    return String(decoding: line.bytes, as: UTF8.self)
  }

  private func nothing(_ what: String) -> String {
    "No \(what) of '\(profile)' is stored in \(path) yet. Take one with: stressmon measure\n"
  }

  private func number(_ value: Double?, _ decimals: Int) -> String { value.map { $0.fixed(decimals) } ?? "-" }
}
