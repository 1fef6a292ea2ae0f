import LiveSession

/// The live values in the text format of Prometheus (version 0.0.4). A value that is not live is absent, never 0.
struct PrometheusText {
  private let sessions: [LiveSnapshot]
  /// In ns of the boot clock.
  private let now: Int64

  init(_ sessions: [LiveSnapshot], now: Int64) { (self.sessions, self.now) = (sessions, now) }

  private struct Gauge {
    let name: String
    let help: String
    /// Whether the value is also stated while the session's values are not live.
    var isAlwaysKnown = false
    let value: @Sendable (LiveSnapshot) -> Double?
  }

  private static let gauges = [
    Gauge(name: "heart_rate_bpm", help: "Heart rate sent by the strap.") { $0.heartRate?.value },
    Gauge(name: "rmssd_seconds", help: "RMSSD of the window.") { $0.measurement?.rmssd.map { $0 / 1000 } },
    Gauge(name: "sdnn_seconds", help: "SDNN of the window.") { $0.measurement?.sdnn.map { $0 / 1000 } },
    Gauge(name: "stress_score", help: "Stress value, 0 to 100.") { $0.measurement?.statedStress },
    Gauge(name: "confidence_ratio", help: "Confidence of the measurement, 0 to 1.") {
      $0.measurement?.confidence
    },
    Gauge(name: "strap_battery_ratio", help: "Charge of the strap's battery, 0 to 1.") { state in
      state.battery.map { Double($0) / 100 }
    },
    Gauge(name: "link_up", help: "Whether the strap is connected.", isAlwaysKnown: true) {
      $0.link == "connected" ? 1 : 0
    },
  ]

  var text: String {
    Self.gauges.map { gauge in
      let name = "stressmon_\(gauge.name)"
      let samples = sessions.compactMap { sample(gauge, name, $0) }
      guard !samples.isEmpty else { return "" }
      return "# HELP \(name) \(gauge.help)\n# TYPE \(name) gauge\n" + samples.joined()
    }.joined() + sessionCount
  }

  private var sessionCount: String {
    "# HELP stressmon_live_sessions Number of live sessions.\n# TYPE stressmon_live_sessions gauge\n"
      + "stressmon_live_sessions \(sessions.count)\n"
  }

  private func sample(_ gauge: Gauge, _ name: String, _ state: LiveSnapshot) -> String? {
    guard gauge.isAlwaysKnown || state.isLive(at: now), let value = gauge.value(state),
      value.isFinite
    else { return nil }
    let labels = [("profile", state.profile), ("session", state.session), ("strap", state.strap ?? "")]
    let text = labels.map { "\($0)=\"\(Self.escaped($1))\"" }.joined(separator: ",")
    return "\(name){\(text)} \(value)\n"
  }

  private static func escaped(_ text: String) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\": escaped += "\\\\"
      case "\"": escaped += "\\\""
      case "\n": escaped += "\\n"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }
}
