import HRV
import HeartRate
import LiveSession
import Localization
import Stress
import TestSupport
import Testing

@testable import Reports

@Suite struct StatusReportTests {
  private static func report(_ freshness: StatusReport.Freshness = .live) -> StatusReport {
    StatusReport(
      freshness: freshness, time: WallTime(microseconds: 1_790_000_000_000_000), age: 12,
      measurement: LiveMeasurement(sdnn: 48.5, meanHeartRate: 72, stress: 61, confidence: 0.8),
      metric: .sdnn, isSimulated: true)
  }

  private func json(_ report: StatusReport?) throws -> JSONValue {
    try JSONValue(String(decoding: StatusReport.json(report, profile: "me", text: "line"), as: UTF8.self))
  }

  @Test func jsonHasEveryValueUnderItsKey() throws {
    var report = Self.report()
    (report.trend, report.recent, report.insight) = (.up, [nil, 40, 50], Phrase("a usual day"))
    (report.measurement.interval, report.measurement.range) = (56...67, 50...72)
    let json = try json(report)
    #expect(json["profile"]?.text == "me" && json["state"]?.text == "live" && json["stale"]?.bool == false)
    #expect(json["age_s"]?.number == 12 && json["stress"]?.number == 61 && json["hrv_ms"]?.number == 48.5)
    #expect(json["mean_hr_bpm"]?.number == 72 && json["confidence"]?.number == 0.8)
    #expect(json["hrv_metric"]?.text == "sdnn" && json["hrv_trend"]?.text == "up")
    #expect(json["category"]?.text == "moderate" && json["simulated"]?.bool == true)
    #expect(json["recent_stress"]?.elements == [.null, .number(40), .number(50)])
    #expect(json["insight"]?.text == "a usual day" && json["text"]?.text == "line")
    #expect(json["stress_low"]?.number == 56 && json["stress_high"]?.number == 67)
    #expect(json["stress_range_low"]?.number == 50 && json["stress_range_high"]?.number == 72)
    #expect(json["level_low"] == nil && json["level_high"] == nil)
    #expect(json["collected_s"] == .null && json["required_s"] == .null)
  }

  @Test func aYoungBaselineAddsTheRangeOfTheLevel() throws {
    var report = Self.report()
    report.measurement.levelRange = 31...80
    let json = try json(report)
    #expect(json["level_low"]?.number == 31 && json["level_high"]?.number == 80)
  }

  @Test func aSessionThatIsCollectingHasNoConfidence() throws {
    var report = Self.report()
    report.collected = StatusReport.Collected(seconds: 12.5, required: 30)
    let json = try json(report)
    #expect(json["confidence"] == .null)
    #expect(json["collected_s"]?.number == 12.5 && json["required_s"]?.number == 30)
  }

  @Test(arguments: [
    (StatusReport.Freshness.stale(reason: nil), "stale"), (.ended, "ended"),
  ])
  func valuesThatAreNotLiveAreStale(freshness: StatusReport.Freshness, state: String) throws {
    let json = try json(Self.report(freshness))
    #expect(json["state"]?.text == state && json["stale"]?.bool == true)
  }

  @Test func withoutMeasurementsEveryValueIsNull() throws {
    let json = try json(nil)
    #expect(json["state"]?.text == "nothing" && json["stale"] == .null && json["stress"] == .null)
    #expect(json["recent_stress"]?.elements.isEmpty == true)
  }

  /// A ratio of 1.42: the 95 % interval of the population default (t with 8 degrees of freedom, 2.306) for windows of 5 and
  /// 30 minutes, whose variances are 0.33 of 0.265^2 / 2.
  @Test(arguments: [
    (40.0, 56.0, StatusReport.Trend.steady), (40, 57.5, .up), (56, 40, .steady), (57.5, 40, .down),
  ])
  func trendIsTheSmallestDetectableChange(old: Double, new: Double, trend: StatusReport.Trend) {
    #expect(StatusReport.Trend(.rmssd, from: old, to: new, variability: .populationDefault) == trend)
  }

  /// The variation of SDNN is larger: 0.37 instead of 0.25.
  @Test func trendOfSDNNRequiresALargerChange() {
    func trend(_ metric: HRVMetric, _ ratio: Double) -> StatusReport.Trend {
      StatusReport.Trend(metric, from: 1, to: ratio, variability: .populationDefault)
    }
    #expect(trend(.rmssd, 1.7) == .up && trend(.sdnn, 1.7) == .steady && trend(.sdnn, 1.85) == .up)
  }

  @Test(arguments: [
    (10_000_000, 3_000_000, 7), (9_999_999, 3_000_000, 6), (3_000_000, 9_999_999, -7), (0, 0, 0),
  ])
  func secondsBetweenTimesAreRoundedDown(time: Int64, other: Int64, seconds: Int64) {
    #expect(WallTime(microseconds: time).seconds(since: WallTime(microseconds: other)) == seconds)
  }

  @Test func secondsBetweenDistantTimesDoNotOverflow() {
    let (first, last) = (WallTime(microseconds: .min), WallTime(microseconds: .max))
    #expect(last.seconds(since: first) == .max && first.seconds(since: last) == .min)
  }
}
