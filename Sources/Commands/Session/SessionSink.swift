import HeartRate
import Stress

/// Somewhere a session goes: the screen, a file, the store.
///
/// What fails in one sink is told by it and does not end the session. Only the reader of standard output going away
/// (``ClosedPipe``) does.
protocol SessionSink {
  /// What happened; comes before everything that follows from it.
  mutating func take(_ event: SessionEvent) throws
  /// What the engine made of the last event.
  mutating func take(_ output: StressEngine.Event) throws
  /// The session is over: nothing more comes.
  mutating func finish() async throws
}
