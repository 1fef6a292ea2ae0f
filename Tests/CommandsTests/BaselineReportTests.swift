import HeartRate
import Localization
import Reports
import Stress
import TestSupport
import Testing

@testable import Commands

@Suite struct BaselineReportTests {
  /// Six days of rest, RMSSD from 24 to 29 ms.
  private static let evidence: BaselineEvidence? = {
    var learner = BaselineEstimator()
    for day in 0..<6 {
      learner.append(
        RestingWindow(time: .zero, heartRate: 60, rmssd: 24 + Double(day), sdnn: 50 + Double(day)), day: day)
    }
    return learner.evidence
  }()

  private func text(_ baseline: Baseline) -> String {
    BaselineReport(profile: "me", baseline: baseline, evidence: Self.evidence).text
  }

  @Test("A manual baseline outside its normal range is explained")
  func manual() {
    let manual = Baseline(rmssd: 99, sdnn: 10, restingHeartRate: 60, days: 30, origin: .manual)
    let text = text(manual)
    #expect(text.contains("\nRMSSD 99.0 ms is above your normal range: it was set manually.\n"))
    #expect(text.contains("\nSDNN 10.0 ms is below your normal range: it was set manually.\n"))
  }

  @Test("JSON and text agree about a value that equals a bound as displayed")
  func boundAsDisplayed() throws {
    let range = try #require(Self.evidence?.rmssd.normalRange)
    // Above the bound by less than the displayed decimal.
    let bound = (range.upperBound * 10).rounded() / 10
    for (rmssd, isInside) in [(bound + 0.049, true), (bound + 0.2, false)] {
      let manual = Baseline(rmssd: rmssd, sdnn: 52, restingHeartRate: 60, days: 30, origin: .manual)
      let report = BaselineReport(profile: "me", baseline: manual, evidence: Self.evidence)
      let json = try JSONValue(String(decoding: report.json.dropLast(), as: UTF8.self))
      #expect(json["baseline_rmssd_in_normal_range"] == .bool(isInside))
      #expect(report.text.contains("RMSSD \(rmssd.fixed(1)) ms is above") == !isInside)
    }
  }

  @Test("A blended baseline outside its normal range is explained")
  func blended() throws {
    let blended = Baseline(rmssd: 45, sdnn: 52.5, restingHeartRate: 60, days: 6, origin: .learned)
    let text = text(blended)
    #expect(
      text.contains(
        "is above your normal range: 80 % of it is the population default (50 ms)."
      ))
    let json = try JSONValue(
      String(
        decoding: BaselineReport(profile: "me", baseline: blended, evidence: Self.evidence).json,
        as: UTF8.self))
    #expect(json["baseline_rmssd_in_normal_range"]?.bool == false)
  }

  @Test("A baseline within its normal range has no explanation")
  func within() {
    let usual = Baseline(rmssd: 26.5, sdnn: 52.5, restingHeartRate: 60, days: 30, origin: .learned)
    #expect(!text(usual).contains("your normal range"))
  }
}
