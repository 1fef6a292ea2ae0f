import HRV
import HeartRate
import Stress

/// Somewhere a session goes: the screen, a file, the store.
///
/// What fails in one sink is told by it and does not end the session. Only the reader of standard output going away
/// (``OutputError/closedPipe``) does.
protocol SessionSink {
  /// What happened; comes before everything that follows from it.
  mutating func take(_ event: SessionEvent) throws
  /// A part of the last event: a notification, a gap, a beat.
  mutating func take(_ part: BeatStream.Event) throws
  /// What the last beat makes; comes right after it.
  mutating func take(_ measurement: StressMeasurement) throws
  /// What kind of intervals the sensor was found to send; comes last of what follows from an event.
  mutating func take(_ found: SensorClass) throws
  /// The session is over: nothing more comes.
  mutating func finish() async throws
}

extension SessionSink {
  mutating func take(_ part: BeatStream.Event) throws {}
  mutating func take(_ measurement: StressMeasurement) throws {}
  mutating func take(_ found: SensorClass) throws {}
}
