import HRV
import HeartRate
import LiveSession
package import Localization
package import Stress

/// A guided reading at one moment: its stage, and the live values.
package struct ReadingView: Sendable {
  package let stage: ReadingStage
  package let live: LiveState

  package init(_ stage: ReadingStage, live: LiveState) { (self.stage, self.live) = (stage, live) }

  /// `HR 62 bpm   HRV 48.1 ms (RMSSD)`
  func numbers(_ style: TerminalStyle) -> String {
    let text = LiveText(state: live, style: style)
    let stale = live.isStale && live.measurement != nil ? "   " + style.localized("(not live)") : ""
    return text.heartRate + "   " + text.variability + stale
  }

  /// The confidence and the main reason for a lower one. Before the first value: the number of beats and artefacts.
  func quality(_ style: TerminalStyle) -> String {
    let text = LiveText(state: live, style: style)
    guard let measurement = live.measurement, measurement.stress != nil else { return text.tally }
    return text.confidence(of: measurement)
  }
}

/// What the person does at one moment of a guided reading, and for how long.
package struct ReadingStage: Sendable {
  /// A new instruction begins when the text changes.
  package let instruction: Phrase
  /// Remaining time in seconds. Unknown before the first beat and after the end.
  package let left: Double?
  /// Fraction of the stage that has passed, 0 to 1, if the remaining time is known.
  package let progress: Double?

  private init(_ instruction: Phrase, left: Double? = nil, of length: Double = 1) {
    (self.instruction, self.left) = (instruction, left)
    progress = left.map { length > 0 ? min(1, max(0, 1 - $0 / length)) : 1 }
  }

  /// The stage of a reading of `length` seconds.
  /// - Parameter collected: The seconds that have passed. Absent before the first heartbeat.
  package init(collected: Double?, of length: Double) {
    guard let collected else {
      self.init(Self.beginning)
      return
    }
    self.init(Self.instruction(.sitting), left: max(0, length - collected), of: length)
  }

  /// The stage of a morning reading.
  package init(_ stage: MorningCourse.Stage, of course: MorningCourse) {
    switch stage {
    case .waiting: self.init(Self.beginning)
    case .reading(let posture, let left):
      self.init(Self.instruction(posture), left: left, of: SessionTime(ticks: course.length.ticks).seconds)
    case .standingUp(let left):
      self.init(
        Phrase("Stand up now."), left: left, of: SessionTime(ticks: MorningCourse.change.ticks).seconds)
    case .over: self.init(Self.end)
    }
  }

  private static var beginning: Phrase {
    Phrase("Getting ready. The reading begins with the first heartbeat.")
  }
  private static var end: Phrase { Phrase("Done") }

  private static func instruction(_ posture: MorningPosture) -> Phrase {
    switch posture {
    case .lying: Phrase("Lie still and breathe normally.")
    case .sitting: Phrase("Sit still and breathe normally.")
    case .standing: Phrase("Stand still and breathe normally.")
    }
  }

  /// `0:43 left`, rounded up to seconds.
  func countdown(_ style: TerminalStyle) -> String? {
    left.map { style.localized("\(clockText(seconds: $0 + 0.999)) left") }
  }
}
