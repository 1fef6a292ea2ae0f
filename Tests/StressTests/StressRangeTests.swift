import ConstructStudy
import HRV
import Stress
import TestSupport
import Testing

private func score(_ hrv: Double, heartRate: Double = 60) throws -> StressScore {
  try StressScore(.init(hrv: hrv, heartRate: heartRate, baselineHRV: 50, restingHeartRate: 60))
}

@Suite struct StressRangeTests {
  /// With Student's t for 0.95 and four degrees of freedom, 2.1318: ln HRV changes by sqrt(0.02^2 + 0.3091^2) up and by
  /// sqrt(0.025^2 + 0.3091^2) down, and ln HR by 0.0309.
  @Test func anUndisturbedWindowHasTheVariationOfARest() throws {
    let range = StressRange(try score(35, heartRate: 70), .undisturbed, isMoving: false)
    let (low, high) = (
      try score(35 * 1.36305, heartRate: 70 * 0.969561), try score(35 * 0.733376, heartRate: 70 * 1.031395)
    )
    #expect(abs(range.low - low.value) < 0.01 && abs(range.high - high.value) < 0.01)
  }

  @Test(arguments: [0, 5, 20, 45, 50, 200], [50.0, 75, 200])
  func itContainsTheIntervalAndStaysOnTheScale(hrv: Double, heartRate: Double) throws {
    let score = try score(hrv, heartRate: heartRate)
    var quality = WindowQuality()
    for quantity in WindowQuality.Quantity.allCases {
      quality[quantity] += 0.2
      let (range, interval) = (StressRange(score, quality, isMoving: false), StressInterval(score, quality))
      let moving = StressRange(score, quality, isMoving: true)
      #expect(range.low <= interval.low && interval.high <= range.high)
      #expect(moving.low <= range.low && range.high <= moving.high)
      #expect(0 <= moving.low && moving.high <= 100)
    }
  }

  @Test func zeroIsAClosedEnd() throws {
    let range = StressRange(try score(200, heartRate: 55), .undisturbed, isMoving: false)
    #expect(range.low == 0 && range.high == 0)
    let near = StressRange(try score(51, heartRate: 60), .undisturbed, isMoving: false)
    #expect(near.low == 0 && near.high > 20)
  }

  /// The heart rate alone changes a value whose HRV is above the baseline.
  @Test func theHeartRateVaries() throws {
    let range = StressRange(try score(200, heartRate: 80), .undisturbed, isMoving: false)
    let value = try score(200, heartRate: 80).value
    #expect(range.low < value - 0.5 && range.high > value + 0.5)
  }

  @Test func eachMeasurementWithAScoreHasARange() throws {
    let measurements = StressEngine.measurements(of: Session.rest(beats: 100).events)
    #expect(measurements.allSatisfy { ($0.range == nil) == ($0.score == nil) })
    var last = try #require(measurements.last)
    let resting = try #require(last.range)
    last.confidence[.exertion] = 0.25
    let moving = try #require(last.range)
    #expect(moving.high - moving.low > resting.high - resting.low)
  }

  /// People weighted equally, with the constants of the program; docs/design/range.md has those of people left out.
  @Test(.enabled(if: SharedData.contains(.tasks) && SharedData.contains(.wearer)))
  func coverageOnRealRests() throws {
    let tables = RangeTables(try RangePerson.all(), [])
    for reference in RangeTables.Reference.allCases {
      let (all, positive) = try tables.coverage(reference)
      #expect(
        (0.87...0.95).contains(all) && (0.87...0.935).contains(positive), "\(reference): \(all), \(positive)")
    }
    for (name, upper) in try tables.upperBounds { #expect(upper >= 0.85, "\(name)") }
  }
}
