import HRV
import HeartRate
import Stress
import Terminal

/// Tells a session in sentences, for a screen reader.
struct SpeechPresenter: SessionSink {
  private let output = StandardOutput()
  private var state = LiveState()
  private var speech: LiveSpeech

  init(_ speech: LiveSpeech) { self.speech = speech }

  mutating func take(_ event: SessionEvent) throws {
    state.update(event)
    try tell()
  }

  mutating func take(_ part: BeatStream.Event) throws { state.update(part) }

  mutating func take(_ measurement: StressMeasurement) throws {
    state.update(measurement)
    try tell()
  }

  mutating func take(_ found: SensorClass) throws {
    state.update(found)
    try tell()
  }

  mutating func finish() async throws {}

  private mutating func tell() throws {
    for sentence in speech.sentences(state) { try output.line(sentence) }
  }
}
