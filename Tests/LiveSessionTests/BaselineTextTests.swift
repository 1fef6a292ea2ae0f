import LiveSession
import Localization
import Stress
import Testing

@Suite struct BaselineTextTests {
  @Test(
    arguments: [
      (1, 0.763, "estimated from 1 day (76 %) and the population default"),
      (12, nil, "estimated from 12 days (40 %) and the population default"),
      (26, 0.944, "estimated from 26 days (94 %) and the population default"),
      (26, 0.946, "estimated from 26 days"), (30, nil, "estimated from 30 days"),
    ] as [(Double, Double?, String)])
  func theOriginStatesTheWeightBelow95Percent(days: Double, weight: Double?, words: String) {
    let baseline = Baseline(
      rmssd: 41, sdnn: 62.5, restingHeartRate: 55, days: days, origin: .learned, weight: weight)
    #expect(Language.english.text(baseline.summary(.sdnn)) == "SDNN 62.5 ms and 55.0 bpm, " + words)
  }
}
