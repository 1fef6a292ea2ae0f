import HRV
import HeartRate
import Stress
import Terminal
import TestSupport
import Testing

func liveState(beats: [Double], then more: [SessionEvent] = []) -> LiveState {
  played(beats: beats, then: more).state
}

/// The measurement of the engine after the beats, if there is one.
func lastMeasurement(beats: [Double]) -> StressMeasurement? { played(beats: beats, then: []).last }

private func played(beats: [Double], then more: [SessionEvent]) -> (
  state: LiveState, last: StressMeasurement?
) {
  var state = LiveState()
  var last: StressMeasurement?
  var engine = StressEngine()
  let strap = StrapIdentity(address: "C0:FF:EE:00:00:01", name: "Polar H10")
  var time = SessionTime(seconds: 1) ?? .zero
  var events = [
    SessionEvent(at: time, .link(LinkChange(.connected, strap: strap))),
    SessionEvent(at: time, .battery(BatteryLevel(percent: 80)!)),
  ]
  for beat in beats {
    let rr = RRInterval(milliseconds: beat)!
    time = time + rr
    let measurement = HeartRateMeasurement(
      heartRate: 60, contact: .detected, rrIntervals: RRIntervals(gattUnits: [rr.gattUnits]))
    events.append(SessionEvent(at: time, .notification(payload: measurement.encoded())))
  }
  for event in events + more {
    state.update(event)
    engine.update(event) {
      state.update($0)
    } measured: {
      state.update($0)
      last = $0
    }
  }
  return (state, last)
}

let restingBeats = (0..<80).map { 950 + Double($0 % 5) * 20 }
let plainScreen = LiveScreen(
  style: .plain, footer: "Kept in x.db. Ctrl-C ends the session.")
