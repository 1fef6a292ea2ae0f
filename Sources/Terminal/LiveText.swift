import HRV
import HeartRate
import Stress

/// The words and short texts that the line view and the screen share.
struct LiveText {
  let state: LiveState
  let style: TerminalStyle

  var isASCII: Bool { !style.unicode }
  private var separator: String { isASCII ? "-" : "·" }

  /// `62 bpm`, from the window where there is one, else as the sensor says.
  var heartRate: String {
    if let mean = state.measurement?.nn.meanHeartRate { return "\(mean.fixed(0)) bpm" }
    return state.heartRate.map { "\($0) bpm" } ?? "-"
  }

  func milliseconds(_ value: Double?) -> String { value.map { "\($0.fixed(1)) ms" } ?? "-" }
  func percent(_ value: Double?) -> String { value.map { "\($0.fixed(0)) %" } ?? "-" }

  /// `12 Relaxed`, with its icon.
  var stress: String? {
    state.measurement?.score.map { score in
      let category = score.category
      return style.coloured(
        "\(category.icon(unicode: style.unicode)) \(score.value.fixed(0)) \(category.word)", category)
    }
  }

  /// What stands where there is no stress value.
  var absentStress: String {
    state.hasEnded || state.sensorClass?.warning != nil ? "-" : "not yet: it takes a few beats"
  }

  /// Why confidence is below 1, the weightiest reasons first.
  var reasons: [String] {
    guard let confidence = state.measurement?.confidence else { return [] }
    return confidence.known.filter { $0.value < 0.995 }.sorted { $0.value < $1.value }
      .map { "\($0.factor.reason) (\($0.value.fixed(2)))" }
  }

  /// What is going on with the link, where that is worth saying.
  var linkNotice: String? {
    let warning = state.sensorClass?.warning
    guard let link = state.link, !state.hasEnded else { return warning }
    let reason = link.reason.map { ": \($0.printable)" } ?? ""
    switch link.state {
    case .searching: return "Searching for the strap\(reason). Wear it, and moisten its electrodes."
    case .connecting: return "Connecting\(reason)"
    case .stale: return "No data for a while\(reason). What stands here is not live."
    case .lost: return "Link lost\(reason). What stands here is not live; reconnecting."
    case .connected:
      return state.contact == .notDetected ? "No contact with the skin: check the strap." : warning
    }
  }

  /// `1:23 · 82 beats · 1 artefact · 1 gap of 12 s in all`
  var tally: String {
    var parts = [clockText(seconds: state.now.seconds), count(state.beats, "beat")]
    if state.artefacts > 0 { parts.append(count(state.artefacts, "artefact")) }
    if state.gaps > 0 { parts.append("\(count(state.gaps, "gap")), \(state.gapSeconds.fixed(0)) s in all") }
    if state.undecodable > 0 { parts.append(count(state.undecodable, "unreadable notification")) }
    return parts.joined(separator: " \(separator) ")
  }

  /// `beat-to-beat RR`, or that it is not known yet; nothing before the first notification.
  var sensor: String? {
    if let found = state.sensorClass { return found.name }
    return state.notifications > 0 && !state.hasEnded ? "RR not judged yet" : nil
  }

  /// `Polar H10 · battery 80 %`
  var strap: String {
    var parts = [state.strap.map { ($0.name ?? $0.address).printable } ?? "no strap yet"]
    if let battery = state.battery { parts.append("battery \(battery.percent) %") }
    return parts.joined(separator: " \(separator) ")
  }

  private func count(_ number: Int, _ noun: String) -> String { "\(number) \(noun)\(number == 1 ? "" : "s")" }
}
