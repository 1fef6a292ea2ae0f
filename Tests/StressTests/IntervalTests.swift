import HRV
import Stress
import TestSupport
import Testing

private func score(_ hrv: Double, heartRate: Double = 60) throws -> StressScore {
  try StressScore(.init(hrv: hrv, heartRate: heartRate, baselineHRV: 50, restingHeartRate: 60))
}

@Test(
  "The interval contains the score and stays within 0 to 100",
  arguments: [0, 0.5, 5, 20, 45, 50, 60, 200], [60.0, 200])
func containsScore(hrv: Double, heartRate: Double) throws {
  let score = try score(hrv, heartRate: heartRate)
  var quality = WindowQuality()
  for quantity in WindowQuality.Quantity.allCases {
    quality[quantity] += 0.4
    let interval = StressInterval(score, quality)
    #expect(interval.low <= score.value && score.value <= interval.high)
    #expect(interval.low >= 0 && interval.high <= 100)
  }
}

@Test("The interval of an undisturbed window has a half width of less than 2 points") func undisturbed()
  throws
{
  for hrv in [10.0, 20, 30, 40] {
    let interval = try StressInterval(score(hrv), .undisturbed)
    #expect(interval.high - interval.low < 4 && interval.high > interval.low)
  }
}

@Test("Each disturbance widens the interval", arguments: WindowQuality.Quantity.allCases)
func disturbances(quantity: WindowQuality.Quantity) throws {
  let score = try score(35)
  let narrow = StressInterval(score, .undisturbed)
  var quality = WindowQuality.undisturbed
  quality[quantity] = 0.6
  let wide = StressInterval(score, quality)
  #expect(wide.high - wide.low > narrow.high - narrow.low + 1)
  #expect(wide.low <= narrow.low && wide.high >= narrow.high)
  #expect(StressInterval.components(quality).map(\.quantity) == [nil, quantity])
}

@Test("The components add up to the interval") func components() throws {
  var quality = WindowQuality()
  (quality.tail, quality.noise, quality.lostData, quality.contactLost) = (0.2, 0.5, 0.1, 0.3)
  let components = StressInterval.components(quality)
  let fall = components.reduce(0) { $0 + $1.fall }
  let interval = try StressInterval(score(45), quality)
  let lower = try score(45 * exponential(-fall))
  #expect(abs(interval.high - lower.value) < 1e-9)
}

private func exponential(_ x: Double) -> Double {
  // Series of e^x, so that the test does not use the function of the implementation.
  (1...40).reduce((sum: 1.0, term: 1.0)) { part, n in
    let term = part.term * x / Double(n)
    return (part.sum + term, term)
  }.sum
}

@Test("A score that becomes available has an interval") func intervalOfMeasurements() {
  let measurements = StressEngine.measurements(of: Session.rest(beats: 100).events)
  #expect(measurements.allSatisfy { ($0.interval == nil) == ($0.score == nil) })
  #expect(measurements.last?.interval != nil)
}
