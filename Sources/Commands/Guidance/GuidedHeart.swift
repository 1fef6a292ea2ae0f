import Breathing
import HRV
import HeartRate
import Stress
import Synchronization
import Terminal

/// What the heart does during an exercise, for those who show it, and all that came, for the result.
final class GuidedHeart: Sendable {
  private struct State {
    var live = LiveState()
    var events: [SessionEvent] = []
    var beats: [Beat] = []
    var coherence: BreathCoherence?
    var nextCoherence = SessionTime.zero
  }

  private let state: Mutex<State>

  /// - Parameters:
  ///   - live: What is on show before it begins.
  ///   - events: What came before it in the same session.
  init(live: LiveState = LiveState(), events: [SessionEvent] = []) {
    state = Mutex(State(live: live, events: events))
  }

  var live: LiveState { state.withLock { $0.live } }
  var coherence: BreathCoherence? { state.withLock { $0.coherence } }
  var events: [SessionEvent] { state.withLock { $0.events } }

  func take(_ event: SessionEvent) {
    state.withLock { state in
      state.live.update(event)
      state.events.append(event)
      guard event.at >= state.nextCoherence else { return }
      state.nextCoherence = SessionTime(ticks: event.at.ticks + RRInterval.ticksPerSecond)
      state.coherence = Self.coherence(state, at: event.at)
    }
  }

  func take(_ part: BeatStream.Event) {
    state.withLock { state in
      state.live.update(part)
      if case .beat(let beat) = part { state.beats.append(beat) }
    }
  }

  func take(_ measurement: StressMeasurement) { state.withLock { $0.live.update(measurement) } }
  func take(_ found: SensorClass) { state.withLock { $0.live.update(found) } }

  /// Of the last minute of the breathing that goes on; provisional, as the verdicts of its beats are.
  private static func coherence(_ state: borrowing State, at time: SessionTime) -> BreathCoherence? {
    guard let times = ExerciseTimes(state.events), !times.isWhole, let last = times.stretches.last else {
      return nil
    }
    let start = max(last.times.lowerBound, SessionTime(ticks: time.ticks - 70 * RRInterval.ticksPerSecond))
    guard start < time else { return nil }
    let recent = ExerciseTimes.Stretch(pattern: last.pattern, times: start..<time)
    return BreathCoherence([PacedBeats(state.beats, in: recent, pauses: times.pauses)])
  }
}

/// Hands a session to those who lead and show an exercise.
struct GuideSink: SessionSink {
  let heart: GuidedHeart
  let display: GuideDisplay?

  mutating func take(_ event: SessionEvent) throws {
    heart.take(event)
    try display?.show()
  }

  mutating func take(_ part: BeatStream.Event) throws { heart.take(part) }
  mutating func take(_ measurement: StressMeasurement) throws { heart.take(measurement) }
  mutating func take(_ found: SensorClass) throws { heart.take(found) }
  mutating func finish() async throws {}
}
