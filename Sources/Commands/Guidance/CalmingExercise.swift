import Breathing
import HRV
import HeartRate
import History
import Localization
import Platform
import Reports
import Session
import Terminal

/// Guides breathing immediately, and measures in the background if a strap responds.
struct CalmingExercise {
  let course: ExerciseCourse
  let speed: Double?
  let form: GuideDisplay.Form
  let bell: Bool
  let style: TerminalStyle
  let output: NonblockingOutput

  /// How long a silent strap may delay the end of the exercise.
  private static let endTimeout = Duration.seconds(2)

  /// - Parameter setup: the session, if there is a strap.
  /// - Returns: How the exercise ended, and the failures of the session. A missing strap is not a failure.
  func run(_ setup: SessionSetup?) async throws -> (end: RunEnd, failures: [CommandFailure]) {
    let guide = ExerciseGuide(course, speed: speed)
    let recorder = ExerciseRecorder()
    let display = GuideDisplay(guide, recorder, form: form, bell: bell, to: output)
    guide.start()
    let measurement = setup.map {
      BackgroundMeasurement(session($0, guide, recorder), guide, recorder, display, noStrap: noStrapNotice)
    }
    let end = try await display.showing {
      try await runUntilInterrupted(until: guide.untilQuit) {
        try await withThrowingTaskGroup(of: Void.self) { group in
          if let measurement { group.addTask { await measurement.run() } }
          try await guide.untilOver()
          // The next event of a strap ends its session; a scan does not end by itself.
          if recorder.hasBeats {
            group.addTask { try await Task.sleep(for: Self.endTimeout) }
            try await group.next()
          }
          group.cancelAll()
        }
      }
    }
    if let member = measurement?.member, member.exercise != nil, member.storage == .stored {
      printDiagnostic(style.localized("Stored. List the exercises with: stressmon history --breathing"))
    }
    return (end, measurement?.failures ?? [])
  }

  /// An exercise without a beat during the breathing has no result.
  private func session(
    _ setup: SessionSetup, _ guide: ExerciseGuide, _ recorder: ExerciseRecorder
  ) -> SessionSetup {
    GuidedExercise(course, variability: .populationDefault)
      .session(setup, guide, recorder) { $0.during.side != nil }
  }

  private var noStrapNotice: String {
    style.localized("No heart rate: the exercise continues without it. Find the cause with: stressmon doctor")
  }
}

/// The session that runs during a calming exercise.
private final class BackgroundMeasurement: Sendable {
  private struct State {
    var member: SessionMember?
    var failures: [CommandFailure] = []
  }

  private let setup: SessionSetup
  private let guide: ExerciseGuide
  private let recorder: ExerciseRecorder
  private let display: GuideDisplay
  private let noStrap: String
  private let state = Locked(State())

  init(
    _ setup: SessionSetup, _ guide: ExerciseGuide, _ recorder: ExerciseRecorder, _ display: GuideDisplay,
    noStrap: String
  ) {
    (self.setup, self.guide, self.recorder, self.display) = (setup, guide, recorder, display)
    self.noStrap = noStrap
  }

  /// Set when the session has started.
  var member: SessionMember? { state.withLock { $0.member } }
  var failures: [CommandFailure] { state.withLock { $0.failures } }

  func run() async {
    do {
      let group = try SessionGroup(setup, alerts: SessionAlerts(onScreen: true)) { [display] _ in
        GuideSink(display: display)
      }
      state.withLock { $0.member = group.members[0] }
      let outcome = try await group.run(until: guide.untilQuit)
      guard let error = outcome.failures.first?.error else { return }
      // A session with beats did not fail for lack of a strap.
      guard recorder.hasBeats, let failure = CommandFailure(error) else { throw error }
      state.withLock { $0.failures.append(failure) }
    } catch OutputError.closedPipe {
      guide.quit()
    } catch {
      display.setNotice(noStrap)
    }
  }
}
