package import LiveSession

/// Whether the session continues after an update.
package enum SinkDecision {
  case proceed
  /// Ends the session once every sink has received all updates of the current event.
  case stop(StopReason)
}

/// Why a sink ends the session.
package enum StopReason {
  /// The purpose of the session is fulfilled, such as a reading that is complete.
  case complete
  /// The session cannot continue: its strap is locked by another process, or nothing reads its output.
  case failed(any Error)
}

/// A destination of session updates: a display, a file, the store.
///
///     struct ScorePrinter: SessionSink {
///       mutating func receive(_ update: SessionUpdate) -> SinkDecision {
///         if case .measurement(let measurement) = update { print(measurement.score?.value ?? .nan) }
///         return .proceed
///       }
///     }
///
/// A sink that can continue after an error, such as a store whose disk is full, reports the error through
/// ``SessionAlerts``, retries, and returns ``SinkDecision/proceed``. The other sinks are not affected.
package protocol SessionSink {
  /// Processes an update. Runs on the thread of the events, so it must not block.
  mutating func receive(_ update: SessionUpdate) -> SinkDecision
}

/// A sink that owns a resource, such as a file, that is completed when the session ends.
package protocol FinishingSink: SessionSink {
  /// Completes the resource. Called once, after the last update, also if the session failed.
  /// - Throws: The error that remains, such as data that could not be stored.
  mutating func finish() async throws
}

extension SinkDecision {
  /// Runs `body`; an error ends the session.
  package static func stopping(onErrorOf body: () throws -> Void) -> SinkDecision {
    do {
      try body()
      return .proceed
    } catch {
      return .stop(.failed(error))
    }
  }
}
