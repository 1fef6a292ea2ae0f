import HRV
import HeartRate
package import Localization
package import Stress

/// The state of a guided morning reading at one moment, with its texts.
package struct MorningView: Sendable {
  package var stage: MorningCourse.Stage
  package var live: LiveState

  package init(stage: MorningCourse.Stage, live: LiveState) { (self.stage, self.live) = (stage, live) }

  /// The instruction; a new instruction begins when it changes.
  package var instruction: Phrase {
    switch stage {
    case .waiting: Phrase("Getting ready. The reading begins with the first heartbeat.")
    case .reading(.lying, _): Phrase("Lie still and breathe normally.")
    case .reading(.sitting, _): Phrase("Sit still and breathe normally.")
    case .reading(.standing, _): Phrase("Stand still and breathe normally.")
    case .standingUp: Phrase("Stand up now.")
    case .over: Phrase("Done")
    }
  }

  /// Remaining time of the stage in seconds. Unknown before the first beat and after the end.
  package var left: Double? {
    switch stage {
    case .reading(_, let left), .standingUp(let left): left
    case .waiting, .over: nil
    }
  }

  /// `0:43 left`, rounded up to seconds.
  func countdown(_ style: TerminalStyle) -> String? {
    left.map { style.localized("\(clockText(seconds: $0 + 0.999)) left") }
  }

  /// `HR 62 bpm   RMSSD 48.1 ms`
  func numbers(_ style: TerminalStyle) -> String {
    let text = LiveText(state: live, style: style)
    let stale = live.isStale && live.measurement != nil ? "   " + style.localized("(not live)") : ""
    return text.heartRate
      + "   RMSSD \(text.milliseconds(live.measurement?.rmssd))" + stale
  }

  /// The quality of the data: confidence with its reasons, and the number of artefacts.
  func quality(_ style: TerminalStyle) -> String {
    let text = LiveText(state: live, style: style)
    guard let measurement = live.measurement else { return text.tally }
    let reasons = text.reasons.isEmpty ? [style.localized("no limitations")] : text.reasons
    let value = measurement.confidence.value.fixed(2)
    return style.localized("Confidence \(value): \(reasons.joined(separator: ", "))")
  }
}
