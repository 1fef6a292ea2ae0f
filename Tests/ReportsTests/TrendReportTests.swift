import HeartRate
import Platform
import Stress
import TestSupport
import Testing

@testable import History
@testable import Reports

/// Sums of measurements with given values.
enum Sums {
  struct Values {
    var stress: Double
    var rmssd = 40.0
    var heartRate = 70.0
    var interval: ClosedRange<Double>?
  }

  /// `count` copies of usable measurements without paced breathing.
  static func of(_ all: [Values], count: Int = 1) -> MeasurementSums {
    var sums = MeasurementSums()
    let values = Array(repeating: all, count: count).flatMap(\.self)
    (sums.measurements, sums.scored, sums.unpaced) = (values.count, values.count, values.count)
    (sums.beats, sums.normalBeats) = (60 * values.count, 57 * values.count)
    sums.confidence = 0.5 * Double(values.count)
    for value in values {
      if let interval = value.interval {
        sums.intervals += 1
        sums.intervalLow += interval.lowerBound
        sums.intervalHigh += interval.upperBound
      }
      let category = StressCategory(score: value.stress)
      sums.categories[StressCategory.allCases.firstIndex(of: category) ?? 0] += 1
      let quantities: [(MeasurementSums.Quantity, Double)] = [
        (.stress, value.stress), (.rmssd, value.rmssd), (.sdnn, value.rmssd + 10),
        (.heartRate, value.heartRate), (.unpacedRMSSD, value.rmssd + 1), (.unpacedSDNN, value.rmssd + 11),
      ]
      for (quantity, number) in quantities {
        sums.sums[quantity.rawValue].add(
          QuantitySum(sum: number, squares: number * number, low: number, high: number))
      }
    }
    return sums
  }

  static func quarter(_ minutes: Int64, _ sums: MeasurementSums, of day: Int64 = 20_000) -> QuarterHour {
    QuarterHour(
      start: WallTime(microseconds: (day * 86_400 + minutes * 60) * 1_000_000), sums: sums, isSimulated: false
    )
  }
}

@Suite struct TrendReportTests {
  private static let utc = LocalCalendar { _ in 0 }
  private static let period = TrendPeriod(fromDay: 20_000, toDay: 20_001, step: .day, utc)

  private static func entry(_ mood: Int, day: Int64) -> JournalEntry {
    JournalEntry(
      profile: "me", time: WallTime(microseconds: day * 86_400_000_000 + 1), utcOffset: 0, mood: Mood(mood))
  }

  private static let trends = Trends(
    period,
    [
      Sums.quarter(60, Sums.of([.init(stress: 10), .init(stress: 30)])),
      Sums.quarter(1435 / 15 * 15, Sums.of([.init(stress: 80, rmssd: 20, heartRate: 100)])),
      Sums.quarter(0, Sums.of([.init(stress: 60, rmssd: 30, heartRate: 90, interval: 55...68)]), of: 20_001),
    ], journal: [entry(3, day: 20_001), entry(8, day: 20_000), entry(4, day: 20_001)])

  @Test func measurementsAreSummedByDay() {
    #expect(Self.trends.sums.map(\.measurements) == [3, 1])
    #expect(Self.trends.sums.map { $0[.stress]?.mean } == [40, 60])
    #expect(Self.trends.whole[.stress]?.mean == 45 && Self.trends.whole.measurements == 4)
    #expect(Self.trends.whole[.stress]?.low == 10 && Self.trends.whole[.stress]?.high == 80)
    #expect(Self.trends.moods == [[8], [3, 4]])
    #expect(!Self.trends.isSimulated)
  }

  /// A service that takes a reading every 15 min measures one minute in each quarter of an hour.
  @Test(arguments: [(7, false), (8, true)])
  func readingsInEightQuartersOfAnHourAreEnough(count: Int, isEnough: Bool) {
    let quarters = (0..<count).map { Sums.quarter(Int64($0) * 15, Sums.of([.init(stress: 10)])) }
    let trends = Trends(Self.period, quarters, journal: [])
    #expect(trends.isComparable(0) == isEnough && !trends.isComparable(1))
    #expect(trends.quarters == [count, 0])
  }

  @Test func percentagesOfCategoriesAddUpToHundred() {
    let first = Self.trends.sums[0]
    #expect(isClose(first.percent(.relaxed), 100.0 / 3) && isClose(first.percent(.mild), 100.0 / 3))
    #expect(first.percent(.moderate) == 0 && isClose(first.percent(.high), 100.0 / 3))
    #expect(MeasurementSums().percent(.high) == nil)
  }

  @Test func moodsHaveAMeanUnlessThereAreNone() {
    #expect([3, 4].mean == 3.5 && [Int]().mean == nil)
  }

  @Test func jsonHasOneObjectPerDayAndOneForThePeriod() throws {
    let report = TrendReport(
      profile: "me", trends: Self.trends, metric: .sdnn,
      baseline: Baseline(rmssd: 40, sdnn: 50, restingHeartRate: 58, days: 30, origin: .manual),
      normal: 35...65)
    let lines = try String(decoding: report.json, as: UTF8.self).split(separator: "\n").map {
      try JSONValue(String($0))
    }
    #expect(lines.map { $0["step"]?.text } == ["day", "day", "whole"])
    #expect(lines.map { $0["stress_mean"]?.number } == [40, 60, 45])
    #expect(lines.map { $0["stress_min"]?.number } == [10, 60, 10])
    #expect(lines.map { $0["stress_max"]?.number } == [80, 60, 80])
    // Deviations -30, -10 and 40 from 40: sqrt(2600 / 2).
    #expect(isClose(lines[0]["stress_sd"]?.number, 36.055_512_755, 1e-8) && lines[1]["stress_sd"] == .null)
    #expect(lines.map { $0["stress_low_mean"]?.number } == [nil, 55, nil])
    #expect(lines.map { $0["stress_high_mean"]?.number } == [nil, 68, nil])
    #expect(isClose(lines[0]["rmssd_mean_ms"]?.number, 100.0 / 3) && lines[1]["rmssd_mean_ms"]?.number == 30)
    #expect(lines[1]["sdnn_mean_ms"]?.number == 40 && lines[1]["hr_mean_bpm"]?.number == 90)
    #expect(lines[1]["unpaced_rmssd_mean_ms"]?.number == 31 && lines[1]["unpaced_sdnn_mean_ms"]?.number == 41)
    #expect(lines.map { $0["mood_mean"]?.number } == [8, 3.5, 5])
    #expect(lines.map { $0["mood_entries"]?.number } == [1, 2, 3])
    #expect(
      lines.allSatisfy { isClose($0["artefact_percent"]?.number, 5) && $0["confidence"]?.number == 0.5 })
    let whole = lines[2]
    #expect(whole["normal_hrv_metric"]?.text == "sdnn" && whole["resting_hr_bpm"]?.number == 58)
    #expect(whole["normal_hrv_low_ms"]?.number == 35 && whole["normal_hrv_high_ms"]?.number == 65)
    #expect(whole["from"] == lines[0]["from"] && whole["to"] == lines[1]["to"])
  }
}

@Suite struct PeriodReportTests {
  private static let utc = LocalCalendar { _ in 0 }

  @Test func hoursOfTheClockAreSummedOverDays() {
    let quarters = (0..<3).flatMap { day in
      [
        Sums.quarter(480, Sums.of([.init(stress: 20)], count: 60), of: 20_000 + day),
        Sums.quarter(495, Sums.of([.init(stress: 40)], count: 60), of: 20_000 + day),
        Sums.quarter(840, Sums.of([.init(stress: 70)]), of: 20_000 + day),
      ]
    }
    let hours = HourOfDay.all(quarters, Self.utc)
    #expect(hours.map(\.hour) == [8, 14] && hours.map(\.days) == [3, 3])
    #expect(hours.map(\.stress) == [30, 70])
    // 360 measurements are comparable, 3 are not.
    #expect(hours.map(\.isComparable) == [true, false])
  }

  @Test func anEmptyHistoryGivesAnEmptyWeek() throws {
    let digest = try PeriodReport(nil, of: "me", ending: 20_006, metric: .rmssd, Self.utc)
    #expect(digest.parts.count == 7 && digest.sums.count == 7)
    #expect(digest.parts.first?.times.lowerBound == WallTime(microseconds: 20_000 * 86_400_000_000))
    #expect(digest.mood == nil && digest.extremeHours == nil && digest.exercises.isEmpty)
    #expect(digest.change(.stress).now == nil && digest.change(.stress).isRatio == false)
    #expect(digest.change(.rmssd).isRatio)
    let json = try JSONValue(String(decoding: digest.json, as: UTF8.self))
    #expect(json["measurements"]?.number == 0 && json["calmest_hour"] == .null)
    #expect(json["stress"]?["this_week"] == .null && json["hrv_ms"]?["days"]?.number == 0)
  }

  @Test func triggerReportHasOneObjectPerTrigger() throws {
    let calm = (0..<20).map { place in
      StressEpisode(stress: 20 + Double(place % 3), triggers: place == 1 ? ["rare"] : [])
    }
    let tense = (0..<20).map { StressEpisode(stress: 70 + Double($0 % 3), triggers: ["coffee"]) }
    let episodes = calm + tense
    let effects = TriggerEffects(journal: episodes)
    #expect(TriggerEffects(journal: episodes) == effects)
    let report = TriggerReport(effects: effects, profile: "me")
    let lines = try String(decoding: report.json, as: UTF8.self).split(separator: "\n").map {
      try JSONValue(String($0))
    }
    #expect(lines.map { $0["trigger"]?.text } == ["coffee", "rare"])
    #expect(lines[0]["occasions_with"]?.number == 20 && lines[0]["occasions_without"]?.number == 20)
    #expect(isClose(lines[0]["stress_difference"]?.number, 50, 1) && lines[0]["beyond_chance"]?.bool == true)
    #expect(lines[1]["occasions_with"]?.number == 1 && lines[1]["occasions_without"]?.number == 39)
    #expect(lines[1]["stress_difference"] == .null)
  }
}
