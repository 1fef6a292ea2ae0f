import HeartRate
import Localization
import Reports
import Stress
import Terminal
import Testing

@testable import Commands

/// Texts for people.
@Suite struct WordingTests {
  @Test("A count of one has the singular", arguments: [(0, "0 beats"), (1, "1 beat"), (2, "2 beats")])
  func singular(count: Int, words: String) {
    #expect(counted(count, "beat") == words)
    #expect(counted(count, "entry", "entries") == (count == 1 ? "1 entry" : "\(count) entries"))
  }

  @Test(
    "Coverage is at most 100 % unless beats were received twice",
    arguments: [(0.973, "97.3 % of the time"), (1.007, "100.0 % of the time"), (1.05, "100.0 % of the time")])
  func coverage(value: Double, words: String) {
    #expect(MeasurementDetails.coverage(value) == words)
    #expect(MeasurementDetails.coverage(1.92) == "192.0 % of the time: beats were received twice")
  }

  @Test("An explanation contains no key of a factor, and states how much of the window is collected")
  func explanation() throws {
    let inputs = StressScore.Inputs(hrv: 15, heartRate: 60, baselineHRV: 50, restingHeartRate: 60)
    var confidence = Confidence(inputs, goodBeats: 4)
    for factor in Confidence.Factor.allCases { confidence[factor] = confidence[factor] ?? 0.9 }
    let explanation = Explanation(
      score: try StressScore(inputs), confidence: confidence, collected: (covered: 4.3, window: 60))
    for factor in Confidence.Factor.allCases where factor.rawValue.contains("_") {
      #expect(!explanation.text().contains(factor.rawValue))
    }
    #expect(explanation.text().contains("time collected: 4 of 60 s collected"))
    #expect(explanation.text().contains("level of HRV: HRV is far below the baseline"))
    #expect(String(decoding: explanation.json, as: UTF8.self).contains("\"low_hrv\":0.5"))
  }
}
