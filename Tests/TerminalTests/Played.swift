import HeartRate
import Stress
import Terminal
import TestSupport

/// A synthetic session, event by event, as a live view receives it.
struct Played {
  private(set) var state = LiveState()
  private(set) var summary = SessionSummary()
  private var engine = StressEngine()
  private(set) var time = SessionTime.zero

  /// - Parameter seen: Called whenever a view would draw the state.
  mutating func update(_ kind: SessionEvent.Kind, seen: (LiveState) -> Void = { _ in }) {
    let event = SessionEvent(at: time, kind)
    state.update(event)
    summary.update(event)
    seen(state)
    let known = engine.sensorClass
    engine.update(event) {
      state.update($0)
      summary.update($0)
    } measured: {
      state.update($0)
      summary.update($0)
      seen(state)
    }
    if let found = engine.sensorClass, found != known {
      state.update(found)
      summary.update(found)
      seen(state)
    }
  }

  /// Adds beats for `seconds`, around `mean` ms; successive beats differ by `spread`.
  mutating func beat(
    seconds: Double, mean: Double, spread: Double, contact: SensorContact = .detected,
    seen: (LiveState) -> Void = { _ in }
  ) {
    let end = time.seconds + seconds
    var count = 0
    while time.seconds < end,
      let rr = RRInterval(milliseconds: SteppedIntervals.interval(count, mean: mean, step: spread))
    {
      count += 1
      time = time + rr
      let measurement = HeartRateMeasurement(
        heartRate: UInt16(60_000 / rr.milliseconds), contact: contact,
        rrIntervals: RRIntervals(gattUnits: [rr.gattUnits]))
      update(.notification(payload: measurement.encoded()), seen: seen)
    }
  }

  /// Adds time without events.
  mutating func wait(seconds: Double) {
    if let pause = RRInterval(milliseconds: seconds * 1000) { time = time + pause }
  }
}
