package import HRV
package import HeartRate
package import Motion
package import Stress

/// One step of a session.
///
/// For each event, sinks receive ``upcoming(_:)``, ``event(_:)``, the ``part(_:)`` values that the event consists of, each
/// beat followed by its ``measurement(_:)``, the ``motion(_:)`` values of a sensor frame, ``sensorClass(_:)`` if the event
/// changed it, and last ``processed``.
package enum SessionUpdate {
  /// The event that is processed next. Events that a sink inserts now are processed before it.
  case upcoming(SessionEvent)
  case event(SessionEvent)
  /// A notification, a beat or a gap of the current event.
  case part(BeatStream.Event)
  /// The measurement that the last beat completes.
  case measurement(StressMeasurement)
  /// The type of RR intervals that the sensor sends.
  case sensorClass(SensorClass)
  /// The features of a second of acceleration.
  case motion(MotionSecond)
  /// The event has no further updates, so that sinks can write its results at once.
  case processed
}

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
