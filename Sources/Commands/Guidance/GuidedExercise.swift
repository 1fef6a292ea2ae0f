import Breathing
import HRV
import HeartRate
import History
import Reports
import Stress
import Terminal

/// A breathing exercise from its beginning to its result: led through a session, or laid over a recording.
struct GuidedExercise: Sendable {
  let course: ExerciseCourse
  let findsResonance: Bool
  let variability: RestVariability

  /// How an exercise ended. There is no result if it ended before the breathing began.
  struct Outcome: Sendable {
    let result: BreathingResult?
    let end: RunEnd
    /// What failed, such as storing the session; nil if nothing did.
    let failure: CommandFailure?
  }

  /// Guides a person, real or simulated, through it.
  func lead(
    _ session: LiveSession, form: GuideDisplay.Form, bell: Bool, speed: Double?
  ) async throws -> Outcome {
    let guide = Guide(course, speed: speed)
    let heart = GuidedHeart()
    let display = GuideDisplay(guide, heart, form: form, bell: bell, to: session.output)
    var session = session
    session.attendant = guide
    session.untilQuit = guide.untilQuit
    session.expectedLength = guide.expectedLength
    let (led, isOnScreen) = (session, display.isOnScreen)
    let outcome = try await display.showing {
      try await led.outcome(notices: SessionAlerts(onScreen: isOnScreen)) { _, _ in
        GuideSink(heart: heart, display: display)
      }
    }
    return Outcome(
      result: result(heart, of: outcome.plan, isStored: session.isStored), end: outcome.end,
      failure: outcome.failure)
  }

  /// What a session that was led through came to. Nil when it ended before the breathing began.
  func result(_ heart: GuidedHeart, of plan: SessionPlan, isStored: Bool) -> BreathingResult? {
    result(heart.events, BreathingResult.Session(plan, isStored: isStored, heart.live.strap))
  }

  /// Measures the exercise in a recording, or lays this one over a file that has none.
  func result(ofFile path: String) throws -> BreathingResult {
    let session = try SessionFile(path: path).onlySession(report: reportProblem)
    let (events, about) = (Array(session.events), BreathingResult.Session(session))
    if let found = result(events, about) { return found }
    guard let laidOver = result(withMarks(events), about) else {
      throw CommandFailure(
        .badData,
        "\(path.printable) is too short for the exercise: its beats end before the breathing begins. Choose a shorter rest "
          + "with --before")
    }
    return laidOver
  }

  private func withMarks(_ events: [SessionEvent]) -> [SessionEvent] {
    let guide = Guide(course, speed: nil)
    var marked: [SessionEvent] = []
    for event in events {
      let (marks, isOver) = guide.take(event)
      marked += marks + [event]
      if isOver { break }
    }
    return marked
  }

  /// What it came to in a session with its marks; nil without those.
  func result(_ events: [SessionEvent], _ about: BreathingResult.Session) -> BreathingResult? {
    BreathingResult(
      events, of: about, breathing: course.breathing, findsResonance: findsResonance, variability: variability
    )
  }
}

extension GuideDisplay {
  /// Shows while `body` runs; the terminal is as before when this returns or throws.
  func showing<Result: Sendable>(_ body: @Sendable () async throws -> Result) async throws -> Result {
    let keys = hasKeys ? TerminalKeys() : nil
    if keys != nil { try announceKeys() }
    defer { keys?.close() }
    let result = try await withBackgroundTask({ try await self.run(keys) }, body)
    try finish()
    return result
  }
}

extension BreathingResult.Session {
  /// - Parameter strap: The one that was found, where none was known beforehand.
  init(_ plan: SessionPlan, isStored: Bool, _ strap: StrapIdentity?) {
    self.init(
      id: isStored ? plan.id : nil, profile: plan.profile, started: plan.started,
      sensor: ComparedSide.Sensor(source: plan.source, strap: plan.strap ?? strap), settings: plan.settings,
      baseline: plan.baseline)
  }
}
