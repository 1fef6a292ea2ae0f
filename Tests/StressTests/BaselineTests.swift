import BaselineTestSupport
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
  "The estimate is blended with the population default by the ratio of the variances",
  arguments: [1, 2, 12, 30, 45])
func blends(days: Int) throws {
  let learner = learner(Array(repeating: 101, count: days), heartRate: 50)
  let baseline = learner.baseline
  let count = Double(min(days, 30))
  // T / (T + Sd / n + Sm / m) with one minute per day.
  let weight = 0.25 / (0.25 + (0.0625 + 0.05) / count)
  #expect(abs(baseline.weight - weight) < 1e-12 && baseline.origin == .learned)
  #expect(abs(baseline.rmssd / 50 - .pow(101.0 / 50, weight)) < 1e-9)
  #expect(baseline.days == count)
  #expect(abs(baseline.restingHeartRate - (60 - 10 * 280 / (280 + (20 + 3) / count))) < 1e-9)
  #expect(abs(baseline.sdnn - 50) < 1e-9)
  #expect(try #require(learner.evidence).maturity == count / 30)
}

@Test("The weight of three minutes a day is close to n / (n + 0.25) to n / (n + 0.5)") func weights() {
  for days in 1...30 {
    let weight = BlendVariances.rmssd.weight(days: days, minutes: 3 * days)
    let count = Double(days)
    #expect(weight <= count / (count + 0.25) && weight >= count / (count + 0.5))
  }
  #expect(BlendVariances.rmssd.weight(days: 0, minutes: 0) == 0)
  #expect(Baseline(rmssd: 40, sdnn: 40, restingHeartRate: 60, days: 12, origin: .learned).weight == 0.4)
  var baseline = Baseline.populationDefault
  baseline.markManual()
  #expect(baseline.weight == 1 && baseline.days == 30 && baseline.origin == .manual)
}

@Test(
  "A first day at half or twice the usual RMSSD leaves the baseline within 30 % after three more days",
  arguments: [15, 20, 35, 50, 90] as [Double], [0.5, 2])
func unusualFirstDay(usual: Double, factor: Double) {
  var days = [factor * usual]
  for _ in 0..<3 { days.append(usual) }
  let baseline = learner(days).baseline
  #expect((0.7 * usual...1.3 * usual).contains(baseline.rmssd))
  #expect((0.7 * usual...1.3 * usual).contains(learner(days.shuffled()).baseline.rmssd))
}

@Test("One unusual day among ten rarely changes the baseline by 10 %, and never by 15 %")
func unusualDayAmongTen() {
  var large = 0
  for seed in 0..<300 as Range<UInt64> {
    var random = SeededGenerator(seed: seed)
    let days = (0..<10).map { _ in 40 * Double.exp(0.25 * max(-2, min(2, random.normal()))) }
    let before = learner(days).baseline.rmssd
    for factor in [0.5, 2] {
      var changed = days
      changed[4] *= factor
      let change = abs(learner(changed).baseline.rmssd / before - 1)
      #expect(change < 0.15, "seed \(seed)")
      if change >= 0.1 { large += 1 }
    }
  }
  #expect(large <= 12, "of 600")
}

@Test("The minutes of a night count only without waking rest") func nights() throws {
  var estimator = BaselineEstimator()
  for _ in 0..<300 { estimator.append(window(rmssd: 80), day: 1, isNight: true) }
  #expect(try #require(estimator.evidence).windows == 300)
  estimator.append(window(rmssd: 40), day: 9)
  let evidence = try #require(estimator.evidence)
  #expect(evidence.windows == 1 && evidence.days == 1 && abs(evidence.rmssd.value - 40) < 1e-9)
}

@Test("A night is a long run of mostly resting minutes between evening and morning") func nightRest() {
  /// Ends of resting minutes from `start` to `end` hours, one every `step` minutes.
  func ends(_ start: Double, _ end: Double, step: Int = 1) -> [Int] {
    Array(stride(from: Int(start * 3600), to: Int(end * 3600), by: 60 * step))
  }
  func nightMinutes(_ ends: [Int]) -> Int { NightRest.isNight(ends).count(where: \.self) }
  #expect(NightRest.isNight([]).isEmpty)
  #expect(nightMinutes(ends(22, 30)) == 480)
  #expect(nightMinutes(ends(22, 30, step: 3)) == 160 && nightMinutes(ends(22, 30, step: 4)) == 0)
  // A short evening, a short morning, and a day.
  #expect(nightMinutes(ends(21, 23.9)) == 0 && nightMinutes(ends(6.2, 12)) == 0)
  #expect(nightMinutes(ends(9, 21)) == 0)
  // Before 21:00 and after 09:00, and in two nights of one session; also before 1970.
  #expect(nightMinutes(ends(19, 35)) == 720 && nightMinutes(ends(-3, 57)) == 3 * 720)
  #expect(nightMinutes(ends(-27, -15)) == 720)
}

@Test("The range of the level contains the level and narrows with the weight") func levelRange() throws {
  for (hrv, rate) in [(5.0, 100.0), (20, 70), (35, 65), (50, 60), (200, 40)] {
    let score = try StressScore(.init(hrv: hrv, heartRate: rate, baselineHRV: 50, restingHeartRate: 60))
    var last: ClosedRange<Double>?
    for weight in [0, 0.3, 0.6, 0.79] {
      let range = try #require(LevelRange(score, metric: .rmssd, weight: weight))
      #expect(range.low <= score.value && score.value <= range.high && range.low >= 0 && range.high <= 100)
      if let last { #expect(last.lowerBound <= range.low && range.high <= last.upperBound) }
      last = range.low...range.high
    }
    #expect(LevelRange(score, metric: .rmssd, weight: 0.8) == nil)
  }
}

@Test(
  "Resting minutes of a simulated population are called relaxed from the first days on",
  arguments: [0.2, 0.25, 0.3])
func simulatedPopulation(daily: Double) throws {
  var spread = PopulationSpread()
  spread.dailyLnRMSSD = daily
  let first = try RelaxedFractions(people: 500, days: 1, spread)
  let third = try RelaxedFractions(people: 500, days: 3, spread)
  #expect(first.learned >= 0.6 && first.linear < 0.5)
  #expect(third.learned >= 0.9 * third.usual && third.linear < 0.7 * third.usual)
  let none = try RelaxedFractions(people: 500, days: 0, spread)
  #expect(none.ranged == 1 && none.covered >= 0.85 && first.covered >= 0.85)
}

@Test(
  "The baseline of a wearer is within 25 % of the own value after three days with rest",
  .enabled(if: SharedData.isAvailable))
func wearer() throws {
  let days = try WearerDay.all()
  #expect(days.count == 15 && days.contains { $0.nightMinutes > 200 })
  let evidence = days.compactMap(\.evidence)
  #expect((evidence.last?.rmssd.value ?? 0) < 25)
  for evidence in evidence where evidence.days >= 3 {
    #expect(abs(evidence.blended.rmssd / evidence.rmssd.value - 1) <= 0.25)
    #expect(abs(evidence.blended.restingHeartRate / evidence.restingHeartRate - 1) <= 0.25)
  }
}

@Test("Running contains no resting minute", .enabled(if: SharedData.isAvailable)) func exercise() throws {
  for name in try SharedData.recordingNames(in: .tasks) where name.contains("jogging") {
    #expect(try RecordedRest(name, in: .tasks).windows.isEmpty, "\(name)")
  }
}

@Test("RMSSD and SDNN are estimated independently") func independentMetrics() throws {
  var learner = BaselineEstimator()
  for day in 0..<30 { learner.append(window(rmssd: 30, sdnn: 70), day: day) }
  let evidence = try #require(learner.evidence)
  #expect(abs(evidence.rmssd.value - 30) < 1e-9 && abs(evidence.sdnn.value - 70) < 1e-9)
}

@Test("Only the newest 30 days count") func newestDays() throws {
  let learner = learner(Array(repeating: 20, count: 30) + Array(repeating: 80, count: 30))
  #expect(abs(try #require(learner.evidence).rmssd.value - 80) < 1e-9)
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

@Test("The normal range contains the value and requires five days") func normalRange() throws {
  let usual = try #require(learner([30, 40, 50, 60, 70]).evidence).rmssd
  let range = try #require(usual.normalRange)
  #expect(range.contains(usual.value) && range.lowerBound < 30 && range.upperBound > 70)
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
