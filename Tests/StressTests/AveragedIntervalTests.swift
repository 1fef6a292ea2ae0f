import HRV
import HeartRate
import TestSupport
import Testing

@testable import Stress

/// The classes of a series after each interval.
private func classes(_ intervals: [RRInterval]) -> [SensorClass?] {
  var classifier = SensorClassifier()
  var (time, followsBreak) = (SessionTime.zero, true)
  return intervals.map { rr in
    time = time + rr
    let isGap = rr.milliseconds > 3000
    classifier.append(
      Beat(end: time, rr: rr, verdict: isGap ? .gap : .normal, followsBreak: followsBreak))
    followsBreak = isGap
    return classifier.sensorClass
  }
}

@Test("Paced breathing is classified as smoothed in at most one of ten hearts", arguments: [1.0, 2, 3, 5, 8])
func pacedBreathing(noise: Double) {
  let found = (0..<10).count { seed in
    classes(PacedHeart(noise: noise).intervals(500, seed: seed)).contains(.smoothed)
  }
  #expect(found <= 1)
}

@Test(
  "Fewer than one in a thousand beats of straps that send every interval is classified as smoothed",
  arguments: [SharedData.Directory.wearer, .tasks, .labelled])
func honestStraps(_ directory: SharedData.Directory) throws {
  // The watch of this file repeats intervals up to seven times in 441 beats, which is detected.
  let names = try SharedData.recordingNames(in: directory).filter { $0 != "vollmer_rs800_2h38" }
  let found = try names.map { classes(try SharedData.intervals(of: $0, in: directory)) }
  let beats = found.reduce(0) { $0 + $1.count }
  let smoothed = found.reduce(0) { $0 + $1.count { $0 == .smoothed } }
  #expect(1000 * smoothed <= beats)
}

@Test(
  "Averages that are not detected yet have a lower confidence", .enabled(if: SharedData.isAvailable),
  arguments: ["rest_supine", "h10_walk_run"], [2, 3, 4, 5, 8])
func undetectedAverages(_ name: String, count: Int) throws {
  let rr = Array(try SharedData.intervals(of: name).prefix(600))
  let windows = StressEngine.measurements(of: SentIntervals.averaged(over: count, rr), baseline: .mature)
    .filter { $0.time.seconds > 60 }
  let trusted = windows.count { $0.score != nil && $0.confidence[.sensor] == 1 }
  #expect(10 * trusted <= windows.count, "\(trusted) of \(windows.count)")
}

@Test("The sensor factor is 0.9 while intervals could be averages, and 1 for beat-to-beat intervals")
func sensorFactorOfUnknownIntervals() throws {
  func factors(_ rr: [RRInterval]) -> [Double?] {
    var session = Session()
    for interval in rr { session.notify(interval.gattUnits) }
    return StressEngine.measurements(of: session.events, baseline: .mature)
      .filter { $0.sensorClass != .smoothed }.suffix(100).map { $0.confidence[.sensor] }
  }
  #expect(factors(PacedHeart(noise: 25).intervals(300, seed: 1)).allSatisfy { $0 == 1 })
  #expect(factors(PacedHeart(noise: 1).intervals(300, seed: 1)).contains(0.9))
}

@Test("Jumps without a window to evaluate leave the class beat-to-beat after 96 differences")
func jumpsOnly() {
  // Two long and two short intervals in turn: no single interval stands alone, and no run is long enough.
  let rr = (0..<120).compactMap { place -> RRInterval? in
    let level = place / 2 % 2 == 0 ? 700 : 1000
    return RRInterval(milliseconds: Double(level + place * 7 % 11))
  }
  let found = classes(rr)
  #expect(found[95] == nil && found[97] == .beatToBeat)
}
