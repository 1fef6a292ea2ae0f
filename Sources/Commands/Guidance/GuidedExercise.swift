import Breathing
import HRV
import HeartRate
import History
import Localization
import Platform
import Recording
import Reports
import Session
import SessionData
import Stress
import Terminal

/// A breathing exercise: guided during a session, or measured in a recording.
struct GuidedExercise: Sendable {
  let course: ExerciseCourse
  let findsResonance: Bool
  let variability: RestVariability

  /// How an exercise ended. Without a result if it ended before the breathing began.
  struct Outcome: Sendable {
    let result: BreathingResult?
    let end: RunEnd
    let storage: StorageOutcome
    /// The error of the session, such as that of storing it.
    let error: (any Error)?
  }

  /// Guides a person, real or simulated, through the exercise.
  func guide(
    _ setup: SessionSetup, form: GuideDisplay.Form, bell: Bool, output: NonblockingOutput
  ) async throws -> Outcome {
    let guide = ExerciseGuide(course, speed: setup.source.speed)
    let recorder = ExerciseRecorder()
    let display = GuideDisplay(guide, recorder, form: form, bell: bell, to: output)
    var setup = setup
    setup.controller = SessionController(guiding: SessionController.Exercise(guide, recorder))
    setup.expectedLength = guide.expectedLength
    let group = try SessionGroup(setup, alerts: SessionAlerts(onScreen: display.isOnScreen)) { _ in
      GuideSink(display: display)
    }
    let outcome = try await display.showing { try await group.run(until: guide.untilQuit) }
    let (plan, storage) = (group.members[0].plan, group.members[0].storage)
    return Outcome(
      result: result(recorder, of: plan, isStored: storage.hasSession), end: outcome.end, storage: storage,
      error: outcome.failures.first?.error)
  }

  /// The result of an exercise in a session. An exercise that ended before the breathing began has none.
  func result(_ recorder: ExerciseRecorder, of plan: SessionPlan, isStored: Bool) -> BreathingResult? {
    result(recorder.events, BreathingResult.Session(plan, isStored: isStored, recorder.strap))
  }

  /// Measures the exercise in a recording. In a file without marks, the exercise starts at the first beat.
  func result(ofFile path: String) throws -> BreathingResult {
    let session = try SessionFile(path: path).onlySession(report: reportProblem)
    let (events, about) = (Array(session.events), BreathingResult.Session(session))
    if let found = result(events, about) { return found }
    guard let result = result(withMarks(events), about) else {
      throw CommandFailure(
        .badData,
        Phrase(
          """
          \(path.printable) is too short for the exercise: its beats end before the breathing begins. Choose a shorter \
          rest with --before
          """))
    }
    return result
  }

  private func withMarks(_ events: [SessionEvent]) -> [SessionEvent] {
    let guide = ExerciseGuide(course, speed: nil)
    var marked: [SessionEvent] = []
    for event in events {
      marked += guide.marks(before: event) + [event]
      if guide.isOver(at: event.at) { break }
    }
    return marked
  }

  /// The result of an exercise in a session with its marks, if it has marks.
  func result(_ events: [SessionEvent], _ about: BreathingResult.Session) -> BreathingResult? {
    BreathingResult(
      events, of: about, breathing: course.breathing, findsResonance: findsResonance, variability: variability
    )
  }
}

extension BreathingResult.Session {
  /// - Parameter strap: the strap that was found, for a plan without one.
  init(_ plan: SessionPlan, isStored: Bool, _ strap: StrapIdentity?) {
    self.init(
      id: isStored ? plan.id : nil, profile: plan.profile, started: plan.started,
      sensor: ComparedSide.Sensor(source: plan.source, strap: plan.strap ?? strap), settings: plan.settings,
      baseline: plan.baseline)
  }
}
