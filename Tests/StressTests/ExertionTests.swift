import HeartRate
import Stress
import Testing

/// Returns the factor after each second of `rates`, with `rmssd` in ms at each rate in bpm.
private func factors(
  _ rates: some Sequence<Double>, resting: Double = 60, rmssd: (Double) -> Double = { _ in 40 }
) -> [Double] {
  var estimator = ExertionEstimator(restingHeartRate: resting, rmssd: 50)
  return rates.enumerated().compactMap { second, rate in
    let time = SessionTime(ticks: Int64(second) * RRInterval.ticksPerSecond)
    estimator.update(at: time, heartRate: rate, rmssd: rmssd(rate))
    return estimator.factor
  }
}

private func steady(_ rate: Double, minutes: Int) -> [Double] { Array(repeating: rate, count: 60 * minutes) }

private func ramp(from start: Double, to end: Double, minutes: Int) -> [Double] {
  (0..<60 * minutes).map { start + (end - start) * Double($0) / Double(60 * minutes) }
}

@Test("The exertion factor is absent before the first heart rate") func exertionIsAbsentAtFirst() {
  #expect(ExertionEstimator(restingHeartRate: 60, rmssd: 50).factor == nil)
}

@Test(
  "The exertion factor decreases with the heart rate reserve",
  arguments: [(50.0, 1.0), (84, 1), (93, 0.85), (102, 0.7), (103, 0.25), (150, 0.25)])
func exertionFollowsReserve(rate: Double, factor: Double) {
  let last = factors([rate]).last ?? 0
  #expect(abs(last - factor) < 1e-9)
}

@Test("A resting rate of 75 bpm is not exertion with the population default") func highRestingRateIsRest() {
  #expect(factors(steady(75, minutes: 30)).allSatisfy { $0 == 1 })
}

@Test(
  "Mental stress at rest is not exertion", arguments: [55.0, 60, 75], [10.0, 15, 20, 25])
func mentalStressIsNotExertion(rest: Double, rise: Double) {
  let rates =
    steady(rest, minutes: 5) + ramp(from: rest, to: rest + rise, minutes: 2)
    + steady(rest + rise, minutes: 20) + ramp(from: rest + rise, to: rest, minutes: 2)
  for resting in [rest, 60] where resting <= rest {
    #expect(factors(rates, resting: resting).allSatisfy { $0 >= ExertionEstimator.clear })
  }
}

@Test("A rise of 30 bpm with a low RMSSD is not exertion") func riseWithLowHRVIsStress() {
  let rates = steady(62, minutes: 5) + ramp(from: 62, to: 96, minutes: 1) + steady(96, minutes: 5)
  #expect(factors(rates) { $0 > 90 ? 14 : 45 }.allSatisfy { $0 >= ExertionEstimator.clear })
}

@Test("A rise of 30 bpm with a high RMSSD is exertion until half of it has been lost")
func cyclingIsExertion() {
  let cycling = steady(96, minutes: 10) + steady(88, minutes: 20)
  let found = factors(steady(62, minutes: 5) + ramp(from: 62, to: 96, minutes: 1) + cycling)
  #expect(found.prefix(300).allSatisfy { $0 == 1 })
  #expect(found.dropFirst(360).allSatisfy { $0 < ExertionEstimator.clear })
}

@Test("Recovery lasts as long as the exertion, at most ten minutes", arguments: [(2, 2), (8, 8), (40, 10)])
func recoveryTime(exertion: Int, recovery: Int) {
  let found = factors(
    steady(60, minutes: 2) + steady(140, minutes: exertion) + steady(60, minutes: 20), rmssd: { _ in 5 })
  let flagged = found.dropFirst(60 * (2 + exertion)).count { $0 < ExertionEstimator.clear }
  #expect(abs(flagged - 60 * recovery) <= 2)
}

@Test("A persistently higher heart rate stops being exertion after an hour") func risePersistsAtMostAnHour() {
  let found = factors(steady(55, minutes: 60) + steady(92, minutes: 5) + steady(78, minutes: 75))
  #expect(found[64 * 60] < ExertionEstimator.clear)
  #expect(found.suffix(60 * 5).allSatisfy { $0 == 1 })
}

@Test("Extreme inputs give a factor from 0 to 1", arguments: [0.0, 60, 179, 180, 500], [0.0, 30, 180, 400])
func extremeExertionInputs(resting: Double, rate: Double) {
  #expect(factors(steady(rate, minutes: 1), resting: resting).allSatisfy { (0...1).contains($0) })
}
