import Design
import HRV
import HeartRate
import LiveSession
import Localization
import Stress

/// Texts that the line view and the screen have in common.
struct LiveText {
  let state: LiveState
  let style: TerminalStyle

  var isASCII: Bool { !style.unicode }
  private var separator: String { isASCII ? "-" : "·" }

  /// `HR 62 bpm`, the rate of the latest notification; `mean HR 62 bpm` if only the mean of the window is known.
  var heartRate: String {
    style.heartRate(
      latest: state.heartRate.map(Double.init), windowMean: state.measurement?.meanHeartRate)
      ?? style.localized("HR \("-")")
  }

  /// `HRV 48.1 ms (RMSSD)`; a dash until there are enough beats for a stress value.
  var variability: String { style.localized("HRV \(style.rmssd(statedMeasurement?.rmssd))") }

  /// The measurement, unless it has too few beats for a value.
  private var statedMeasurement: LiveMeasurement? {
    state.measurement.flatMap { $0.collecting(style) == nil ? $0 : nil }
  }

  /// Respiration rate: `13.2/min`; a dash if it is not reliable.
  var breath: String { state.respiration?.rate.value.map { "\($0.fixed(1))/min" } ?? "-" }

  /// ` (reliability 0.86)`; empty without a rate.
  var breathReliability: String {
    guard let respiration = state.respiration, respiration.rate.value != nil else { return "" }
    return respiration.reliability.map { " (\(style.localized("reliability \($0.fixed(2))")))" } ?? ""
  }

  /// `DFA alpha1 0.68 (0.56-0.80): near the aerobic threshold (0.75)` during movement and exertion, with its 90 % interval; or that
  /// there are too many artefacts.
  var alpha: String? {
    guard !state.isStale, let alpha = state.alpha else { return nil }
    switch alpha {
    case .success(let found):
      let (low, high) = (found.interval.lowerBound, found.interval.upperBound)
      let intensity = style.localized(found.intensity.phrase)
      return style.localized(
        "DFA alpha1 \(found.alpha1.fixed(2)) (\(low.fixed(2))-\(high.fixed(2))): \(intensity)")
    case .failure(.tooManyArtefacts(let fraction)):
      return style.localized(
        "DFA alpha1 -: \((100 * fraction).fixed(0)) % artefacts in two minutes, at most 5 %")
    case .failure(.absent): return nil
    }
  }

  /// `12 (0-31) Relaxed`, with its icon; or why no level is stated.
  var stress: String? { state.measurement?.stressText(style) }

  /// `12 Relaxed`, with its icon, for narrow layouts.
  var stressWithoutRange: String? { state.measurement?.stressText(style, showsRange: false) }

  /// In place of a stress value: `collecting: 14 of 30 s`, or a dash if no data are being collected.
  var absentStress: String {
    guard !state.hasEnded, state.sensorClass?.warning == nil else { return "-" }
    guard let measurement = state.measurement else {
      return state.link?.state == .connected ? LiveMeasurement.collecting(0, of: 30, style) : "-"
    }
    return state.isStale ? "-" : measurement.collecting(style) ?? "-"
  }

  /// `Confidence medium (70 %): few normal beats`
  func confidence(of measurement: LiveMeasurement) -> String {
    let level = style.confidenceLevel(measurement.confidence ?? 0)
    guard let reason = measurement.mainReason(style) else { return style.localized("Confidence \(level)") }
    return style.localized("Confidence \(level): \(reason)")
  }

  /// `the face smiles calmly`; nil without a live stress value, without a category, and with a confidence below 0.5.
  var face: String? {
    guard let measurement = state.measurement, let stress = measurement.statedStress, !state.isStale,
      measurement.confidence ?? 0 >= Confidence.minimumForFace
    else { return nil }
    return style.localized(BuddyMood(score: stress).spoken)
  }

  /// A notice about the link; nil if it works normally.
  var linkNotice: String? {
    let warning = state.sensorClass?.warning.map { style.localized(Phrase(known: $0)) }
    guard let link = state.link, !state.hasEnded else { return warning }
    let reason = link.reason.map { ": \($0.printable)" } ?? ""
    switch link.state {
    case .searching where state.measurement != nil:
      return style.localized("Searching for the strap\(reason). The values shown are not live.")
    case .searching:
      return style.localized("Searching for the strap\(reason). Wear it, and moisten its electrodes.")
    case .connecting where state.measurement != nil:
      return style.localized("Connecting\(reason). The values shown are not live.")
    case .connecting: return style.localized("Connecting\(reason)")
    case .stale: return style.localized("No data\(reason). The values shown are not live.")
    case .lost: return style.localized("Link lost\(reason). The values shown are not live; reconnecting.")
    case .connected where state.measurement != nil && state.isStale && !state.isHeld:
      return style.localized("Connected; waiting for data. The values shown are not live.")
    case .connected:
      return state.contact == .notDetected
        ? style.localized("No contact with the skin: check the strap.") : warning
    }
  }

  /// A notice that the strap's battery is low; nil if it is not, and after the session.
  var batteryNotice: String? {
    guard state.battery.isLow, !state.hasEnded, let level = state.battery.level else { return nil }
    return style.localized(
      "The strap's battery is low (\(level.percent) %). Replace it before long sessions.")
  }

  /// A notice that the display is paused; nil if it is not.
  var pauseNotice: String? {
    guard state.isHeld else { return nil }
    let time = clockText(seconds: state.now.seconds)
    return style.localized("Paused at \(time), not live; space resumes. Measuring and storing continue.")
  }

  /// `1:23 · 82 beats · 1 artefact · 1 gap of 12 s in all`; only the time of a session whose beginning was not received.
  var tally: String {
    guard state.isComplete else { return clockText(seconds: state.now.seconds) }
    let (beats, artefacts, unreadable) = (state.beats, state.artefacts, state.undecodable)
    var parts = [
      clockText(seconds: state.now.seconds), style.localized("\(beats) beat", "\(beats) beats", count: beats),
    ]
    if artefacts > 0 {
      parts.append(style.localized("\(artefacts) artefact", "\(artefacts) artefacts", count: artefacts))
    }
    if state.gaps > 0 {
      let (gaps, time) = (state.gaps, state.gapSeconds.fixed(0))
      parts.append(
        style.localized("\(gaps) gap, \(time) s in all", "\(gaps) gaps, \(time) s in all", count: gaps))
    }
    if let ecg = state.ecg {
      let (explained, verified) = (ecg.explained, ecg.verified)
      parts.append(
        ecg.hasContact
          ? style.localized("ECG: \(explained) of \(verified) beats verified")
          : style.localized("ECG: no contact"))
    }
    if unreadable > 0 {
      parts.append(
        style.localized(
          "\(unreadable) unreadable notification", "\(unreadable) unreadable notifications",
          count: unreadable))
    }
    return parts.joined(separator: " \(separator) ")
  }

  /// `beat-to-beat RR`, or a text that it is not known yet; nil before the first notification.
  var sensor: String? {
    if let found = state.sensorClass { return style.localized(Phrase(known: found.name)) }
    return state.notifications > 0 && !state.hasEnded ? style.localized("RR not classified yet") : nil
  }

  /// `Polar H10 · battery 80 %`
  var strap: String {
    var parts = [state.strap.map { ($0.name ?? $0.address).printable } ?? style.localized("no strap yet")]
    if let level = state.battery.level { parts.append(style.localized("battery \(level.percent) %")) }
    return parts.joined(separator: " \(separator) ")
  }
}

extension AlphaEstimate.Intensity {
  fileprivate var phrase: Phrase {
    switch self {
    case .belowAerobic: Phrase("below the aerobic threshold (0.75)")
    case .nearAerobic: Phrase("near the aerobic threshold (0.75)")
    case .between: Phrase("between the aerobic (0.75) and the anaerobic threshold (0.5)")
    case .nearAnaerobic: Phrase("near the anaerobic threshold (0.5)")
    case .aboveAnaerobic: Phrase("above the anaerobic threshold (0.5)")
    }
  }
}
