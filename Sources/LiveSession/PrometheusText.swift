/// Live sessions in the text format of Prometheus (version 0.0.4).
///
/// Series have the label `profile` only, so that they continue from session to session; `stressmon_session_info` has the
/// session and the strap. A value that is not live is absent, never 0. Counters begin at 0 with each session.
package struct PrometheusText {
  private let sessions: [LiveValues]
  private let version: String?

  /// - Parameters:
  ///   - sessions: the sessions, the latest one first. Earlier ones of the same profile, and values without a session, are
  ///     ignored.
  ///   - version: the version of the program, for `stressmon_build_info`.
  package init(_ sessions: [LiveValues], version: String? = nil) {
    var latest: [String: LiveValues] = [:]
    for values in sessions.reversed() {
      if let profile = values.session?.profile { latest[profile] = values }
    }
    self.sessions = latest.sorted { $0.key < $1.key }.map(\.value)
    self.version = version
  }

  private struct Metric {
    let name: String
    let help: String
    var type = "gauge"
    let value: @Sendable (LiveValues) -> Double?
  }

  private static let metrics = [
    Metric(name: "heart_rate_bpm", help: "Heart rate sent by the strap.") { $0.number(.hr) },
    Metric(name: "rmssd_seconds", help: "RMSSD of the window.") { $0.rmssd.map { $0 / 1000 } },
    Metric(name: "sdnn_seconds", help: "SDNN of the window.") { $0.sdnn.map { $0 / 1000 } },
    Metric(name: "stress_score", help: "Stress value, 0 to 100.") { $0.stress },
    Metric(name: "confidence_ratio", help: "Confidence of the measurement, 0 to 1.") { $0.confidence },
    Metric(name: "strap_battery_ratio", help: "Charge of the strap's battery, 0 to 1.") {
      $0.number(.battery).map { $0 / 100 }
    },
    Metric(name: "link_up", help: "Whether the strap is connected.") {
      $0.session.map { $0.isConnected ? 1 : 0 }
    },
    Metric(name: "live", help: "Whether the values are live.") { $0.isLive ? 1 : 0 },
    counter("beats", "Beats that the strap reported.") { $0.beats },
    counter("gaps", "Interruptions of the data.") { $0.gaps },
    counter("reconnections", "Connections to the strap after a lost link.") { $0.reconnections },
    counter("invalid_notifications", "Notifications that could not be decoded.") { $0.invalidNotifications },
  ]

  private static func counter(
    _ name: String, _ help: String, _ count: @escaping @Sendable (SessionCounts) -> Int
  ) -> Metric {
    Metric(name: "\(name)_total", help: help, type: "counter") { $0.session.map { Double(count($0.counts)) } }
  }

  package var text: String {
    Self.metrics.map { metric in
      let samples = sessions.compactMap { values in
        metric.value(values).flatMap { $0.isFinite ? Sample(labels: Self.labels(values), value: $0) : nil }
      }
      return Self.family(metric.name, metric.help, metric.type, samples)
    }.joined() + information
  }

  private var information: String {
    let infos = sessions.compactMap { values in
      values.session.map { session in
        let details = [
          ("session", session.id), ("strap", session.strap ?? ""), ("simulated", "\(session.isSimulated)"),
        ]
        return Sample(labels: Self.labels(values) + details, value: 1)
      }
    }
    let build = version.map { [Sample(labels: [("version", $0)], value: 1)] } ?? []
    return Self.family("session_info", "The session of a profile and its strap.", "gauge", infos)
      + Self.family(
        "live_sessions", "Number of running sessions.", "gauge",
        [Sample(labels: [], value: Double(sessions.count))])
      + Self.family("build_info", "The version of the program.", "gauge", build)
  }

  private struct Sample {
    let labels: [(name: String, value: String)]
    let value: Double

    var text: String {
      let list = labels.map { "\($0.name)=\"\(PrometheusText.escaped($0.value))\"" }.joined(separator: ",")
      return (list.isEmpty ? "" : "{\(list)}") + " \(number)\n"
    }

    /// `62`, `0.047`.
    private var number: String { Int(exactly: value).map(String.init) ?? "\(value)" }
  }

  private static func labels(_ values: LiveValues) -> [(name: String, value: String)] {
    [("profile", values.session?.profile ?? "")]
  }

  private static func family(_ name: String, _ help: String, _ type: String, _ samples: [Sample]) -> String {
    guard !samples.isEmpty else { return "" }
    let name = "stressmon_\(name)"
    return "# HELP \(name) \(help)\n# TYPE \(name) \(type)\n" + samples.map { name + $0.text }.joined()
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
