import HRV
import HeartRate
package import History
import LiveSession
import Platform
package import Reports
package import Stress

/// Runs the session of a guided morning reading, which ends when its last part is complete.
package struct MorningSession: Sendable {
  package struct Outcome: Sendable {
    /// Absent without a beat.
    package let result: MorningResult?
    package let end: RunEnd
    package let storage: StorageOutcome
    /// The error of the session, such as that of storing it or its result.
    package let error: (any Error)?
  }

  package typealias MakeDisplay = @Sendable (MorningProgress) -> any SessionSink

  private let course: MorningCourse
  private let setup: SessionSetup

  /// The simulated person, if any, sits still, and stands during the second part of an orthostatic reading.
  package init(_ course: MorningCourse, _ setup: SessionSetup) {
    self.course = course
    var setup = setup
    setup.duration = course.total * 2 + .seconds(60)
    // The first beat arrives a few seconds after the start.
    setup.expectedLength = course.total + .seconds(5)
    setup.reading = Reading(length: course.length)
    setup.source.simulateMorning(course)
    self.setup = setup
  }

  /// - Parameters:
  ///   - quit: Returns when the user ends the reading.
  ///   - display: Creates the sink that displays the reading.
  /// - Throws: Errors of the preparation, such as `MeasurementLock.Conflict`; errors of waiting for signals.
  package func run(
    alerts: SessionAlerts, until quit: (@Sendable () async -> Void)? = nil,
    display: @escaping MakeDisplay
  ) async throws -> Outcome {
    let progress = MorningProgress(course)
    var setup = setup
    setup.result = { [course] plan, isStored in
      let session = BreathingResult.Session(plan, isStored: isStored, nil)
      return progress.firstBeat.map {
        .morning(MorningResult(progress.events, from: $0, course, of: session))
      }
    }
    let reading = setup.reading
    let group = try SessionGroup(setup, alerts: alerts) { _ in
      MorningSink(progress: progress, reading: reading, display: display(progress))
    }
    let outcome = try await group.run(until: quit)
    let member = group.members[0]
    return Outcome(
      result: member.morning, end: outcome.end, storage: member.storage, error: outcome.failures.first?.error)
  }
}

/// The events of a morning reading so far, and its stage. Thread-safe.
package final class MorningProgress: Sendable {
  private struct State {
    var events: [SessionEvent] = []
    var firstBeat: SessionTime?
    var now = SessionTime.zero
  }

  private let course: MorningCourse
  private let state = Locked(State())

  init(_ course: MorningCourse) { self.course = course }

  var events: [SessionEvent] { state.withLock { $0.events } }
  /// End of the first beat.
  var firstBeat: SessionTime? { state.withLock { $0.firstBeat } }

  /// The stage at the time of the latest event.
  package var stage: MorningCourse.Stage {
    state.withLock { course.stage(at: $0.now, from: $0.firstBeat) }
  }

  fileprivate func update(_ update: SessionUpdate) {
    state.withLock { state in
      switch update {
      case .event(let event):
        state.events.append(event)
        state.now = max(state.now, event.at)
      case .part(.beat(let beat)): state.firstBeat = state.firstBeat ?? beat.end
      case .upcoming, .part, .measurement, .sensorClass, .motion, .ecg, .notice, .processed: break
      }
    }
  }
}

/// Collects the events, and ends the session after the last part.
private struct MorningSink: FinishingSink {
  let progress: MorningProgress
  let reading: Reading?
  var display: any SessionSink

  mutating func receive(_ update: SessionUpdate) -> SinkDecision {
    progress.update(update)
    switch update {
    case .measurement(let measurement): reading?.update(measurement)
    case .sensorClass(let found): reading?.update(found)
    case .event, .upcoming, .part, .motion, .ecg, .notice, .processed: break
    }
    let decision = display.receive(update)
    guard case .proceed = decision, case .event = update, progress.stage == .over else { return decision }
    return .stop(.complete)
  }

  mutating func finish() async throws {
    if var display = display as? any FinishingSink { try await display.finish() }
  }
}
