import Localization
import Testing

@testable import Reports

@Suite struct ChangeSentenceTests {
  @Test func verdictHasValuesRatioAndInterval() {
    let ratio = ChangeSentence.Ratio(value: 0.839, low: 0.47, high: 1.50)
    #expect(
      Language.english.text(
        ChangeSentence.verdict(isChanged: false, from: 67.2, to: 56.4, ratio: ratio))
        == "No clear change: RMSSD 67 -> 56 ms (x0.84, 95 % CI 0.47-1.50)")
    let rise = ChangeSentence.Ratio(value: 4.08, low: 2.51, high: 6.62)
    #expect(
      Language.english.text(
        ChangeSentence.verdict(isChanged: true, from: 12.5, to: 51.2, ratio: rise))
        == "Clear rise: RMSSD 13 -> 51 ms (x4.08, 95 % CI 2.51-6.62)")
  }
}
