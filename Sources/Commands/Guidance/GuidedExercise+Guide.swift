import HeartRate
import History
import Localization
import Platform
import Reports
import Session
import Terminal

extension GuidedExercise {
  /// How an exercise ended. Without a result if it ended before the breathing began.
  struct Outcome: Sendable {
    let result: BreathingResult?
    let end: RunEnd
    let storage: StorageOutcome
    /// The error of the session, such as that of storing it or its result.
    let error: (any Error)?
  }

  /// Guides a person, real or simulated, through the exercise.
  func guide(
    _ setup: SessionSetup, form: GuideDisplay.Form, bell: Bool, output: NonblockingOutput
  ) async throws -> Outcome {
    let guide = ExerciseGuide(course, speed: setup.source.speed)
    let recorder = ExerciseRecorder()
    let display = GuideDisplay(guide, recorder, form: form, bell: bell, to: output)
    let group = try SessionGroup(
      session(setup, guide, recorder), alerts: SessionAlerts(onScreen: display.isOnScreen)
    ) { _ in GuideSink(display: display) }
    let outcome = try await display.showing { try await group.run(until: guide.untilQuit) }
    let member = group.members[0]
    return Outcome(
      result: member.exercise, end: outcome.end, storage: member.storage, error: outcome.failures.first?.error
    )
  }

  /// Measures the exercise in a recording. In a file without marks, the exercise starts at the first beat.
  func result(ofFile path: String) throws -> BreathingResult {
    let opened = try SessionFile(path: path).onlySession(report: reportProblem)
    let (events, session) = (Array(opened.events), BreathingResult.Session(opened))
    if let found = result(events, of: session) ?? result(unmarked: events, of: session) { return found }
    throw CommandFailure(
      .badData,
      Phrase(
        """
        \(path.printable) is too short for the exercise: its beats end before the breathing begins. Choose a shorter \
        rest with --before
        """))
  }
}
