import ConstructStudy
import HRV
import Stress
import TestSupport
import Testing

private func score(_ hrv: Double, heartRate: Double = 60) throws -> StressScore {
  try StressScore(.init(hrv: hrv, heartRate: heartRate, baselineHRV: 50, restingHeartRate: 60))
}

private func rest(
  _ score: StressScore, _ quality: WindowQuality = .undisturbed, weight: Double = 1
) -> StressRange {
  StressRange(score, quality, isMoving: false, weight: weight)
}

@Suite struct StressRangeTests {
  /// With Student's t for 0.95 and four degrees of freedom, 2.1318: ln HRV changes by sqrt(0.02^2 + 0.3091^2) up and by
  /// sqrt(0.025^2 + 0.3091^2) down, and ln HR by 0.0309.
  @Test func anUndisturbedWindowHasTheVariationOfARest() throws {
    let range = StressRange(try score(35, heartRate: 70), .undisturbed, isMoving: false, weight: 0)
    let (low, high) = (
      try score(35 * 1.36305, heartRate: 70 * 0.969561), try score(35 * 0.733376, heartRate: 70 * 1.031395)
    )
    #expect(abs(range.low - low.value) < 0.01 && abs(range.high - high.value) < 0.01)
  }

  /// 2.1318 times 0.9 of 0.145 and 0.0145: ln HRV falls by 0.2793, and ln HR rises by 0.0278. Half of the weight has the
  /// factor 0.95.
  @Test func theOwnBaselineNarrowsTheRange() throws {
    let middle = try score(35, heartRate: 70)
    let high = try score(35 * 0.756293, heartRate: 70 * 1.028211)
    #expect(abs(rest(middle).high - high.value) < 0.01)
    let half = StressRange(middle, .undisturbed, .init(hrv: 0.13775, heartRate: 0.013775))
    #expect(abs(rest(middle, weight: 0.5).high - half.high) < 1e-9)
  }

  @Test func aMeasurementHasTheRangeOfItsBaseline() throws {
    let measured = try #require(StressEngine.measurements(of: Session.rest(beats: 100).events).last)
    let score = try #require(measured.score)
    #expect(measured.range == rest(score, measured.quality, weight: measured.baselineWeight))
    #expect(measured.baselineWeight == 0)
  }

  @Test(arguments: [0, 5, 20, 45, 50, 200], [50.0, 75, 200])
  func itContainsTheIntervalAndStaysOnTheScale(hrv: Double, heartRate: Double) throws {
    let score = try score(hrv, heartRate: heartRate)
    var quality = WindowQuality()
    for quantity in WindowQuality.Quantity.allCases {
      quality[quantity] += 0.2
      let interval = StressInterval(score, quality)
      let (range, own) = (rest(score, quality, weight: 0), rest(score, quality, weight: 1))
      let moving = StressRange(score, quality, isMoving: true, weight: 0)
      #expect(own.low <= interval.low && interval.high <= own.high)
      #expect(range.low <= own.low && own.high <= range.high)
      #expect(moving.low <= range.low && range.high <= moving.high)
      #expect(0 <= moving.low && moving.high <= 100)
    }
  }

  @Test func zeroIsAClosedEnd() throws {
    let range = rest(try score(200, heartRate: 55))
    #expect(range.low == 0 && range.high == 0)
    let near = rest(try score(51, heartRate: 60))
    #expect(near.low == 0 && near.high > 20)
  }

  /// The heart rate alone changes a value whose HRV is above the baseline.
  @Test func theHeartRateVaries() throws {
    let range = rest(try score(200, heartRate: 80))
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
        (0.87...0.93).contains(all) && (0.87...0.93).contains(positive), "\(reference): \(all), \(positive)")
    }
    for (name, upper) in try tables.upperBounds { #expect(upper >= 0.85, "\(name)") }
  }
}
