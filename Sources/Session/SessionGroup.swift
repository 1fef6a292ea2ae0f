import History
import Platform
import Strap

/// Runs the sessions of one run, one per strap. One strap is a group of one.
///
///     let simulated = SimulatedSource(seed: 7, pace: .maximum)
///     var setup = SessionSetup(profile: "me", source: .simulated(simulated), settings: StressEngine.Settings())
///     setup.duration = .seconds(300)
///     let alerts = SessionAlerts(print: { print($0) }, warning: { print($0) })
///     let group = try SessionGroup(setup, alerts: alerts) { _ in ScorePrinter() }  // a SessionSink
///     let outcome = try await group.run()
///     for failure in outcome.failures { print(failure.error) }
///
/// A failure in one session does not affect the others; a ``RunEndingError`` ends all of them.
package struct SessionGroup: Sendable {
  package let members: [SessionMember]

  /// Opens files and acquires locks before scanning. Configuration errors are reported immediately.
  /// - Parameters:
  ///   - alerts: one for each setup.
  ///   - display: creates the sink that displays the session at an index.
  /// - Throws: `MeasurementLock.Conflict`, `FileError`, ``SessionError``.
  package init(
    _ setups: [SessionSetup], alerts: [SessionAlerts],
    display: @escaping @Sendable (Int, SessionPlan) -> any SessionSink
  ) throws {
    let locks = MeasurementLocks(location: setups.first?.history, alerts: alerts[0])
    let radio = RadioArbiter()
    members = try setups.indices.map { index in
      var setup = setups[index]
      setup.source.use(radio)
      return try SessionMember(setup, locks: locks, alerts: alerts[index]) { display(index, $0) }
    }
  }

  /// Prepares one session.
  package init(
    _ setup: SessionSetup, alerts: SessionAlerts, display: @escaping SessionMember.MakeDisplay
  ) throws {
    try self.init([setup], alerts: [alerts]) { _, plan in display(plan) }
  }

  /// Runs all sessions until their sources have ended, their duration is over, `quit` returns, or a signal arrives.
  /// - Parameter onFailure: called when a session fails, while the others continue.
  /// - Throws: A ``RunEndingError``, and errors of waiting for signals.
  package func run(
    until quit: (@Sendable () async -> Void)? = nil,
    onFailure: @escaping @Sendable (SessionFailure) -> Void = { _ in }
  ) async throws -> SessionOutcome {
    let failures = FailureList(onFailure)
    let sessions = members.map(\.plan.id)
    let end = try await runUntilInterrupted(limit: members[0].setup.limit, until: quit) {
      try await withThrowingTaskGroup { group in
        for (index, member) in members.enumerated() {
          group.addTask { try await failures.catching(index) { try await member.run(sessions) } }
        }
        try await group.waitForAll()
      }
    }
    for (index, member) in members.enumerated() where !failures.contains(index) {
      member.updateBaseline()
      if let error = member.missingData(end) { failures.append(error, index, isEnding: true) }
    }
    return SessionOutcome(end: end, failures: failures.all)
  }
}

/// An error that can end all sessions of a run, such as standard output that nothing reads.
package protocol RunEndingError: Error {
  var endsRun: Bool { get }
}

/// How a run ended.
package struct SessionOutcome: Sendable {
  package let end: RunEnd
  /// In the order in which they occurred.
  package let failures: [SessionFailure]
}

/// The failure of one session of a run.
package struct SessionFailure: Sendable {
  /// Index of the session in ``SessionGroup/members``.
  package let index: Int
  package let error: any Error
  /// Whether the run was ending already.
  package let occurredAtEnd: Bool
}

private final class FailureList: Sendable {
  private let failures = Locked<[SessionFailure]>([])
  private let onFailure: @Sendable (SessionFailure) -> Void

  init(_ onFailure: @escaping @Sendable (SessionFailure) -> Void) { self.onFailure = onFailure }

  var all: [SessionFailure] { failures.withLock { $0 } }

  func contains(_ index: Int) -> Bool { all.contains { $0.index == index } }

  func append(_ error: any Error, _ index: Int, isEnding: Bool) {
    let failure = SessionFailure(index: index, error: error, occurredAtEnd: isEnding)
    failures.withLock { $0.append(failure) }
    onFailure(failure)
  }

  func catching(_ index: Int, _ body: () async throws -> Void) async throws {
    do {
      try await body()
    } catch let error as any RunEndingError where error.endsRun {
      throw error
    } catch {
      append(error, index, isEnding: Task.isCancelled)
    }
  }
}
