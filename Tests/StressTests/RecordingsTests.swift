import HRV
import HeartRate
import Stress
import TestSupport
import Testing

/// A recording as a strap would have sent it: one notification per RR, arriving at the exact running sum.
private func notifications(_ rr: some Sequence<RRInterval>) -> [SessionEvent] {
  var time = SessionTime.zero
  return rr.map { interval in
    let sent = RRIntervals(gattUnits: [interval.gattUnits])
    time = time + sent[0]
    let value = HeartRateMeasurement(heartRate: 60, contact: .detected, rrIntervals: sent)
    return SessionEvent(at: time, .notification(payload: value.encoded()))
  }
}

private func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }

@Test(.enabled(if: SharedData.isAvailable))
func supineRestIsTrusted() throws {
  let rr = try SharedData.intervals(of: "rest_supine")
  let full = StressEngine.measurements(of: notifications(rr)).filter { $0.time.seconds > 60 }
  let sound = full.filter { ($0.nn.rmssd ?? 0) >= 20 }
  #expect(sound.count > 800)
  let worst = sound.map(\.confidence.value).min() ?? 0
  #expect(worst >= 0.85, "median \(median(sound.map(\.confidence.value)))")
}

@Test(.enabled(if: SharedData.isAvailable))
func atrialFibrillationIsNotTrusted() throws {
  let rr = try SharedData.intervals(of: "afdb03665_af")
  let full = StressEngine.measurements(of: notifications(rr), baseline: .mature).filter {
    $0.time.seconds > 60
  }
  #expect(median(full.map(\.confidence.value)) < 0.2)
}
