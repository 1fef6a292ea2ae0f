import HeartRate
import Stress
import Terminal
import Testing

@testable import Commands

/// Texts for people (issue 11).
@Suite struct WordingTests {
  @Test("A count of one has the singular", arguments: [(0, "0 beats"), (1, "1 beat"), (2, "2 beats")])
  func singular(count: Int, words: String) {
    #expect(counted(count, "beat") == words)
    #expect(counted(count, "entry", "entries") == (count == 1 ? "1 entry" : "\(count) entries"))
  }

  @Test("Whether RMSSD changed is one line with the values, the ratio and its interval")
  func change() {
    let ratio = ChangeSentence.Ratio(value: 0.839, low: 0.47, high: 1.50)
    #expect(
      ChangeSentence.verdict(isChanged: false, from: 67.2, to: 56.4, ratio: ratio)
        == "No clear change: RMSSD 67 -> 56 ms (x0.84, 95 % CI 0.47-1.50)")
    let rise = ChangeSentence.Ratio(value: 4.08, low: 2.51, high: 6.62)
    #expect(
      ChangeSentence.verdict(isChanged: true, from: 12.5, to: 51.2, ratio: rise)
        == "Clear rise: RMSSD 13 -> 51 ms (x4.08, 95 % CI 2.51-6.62)")
  }

  @Test(
    "Coverage is at most 100 % unless beats were received twice",
    arguments: [(0.973, "97.3 % of the time"), (1.007, "100.0 % of the time"), (1.05, "100.0 % of the time")])
  func coverage(value: Double, words: String) {
    #expect(MeasurementDetails.coverage(value) == words)
    #expect(MeasurementDetails.coverage(1.92) == "192.0 % of the time: beats were received twice")
  }

  @Test("An explanation names no internal factor, and says how much of a window is collected")
  func explanation() throws {
    let inputs = StressScore.Inputs(hrv: 15, heartRate: 60, baselineHRV: 50, restingHeartRate: 60)
    var confidence = Confidence(hrv: 15, heartRate: 60, goodBeats: 4)
    for factor in Confidence.Factor.allCases { confidence[factor] = confidence[factor] ?? 0.9 }
    let explanation = Explanation(
      score: try StressScore(inputs), confidence: confidence, collected: (covered: 4.3, window: 60))
    for factor in Confidence.Factor.allCases where factor.rawValue.contains("_") {
      #expect(!explanation.text.contains(factor.rawValue))
    }
    #expect(explanation.text.contains("time collected: 4 of 60 s collected"))
    #expect(explanation.text.contains("level of HRV: HRV is below 20 ms"))
    #expect(explanation.json.contains("\"low_hrv\":0.5"))
  }
}
