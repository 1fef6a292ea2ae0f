package import Breathing
import HRV
package import HeartRate
package import Localization
import Stress

/// The state of a guided exercise at one moment, with its texts.
package struct BreathingView: Sendable {
  package var stage: ExerciseCourse.Stage
  /// Time since the start of the session.
  package var time: SessionTime
  package var live: LiveState
  /// Coherence of heart rate and breathing, 0 to 1.
  package var coherence: Double?
  /// A message below the instruction.
  package var notice: String?

  package init(
    stage: ExerciseCourse.Stage, time: SessionTime, live: LiveState = LiveState(), coherence: Double? = nil,
    notice: String? = nil
  ) {
    (self.stage, self.time, self.live) = (stage, time, live)
    (self.coherence, self.notice) = (coherence, notice)
  }

  /// Whether the pacer is giving instructions.
  package var isLed: Bool { if case .breathing = stage { true } else { false } }

  /// An identifier of the instruction; changes when a new instruction starts.
  package var cue: String {
    switch stage {
    case .breathing(let position), .paused(let position):
      "\(Language.english.text(title)) \(position.stretch) \(position.cycle)"
    default: Language.english.text(title)
    }
  }

  /// The instruction, in two or three words.
  package var title: Phrase {
    switch stage {
    case .waiting: Phrase("Getting ready")
    case .before: Phrase("Rest")
    case .breathing(let position): position.phase.instruction
    case .paused: Phrase("Paused")
    case .after: Phrase("Rest again")
    case .over: Phrase("Done")
    }
  }

  /// Seconds until the next instruction.
  var countdown: Double? {
    switch stage {
    case .before(let left, _), .after(let left, _): left
    case .breathing(let position): position.remaining
    case .waiting, .paused, .over: nil
    }
  }

  /// The current part of the exercise and its remaining time.
  var explanation: Phrase {
    switch stage {
    case .waiting: Phrase("Sit down and lean back. The exercise begins with the first heartbeat.")
    case .before: Phrase("Sit still and breathe normally: your HRV before the exercise is measured.")
    case .after: Phrase("Sit still and breathe normally: your HRV after the exercise is measured.")
    case .over: Phrase("Thank you.")
    case .breathing(let position), .paused(let position): Self.progress(position)
    }
  }

  private static func progress(_ position: PacedBreathing.Position) -> Phrase {
    let (cycle, pattern) = (position.cycle + 1, position.pattern.name)
    guard position.cycles > 1 || position.stretch > 0 else {
      return Phrase("Cycle \(cycle) of \(position.cycles), \(pattern)")
    }
    let left = clockText(seconds: position.left + 0.999)
    return Phrase("Cycle \(cycle) of \(position.cycles), \(pattern), \(left) left")
  }

  /// `HR 62 bpm   HRV 48.1 ms (RMSSD)   coherence 0.71`, marked if the values are not live; empty before the first beat.
  func numbers(_ style: TerminalStyle) -> String {
    let text = LiveText(state: live, style: style)
    guard live.heartRate != nil || live.measurement != nil else { return "" }
    var parts = [text.heartRate, text.variability]
    if let coherence { parts.append(style.localized("coherence \(coherence.fixed(2))")) }
    if live.isStale { parts.append(style.localized("(not live)")) }
    return parts.joined(separator: "   ")
  }
}

extension BreathPhase {
  /// The instruction for this phase.
  package var instruction: Phrase {
    switch self {
    case .inhale: Phrase("Breathe in")
    case .hold: Phrase("Hold")
    case .exhale: Phrase("Breathe out")
    case .pause: Phrase("Wait")
    }
  }
}

/// A guided exercise as lines of text, one per instruction: for pipes and terminals without cursor movement.
package struct BreathingLines: Sendable {
  private let style: TerminalStyle

  package init(style: TerminalStyle) { self.style = style }

  /// `1:03  Breathe in for 4 s (cycle 1 of 4)  HR 62 bpm  RMSSD 48.1 ms`, as long as there is an instruction.
  package func line(_ view: BreathingView) -> String? {
    let title = style.localized(view.title)
    let text: String
    switch view.stage {
    case .waiting, .over: return nil
    case .before(_, let length), .after(_, let length):
      text = style.localized("\(title) for \(seconds(length)). \(style.localized(view.explanation))")
    case .paused: text = title
    case .breathing(let position):
      let time = seconds(position.pattern.seconds(of: position.phase))
      text =
        position.phase == .inhale
        ? style.localized("\(title) for \(time) (cycle \(position.cycle + 1) of \(position.cycles))")
        : style.localized("\(title) for \(time)")
    }
    let numbers = if case .breathing(let position) = view.stage { position.phase == .inhale } else { false }
    let heart = numbers ? view.numbers(style) : ""
    return "\(clockText(seconds: view.time.seconds))  \(text)" + (heart.isEmpty ? "" : "   \(heart)")
  }

  private func seconds(_ value: Double) -> String {
    value == value.rounded() ? "\(value.fixed(0)) s" : "\(value.fixed(1)) s"
  }
}
