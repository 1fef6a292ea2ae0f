import HeartRate
import History
import JSONLines
import Localization
import Platform
import Stress
import TestSupport
import Testing

@testable import Reports

@Suite struct NightReportTests {
  private static let calendar = LocalCalendar.system

  private static func night(_ day: Int, rmssd: Double) throws -> StoredNight {
    let id = try #require(SessionID("01J0000000000000000000000\(day % 10)"))
    let end = calendar.start(ofDay: Int64(day)).moved(seconds: 7 * 3600)
    var night = StoredNight(
      session: id, profile: "me", time: end.moved(seconds: -8 * 3600), day: day, seconds: 8 * 3600)
    (night.rmssd, night.heartRate, night.lowestHeartRate) = (rmssd, 52, 46)
    night.lowestAt = night.time.moved(seconds: 5 * 3600)
    (night.coverage, night.confidence, night.counts) = (0.97, 0.95, true)
    night.starts = night.time.moved(seconds: -600)...night.time.moved(seconds: 600)
    night.endsWithData = true
    return night
  }

  private static func trend(_ values: [Double]) throws -> NightTrend {
    let nights = try values.enumerated().map { try night(20_000 + $0.offset, rmssd: $0.element) }
    let series = MorningSeries(nights)
    let days = nights.map { night in
      NightTrend.Day(
        reading: night, assessment: MorningAssessment(rmssd: night.rmssd ?? 0, on: night.day, in: series))
    }
    return NightTrend(profile: "me", days: 20_000..<20_000 + values.count, readings: days)
  }

  private static func text(_ report: NightReport) -> String {
    report.sentences.map { Language.english.text($0) }.joined(separator: " ")
  }

  @Test func nightIsComparedWithTheNightsBefore() throws {
    let trend = try Self.trend([40, 42, 39, 41, 40, 43, 25])
    let report = NightReport(try #require(trend.readings.last?.reading), in: trend)
    #expect(report.counts)
    #expect(report.assessment?.normal?.source == .nights && report.assessment?.normal?.count == 6)
    let text = Self.text(report)
    #expect(text.contains("well below your normal"))
    #expect(text.contains("HRV (RMSSD) of the night 25.0 ms, below your normal"))
    #expect(text.contains("lowest 46 bpm at 04:00, 5 h 0 min after the start."))
    #expect(text.contains("from 23:00 to 07:00 (8 h 0 min); normal beats cover 97 %."))
    #expect(text.contains("Start: between 22:50 and 23:10. End: the data end with it."))
    let ratio = try #require(report.assessment?.smallestDetectableRatio)
    #expect(ratio > 1.05 && ratio < 1.3)
    #expect(String(decoding: report.json, as: UTF8.self).contains("\"nights_missing\":0"))
  }

  @Test func firstNightsStateWhatIsMissing() throws {
    let trend = try Self.trend([40, 42])
    let report = NightReport(try #require(trend.readings.last?.reading), in: trend)
    #expect(report.assessment?.verdict == nil)
    #expect(Self.text(report).contains("4 more nights until your normal range is known."))
  }

  @Test func refusedNightStatesTheReason() throws {
    var night = try Self.night(20_003, rmssd: 40)
    (night.refusal, night.counts) = (.fewBeats, false)
    let report = NightReport(night, in: try Self.trend([40, 42]))
    #expect(report.assessment == nil)
    #expect(Self.text(report).hasPrefix("This night has no value: normal beats cover less than 40 %"))
  }

  @Test(arguments: [
    (UInt8(60), Double?.none, true), (30, nil, false), (30, 0.5, true), (16, 3, false), (15, 0.1, false),
  ]) func batteryForecastUsesTheObservedConsumption(_ percent: UInt8, _ drain: Double?, _ lasts: Bool) throws
  {
    let level = try #require(BatteryLevel(exactly: Int64(percent)))
    #expect(BatteryForecast(level, hours: 9, drain: drain).lasts == lasts)
  }
}
