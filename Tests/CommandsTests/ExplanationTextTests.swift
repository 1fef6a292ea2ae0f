import HRV
import LiveSession
import Localization
import Reports
import Stress
import Testing

@testable import Commands

@Suite struct ExplanationTextTests {
  /// 61.5 of 100.
  private static let inputs = StressScore.Inputs(
    hrv: 20, heartRate: 90, baselineHRV: 50, restingHeartRate: 60)

  private func lines(_ quality: WindowQuality?) throws -> [String] {
    let score = try StressScore(Self.inputs)
    let interval = ExplainedInterval(score, quality: quality)
    return Explanation(score: score, confidence: Confidence(), interval: interval).text()
      .split(separator: "\n").map(String.init)
  }

  @Test func eachComponentHasItsNumbers() throws {
    var quality = WindowQuality()
    (quality.contactLost, quality.abnormalBeats) = (0.25, 0.125)
    let lines = try lines(quality)
    let parts = StressInterval.components(quality)
    #expect(parts.count == 3)
    for (name, quantity) in [
      ("lost contact", WindowQuality.Quantity.contactLost), ("abnormal beats", .abnormalBeats),
    ] {
      let part = try #require(parts.first { $0.quantity == quantity })
      let line = try #require(lines.first { $0.contains("  \(name) ") })
      #expect(line.contains(quality[quantity].fixed(3)) && line.contains("\(part.fallPercent.fixed(1)) %"))
      #expect(line.hasSuffix("\(part.risePercent.fixed(1)) %"))
    }
    #expect(!lines.contains { $0.contains("is assumed") })
  }

  @Test func rangeAndIntervalAreShown() throws {
    let (score, lines) = (try StressScore(Self.inputs), try lines(.undisturbed))
    let interval = ExplainedInterval(score, quality: .undisturbed)
    let (window, range) = (interval.ofWindow, interval.range)
    #expect(lines[0] == "Stress 61.5 of 100 (\(StressValueText.text(range))): Moderate")
    #expect(lines.contains { $0.hasPrefix("Interval \(window.low.fixed(1)) to \(window.high.fixed(1)): ") })
    #expect(
      lines.contains {
        $0.hasPrefix("Range \(range.lowerBound.fixed(1)) to \(range.upperBound.fixed(1)): ")
      })
    // The bounds follow from the HRV that is named beside them.
    let bounds = try #require(lines.first { $0.contains("  stress at HRV ") })
    #expect(bounds.contains("= \(window.high.fixed(1)),") && bounds.hasSuffix("= \(window.low.fixed(1))"))
  }

  @Test func typedNumbersStateTheAssumption() throws {
    #expect(try lines(nil).contains { $0.hasSuffix("(an undisturbed window is assumed):") })
  }

  @Test func aMeasurementOfAnEarlierVersionHasNoInterval() throws {
    let explanation = Explanation(score: try StressScore(Self.inputs), confidence: Confidence())
    #expect(explanation.text().hasPrefix("Stress 61.5 of 100: Moderate\n"))
    #expect(explanation.text().contains("\nInterval: not known"))
  }
}
