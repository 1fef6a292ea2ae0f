public import Breathing
import HRV
public import HeartRate
import Stress

/// What a guided exercise shows at one moment, and its words.
public struct BreathingView: Sendable {
  public var stage: ExerciseCourse.Stage
  /// Since the session began.
  public var time: SessionTime
  public var live: LiveState
  /// How well the heart follows the breath, 0 to 1.
  public var coherence: Double?
  /// Something to tell below.
  public var notice: String?

  public init(
    stage: ExerciseCourse.Stage, time: SessionTime, live: LiveState = LiveState(), coherence: Double? = nil,
    notice: String? = nil
  ) {
    (self.stage, self.time, self.live) = (stage, time, live)
    (self.coherence, self.notice) = (coherence, notice)
  }

  /// Whether the pacer leads just now.
  public var isLed: Bool { if case .breathing = stage { true } else { false } }

  /// Changes when there is something new to do.
  public var cue: String {
    switch stage {
    case .breathing(let position), .paused(let position):
      "\(title) \(position.stretch) \(position.cycle)"
    default: title
    }
  }

  /// What to do now, in two or three words.
  public var title: String {
    switch stage {
    case .waiting: "Getting ready"
    case .before: "Rest"
    case .breathing(let position): position.phase.words
    case .paused: "Paused"
    case .after: "Rest again"
    case .over: "Done"
    }
  }

  /// Seconds until what is to be done changes.
  var countdown: Double? {
    switch stage {
    case .before(let left), .after(let left): left
    case .breathing(let position): position.remaining
    case .waiting, .paused, .over: nil
    }
  }

  /// What is going on, and how much of it is left.
  var explanation: String {
    switch stage {
    case .waiting: "Sit down and lean back. It begins with the first heartbeat that comes."
    case .before: "Sit still and breathe as you like: this is what you are compared with."
    case .after: "Breathe as you like again and sit still: this shows what it did."
    case .over: "Thank you."
    case .breathing(let position), .paused(let position):
      "Cycle \(position.cycle + 1) of \(position.cycles), \(position.pattern.name)"
        + (position.cycles > 1 || position.stretch > 0
          ? ", \(clockText(seconds: position.left + 0.999)) left" : "")
    }
  }

  /// `HR 62 bpm  RMSSD 48.1 ms  follows your breath 0.71`; empty before the first beat.
  func numbers(_ style: TerminalStyle) -> String {
    let text = LiveText(state: live, style: style)
    guard live.heartRate != nil || live.measurement != nil else { return "" }
    var parts = ["HR \(text.heartRate)", "RMSSD \(text.milliseconds(live.measurement?.nn.rmssd))"]
    if let coherence { parts.append("coherence \(coherence.fixed(2))") }
    return parts.joined(separator: "   ")
  }
}

extension BreathPhase {
  /// What a person is told to do.
  public var words: String {
    switch self {
    case .inhale: "Breathe in"
    case .hold: "Hold"
    case .exhale: "Breathe out"
    case .pause: "Wait"
    }
  }
}
