package import Breathing
import HRV
package import HeartRate
import LiveSession
import Platform
import Stress

/// Collects what happens during an exercise: the events, which its result is computed from, and the coherence of the last
/// minute.
package final class ExerciseRecorder: Sendable {
  private struct State {
    var events: [SessionEvent]
    var beats: [Beat] = []
    var strap: StrapIdentity?
    var coherence: BreathCoherence?
    var nextCoherence = SessionTime.zero
  }

  private let state: Locked<State>

  /// - Parameter events: the events before the exercise in the same session.
  package init(events: [SessionEvent] = []) { state = Locked(State(events: events)) }

  package var events: [SessionEvent] { state.withLock { $0.events } }
  package var hasBeats: Bool { state.withLock { !$0.beats.isEmpty } }
  /// The strap of the last link event.
  package var strap: StrapIdentity? { state.withLock { $0.strap } }
  /// Coherence of the last minute of paced breathing; provisional, as the verdicts of its beats are.
  package var coherence: BreathCoherence? { state.withLock { $0.coherence } }

  func receive(_ update: SessionUpdate) {
    switch update {
    case .event(let event): append(event)
    case .part(.beat(let beat)): state.withLock { $0.beats.append(beat) }
    case .upcoming, .part, .measurement, .sensorClass, .motion, .ecg, .notice, .processed: break
    }
  }

  private func append(_ event: SessionEvent) {
    state.withLock { state in
      state.events.append(event)
      if case .link(let change) = event.kind { state.strap = change.strap ?? state.strap }
      guard event.at >= state.nextCoherence else { return }
      state.nextCoherence = SessionTime(ticks: event.at.ticks + RRInterval.ticksPerSecond)
      state.coherence = Self.coherence(state, at: event.at)
    }
  }

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
