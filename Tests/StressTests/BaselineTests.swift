import HRV
import HeartRate
import RealModule
import Stress
import TestSupport
import Testing

private func window(rmssd: Double, sdnn: Double = 50, heartRate: Double = 58) -> RestingWindow {
  RestingWindow(time: .zero, heartRate: heartRate, rmssd: rmssd, sdnn: sdnn)
}

/// An estimator with one of `windows` per day.
private func learner(_ windows: [RestingWindow]) -> BaselineEstimator {
  var learner = BaselineEstimator()
  for (day, window) in windows.enumerated() { learner.append(window, day: 20_000 + day) }
  return learner
}

private func learner(_ rmssd: [Double], heartRate: Double = 58) -> BaselineEstimator {
  learner(rmssd.map { window(rmssd: $0, heartRate: heartRate) })
}

@Test("Without windows the baseline is the population default") func noWindows() {
  #expect(BaselineEstimator().evidence == nil && BaselineEstimator().baseline == .populationDefault)
}

@Test(
  "The estimate is blended with the population default by the number of days",
  arguments: [(1, 51.0 / 30), (12, 12 * 51.0 / 30), (30, 51), (45, 51)] as [(Int, Double)])
func blends(days: Int, above: Double) throws {
  let learner = learner(Array(repeating: 101, count: days), heartRate: 50)
  let baseline = learner.baseline
  #expect(abs(baseline.rmssd - (50 + above)) < 1e-9 && baseline.origin == .learned)
  #expect(baseline.days == Double(min(days, 30)))
  #expect(abs(baseline.restingHeartRate - (60 - 10 * min(1, Double(days) / 30))) < 1e-9)
  #expect(abs(baseline.sdnn - 50) < 1e-9)
  #expect(try #require(learner.evidence).maturity == min(1, Double(days) / 30))
}

@Test("RMSSD and SDNN are estimated independently") func independentMetrics() {
  var learner = BaselineEstimator()
  for day in 0..<30 { learner.append(window(rmssd: 30, sdnn: 70), day: day) }
  #expect(abs(learner.baseline.rmssd - 30) < 1e-9 && abs(learner.baseline.sdnn - 70) < 1e-9)
}

@Test("Only the newest 30 days count") func newestDays() throws {
  let learner = learner(Array(repeating: 20, count: 30) + Array(repeating: 80, count: 30))
  #expect(abs(learner.baseline.rmssd - 80) < 1e-9)
  #expect(try #require(learner.evidence).span == 20_030...20_059)
}

@Test("Days more than 90 days before the newest do not count") func oldDays() {
  var learner = learner([20, 20, 20])
  learner.append(window(rmssd: 80), day: 20_002 + 90)
  #expect(learner.evidence?.days == 1)
}

@Test("A day is the median of its windows with a low heart rate") func medianOfDay() throws {
  var learner = BaselineEstimator()
  for rmssd in [40, 42, 44, 200.0] { learner.append(window(rmssd: rmssd), day: 1) }
  for _ in 0..<2 { learner.append(window(rmssd: 10, heartRate: 90), day: 1) }
  let evidence = try #require(learner.evidence)
  #expect(evidence.windows == 4 && abs(evidence.rmssd.value - (42 * 44.0).squareRoot()) < 1e-9)
}

@Test("A day with a high heart rate is ignored") func dayWithoutRest() {
  var learner = learner([40, 40, 40, 40])
  learner.append(window(rmssd: 8, heartRate: 95), day: 20_004)
  #expect(learner.evidence?.days == 4)
}

@Test("The normal range is one standard deviation on each side of the value") func normalRange() throws {
  let usual = try #require(learner([30, 40, 50, 60, 70]).evidence).rmssd
  let range = try #require(usual.normalRange)
  #expect(range.contains(usual.value) && range.lowerBound > 30 && range.upperBound < 80)
  #expect(abs(range.lowerBound * range.upperBound - usual.value * usual.value) < 1e-6)
  #expect(learner([30, 40, 50, 60]).evidence?.rmssd.normalRange == nil)
}

@Test("The baseline does not depend on the order of the windows") func orderOfWindows() {
  for seed in 0..<50 as Range<UInt64> {
    var random = SeededGenerator(seed: seed)
    var windows = (0..<60).map { _ in
      (
        window(rmssd: .random(in: 10...100, using: &random), heartRate: .random(in: 50...70, using: &random)),
        Int.random(in: 0...40, using: &random)
      )
    }
    var first = BaselineEstimator()
    for (window, day) in windows { first.append(window, day: day) }
    windows.shuffle(using: &random)
    var second = BaselineEstimator()
    for (window, day) in windows { second.append(window, day: day) }
    #expect(first.evidence == second.evidence)
  }
}

@Test("One outlier day changes the baseline by at most 2 / n of the range of the others")
func outlierDay() throws {
  for seed in 0..<500 as Range<UInt64> {
    var random = SeededGenerator(seed: seed)
    let count = Int.random(in: 5...30, using: &random)
    let days = (0..<count).map { _ in
      window(
        rmssd: .random(in: 35...55, using: &random), sdnn: .random(in: 40...80, using: &random),
        heartRate: .random(in: 55...65, using: &random))
    }
    let before = try #require(learner(days).evidence)
    let place = Int.random(in: 0..<count, using: &random)
    var others = days
    others.remove(at: place)
    for (hrv, heartRate) in [(1e-3, 60), (5, 180), (300, 30), (1e6, 60.0)] {
      var outlierDays = days
      outlierDays[place] = window(rmssd: hrv, sdnn: hrv, heartRate: heartRate)
      let after = try #require(learner(outlierDays).evidence)
      func expectSmall(_ name: String, _ before: Double, _ after: Double, _ others: [Double]) {
        let bound = 2 / Double(count) * ((others.max() ?? 0) - (others.min() ?? 0))
        #expect(abs(after - before) <= bound + 1e-12, "seed \(seed), \(count) days, \(name) \(hrv) ms")
      }
      expectSmall(
        "RMSSD", .log(before.rmssd.value), .log(after.rmssd.value), others.map { .log($0.rmssd) })
      expectSmall("SDNN", .log(before.sdnn.value), .log(after.sdnn.value), others.map { .log($0.sdnn) })
      expectSmall("HR", before.restingHeartRate, after.restingHeartRate, others.map(\.heartRate))
      if count >= 10 { #expect(abs(after.rmssd.value / before.rmssd.value - 1) < 0.1) }
    }
  }
}

// MARK: - Resting windows

private func rest(of session: Session) -> [RestingWindow] {
  var observer = RestObserver()
  var windows: [RestingWindow] = []
  for event in session.events { observer.update(event) { windows.append($0) } }
  return windows
}

@Test("Resting windows are non-overlapping minutes") func restingMinutes() throws {
  let windows = rest(of: .rest(beats: 425))
  #expect(windows.count == 6)
  for (first, second) in zip(windows, windows.dropFirst()) {
    #expect(second.time.ticks - first.time.ticks >= 58 * RRInterval.ticksPerSecond)
  }
  #expect(windows.allSatisfy { (68...74).contains($0.heartRate) && $0.rmssd > 20 })
}

@Test("One minute of rest gives one resting window") func oneRestingMinute() {
  #expect(rest(of: .rest(beats: 71)).count == 1)
}

@Test("A heart rate with a trend is not rest") func heartRateTrend() {
  var session = Session()
  for beat in 0..<300 { session.notify(UInt16(600 + 2 * beat + beat % 2 * 8)) }
  #expect(rest(of: session).isEmpty)
}

@Test("A heart rate above 110 bpm is not rest") func fastHeartRate() {
  var session = Session()
  for beat in 0..<300 { session.notify(UInt16(500 + beat * 7 % 30)) }
  #expect(rest(of: session).isEmpty)
}

@Test("A breathing exercise and the ten minutes after it are not rest") func breathingExercise() throws {
  var session = Session()
  session.add(.mark(BreathingMark.begins.rawValue))
  let quiet = Session.rest(beats: 2000)
  for event in quiet.events.prefix(400) { session.events.append(event) }
  let end = quiet.events[400].at
  session.events.append(SessionEvent(at: end, .mark(BreathingMark.ends.rawValue)))
  session.events += quiet.events.dropFirst(401)
  let windows = rest(of: session)
  #expect(try #require(windows.first).time.seconds >= end.seconds + 600 + 58)
}
