import HRV
package import HeartRate
package import History
import LiveSession
import Platform
import Stress

/// Runs a session overnight, and finds its nights at the end. Memory grows by one `NightMinute` per minute.
package struct NightSession: Sendable {
  package struct Outcome: Sendable {
    /// Absent without a beat.
    package let nights: SessionNights?
    package let plan: SessionPlan
    package let end: RunEnd
    package let storage: StorageOutcome
    /// The error of the session, such as that of storing it or its nights.
    package let error: (any Error)?
  }

  package typealias MakeDisplay = @Sendable (NightProgress) -> any SessionSink

  private let setup: SessionSetup

  package init(_ setup: SessionSetup) {
    var setup = setup
    setup.requiresData = true
    // The simulated person, if any, rests.
    setup.source.simulateMorning(MorningCourse(posture: .lying, length: .seconds(60)))
    self.setup = setup
  }

  /// - Parameters:
  ///   - quit: Returns when the user ends the session.
  ///   - display: Creates the sink that displays the session.
  /// - Throws: Errors of the preparation, such as `MeasurementLock.Conflict`; errors of waiting for signals.
  package func run(
    alerts: SessionAlerts, until quit: (@Sendable () async -> Void)? = nil, display: @escaping MakeDisplay
  ) async throws -> Outcome {
    let progress = NightProgress()
    var setup = setup
    setup.result = { plan, _ in progress.nights(of: plan.info).map(SessionResult.night) }
    let group = try SessionGroup(setup, alerts: alerts) { _ in
      NightSink(progress: progress, display: display(progress))
    }
    let outcome = try await group.run(until: quit)
    let member = group.members[0]
    return Outcome(
      nights: member.nights, plan: member.plan, end: outcome.end, storage: member.storage,
      error: outcome.failures.first?.error)
  }
}

/// What an overnight session has received so far. Thread-safe.
package final class NightProgress: Sendable {
  /// The values of the display.
  package struct Values: Sendable {
    package var heartRate: UInt16?
    package var battery: BatteryLevel?
    /// Whether notifications arrive.
    package var isConnected = false
    package var now = SessionTime.zero
  }

  private struct State {
    var observer = NightObserver()
    var values = Values()
    var hasBeats = false
  }

  private let state = Locked(State())

  package var values: Values { state.withLock { $0.values } }

  /// The nights of the events so far. Absent without a beat.
  func nights(of info: SessionInfo) -> SessionNights? {
    state.withLock { state in
      guard state.hasBeats else { return nil }
      state.observer.finish()
      return SessionNights(state.observer, of: info, isIntended: true)
    }
  }

  fileprivate func update(_ update: SessionUpdate) {
    state.withLock { state in
      switch update {
      case .event(let event):
        state.observer.update(event)
        state.values.now = max(state.values.now, event.at)
        if case .battery(let level) = event.kind { state.values.battery = level }
        if case .link(let change) = event.kind { state.values.isConnected = change.state == .connected }
      case .part(.notification(let notification)):
        state.values.heartRate = notification.heartRate
        state.values.isConnected = true
      case .part(.beat): state.hasBeats = true
      case .upcoming, .part, .measurement, .sensorClass, .motion, .ecg, .notice, .processed: break
      }
    }
  }
}

private struct NightSink: FinishingSink {
  let progress: NightProgress
  var display: any SessionSink

  mutating func receive(_ update: SessionUpdate) -> SinkDecision {
    progress.update(update)
    return display.receive(update)
  }

  mutating func finish() async throws {
    if var display = display as? any FinishingSink { try await display.finish() }
  }
}
