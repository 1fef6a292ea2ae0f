import HRV
import HeartRate
import Stress
import Terminal

/// Tells a session in sentences, for a screen reader.
struct SpeechPresenter: SessionSink {
  private let output: NonblockingOutput
  private var state = LiveState()
  private var speech: LiveSpeech

  init(_ speech: LiveSpeech, to output: NonblockingOutput) {
    self.speech = speech
    self.output = output
  }

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

  mutating func finish() async throws { try output.finish() }

  private mutating func tell() throws {
    for sentence in speech.sentences(state) { try output.line(sentence) }
  }
}
