import HRV
import HeartRate
import Stress
import TestSupport
import Testing

/// Returns the windows with a stress value within `seconds` of a session with `rr`.
private func windows(
  _ rr: [RRInterval], within seconds: ClosedRange<Double> = 0...86_400, baseline: Baseline = .mature
) -> [StressMeasurement] {
  var engine = StressEngine(baseline: baseline)
  var end = SessionTime.zero
  var windows: [StressMeasurement] = []
  for interval in rr {
    end = end + interval
    engine.update(SessionEvent(at: end, .interval(interval))) { measurement in
      if measurement.score != nil, seconds.contains(measurement.time.seconds) { windows.append(measurement) }
    }
  }
  return windows
}

private func percent(_ windows: [StressMeasurement], where isCounted: (Confidence) -> Bool) -> Double {
  100 * Double(windows.count { isCounted($0.confidence) }) / Double(max(1, windows.count))
}

private func isNotRest(_ confidence: Confidence) -> Bool {
  confidence.indicatesExertion || confidence.value < 0.5
}

private let baselines = [
  Baseline.populationDefault, .mature,
  Baseline(rmssd: 45, sdnn: 50, restingHeartRate: 55, days: 30, origin: .learned),
]

@Test(
  "At least 90 % of the windows during walking and running are in motion or have a low confidence",
  .enabled(if: SharedData.isAvailable), arguments: baselines)
private func walkingAndRunning(_ baseline: Baseline) throws {
  struct Run: Decodable { var rrMs: [Double] }
  let run = try SharedData.json("../fit/stryd_run_70min.expected.json", as: Run.self)
  let walk = try SharedData.intervals(of: "h10_walk_run")
  #expect(
    percent(
      windows(run.rrMs.compactMap(RRInterval.init(milliseconds:)), baseline: baseline), where: isNotRest) > 99
  )
  #expect(percent(windows(walk, baseline: baseline), where: isNotRest) >= 90)
  #expect(percent(windows(walk, within: 0...5100, baseline: baseline), where: \.indicatesExertion) >= 90)
}

@Test(
  "At least 90 % of the windows during cycling are in motion, and none of the rest before it",
  .enabled(if: SharedData.isAvailable), arguments: baselines)
private func cycling(_ baseline: Baseline) throws {
  let rr = try SharedData.intervals(of: "exercise_ectopics")
  let (rest, ride) = (windows(rr, within: 0...170), windows(rr, within: 175...2010, baseline: baseline))
  #expect(percent(rest, where: \.indicatesExertion) == 0)
  #expect(percent(ride, where: \.indicatesExertion) >= 90)
}

@Test(
  "At most 2 % of the windows at rest are in motion", .enabled(if: SharedData.isAvailable),
  arguments: ["rest_supine", "mitdb100_apc"], baselines)
private func restIsNotMotion(_ name: String, _ baseline: Baseline) throws {
  let windows = windows(try SharedData.intervals(of: name), baseline: baseline)
  #expect(percent(windows, where: \.indicatesExertion) <= 2)
}

@Test(
  "At most 2 % of the windows in the six hours of lowest heart rate are in motion",
  .enabled(if: SharedData.isAvailable),
  arguments: [("nsr001_24h", 49_742.0), ("../holter/nsr009_24h", 62_718)])
private func nightIsNotMotion(_ name: String, from start: Double) throws {
  let windows = windows(try SharedData.intervals(of: name), within: start...(start + 21_600))
  #expect(percent(windows, where: \.indicatesExertion) <= 2)
}

@Test("Windows in motion are not resting windows") func motionIsNotRest() {
  var random = SeededGenerator(seed: 2)
  var session = Session()
  for beat in 0..<1200 {
    let middle = beat < 240 ? 950 : 580
    session.notify(UInt16(middle + Int.random(in: -30...30, using: &random)))
  }
  var observer = RestObserver()
  var found: [RestingWindow] = []
  for event in session.events { observer.update(event) { found.append($0) } }
  #expect(!found.isEmpty)
  #expect(found.allSatisfy { $0.heartRate < 70 })
}
