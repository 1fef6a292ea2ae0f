import HRV
import HeartRate
import JSONLines
import TestSupport
import Testing

@testable import Reports

/// Metrics of five intervals, computed by hand.
@Suite struct SeriesMetricsTests {
  /// Mean 810; deviations -10, 0, -20, -10, 40; differences 10, -20, 10, 50.
  private static let intervals = [800.0, 810, 790, 800, 850]
  private static let metrics = SeriesMetrics(Intervals.beats(intervals), .time)

  private static let expected: [(MetricDefinition, Double)] = [
    (.meanNN, 810),
    (.meanHeartRate, 74.074_074_074),
    // sqrt((100 + 0 + 400 + 100 + 1600) / 4)
    (.sdnn, 23.452_078_799),
    // sqrt((100 + 400 + 100 + 2500) / 4)
    (.rmssd, 27.838_821_814),
    // ln(775) / 2
    (.lnRMSSD, 3.326_431_515),
    // Differences about their mean, 12.5: sqrt((6.25 + 1056.25 + 6.25 + 1406.25) / 3)
    (.sdsd, 28.722_813_233),
    // 50 ms is not above 50 ms.
    (.pNN50, 0),
    // Only 50 ms of four differences is above 20 ms.
    (.pNN20, 25),
    // sqrt(825 / 2), sqrt(2 * 550 - 825 / 2)
    (.sd1, 20.310_096_012), (.sd2, 26.220_221_204),
    // 60,000 / 850, 60,000 / 790
    (.minHeartRate, 70.588_235_294), (.maxHeartRate, 75.949_367_089),
  ]

  @Test(arguments: expected.indices)
  func timeDomainEqualsHandComputedValues(place: Int) {
    let (metric, value) = Self.expected[place]
    #expect(isClose(Self.metrics[metric], value, 1e-8), "\(metric.key): \(Self.metrics[metric] ?? .nan)")
  }

  @Test func expectationsCoverTheTimeDomain() {
    #expect(Self.expected.map(\.0) == MetricCatalogue.timeDomain + MetricCatalogue.extremes)
    #expect(Self.metrics.metrics.map(\.metric) == Self.expected.map(\.0))
  }

  @Test(arguments: MetricsSelection.allCases)
  func selectionDecidesWhichMetricsAreComputed(selection: MetricsSelection) {
    let metrics = SeriesMetrics(Intervals.beats(Self.intervals), selection).metrics.map(\.metric)
    #expect(metrics.contains(.rmssd) == selection.includesTime)
    #expect(metrics.contains(.hf) == selection.includesFrequency)
    #expect(metrics.contains(.dfaAlpha1) == selection.includesNonlinear)
  }

  @Test func defaultSelectionDependsOnTheNumberOfBeats() {
    #expect(MetricsSelection.usual(beats: 19_999) == .all)
    #expect(MetricsSelection.usual(beats: 20_000) == .time)
  }

  @Test func jsonHasTheValuesUnderTheirKeysAndReasonsForAbsentOnes() throws {
    var line = JSONLine()
    line.line { $0.put(SeriesMetrics(Intervals.beats(Self.intervals), .all)) }
    let json = try JSONValue(String(decoding: line.bytes, as: UTF8.self))
    #expect(json["beats"]?.number == 5)
    #expect(isClose(json["rmssd_ms"]?.number, 27.838_821_814, 1e-8))
    #expect(isClose(json["sdnn_ms"]?.number, 23.452_078_799, 1e-8))
    #expect(json["hf_ms2"] == .null)
    #expect(json["absent"]?["hf_ms2"]?.text?.isEmpty == false)
    #expect(json["absent"]?["sample_entropy"]?.text?.isEmpty == false)
    #expect(json["absent"]?["rmssd_ms"] == nil)
  }

  @Test func bandsOfASineHaveItsPower() {
    // Intervals that vary by 30 ms with a period of 4 s: a power of 30^2 / 2 in HF (0.25 Hz), and none in LF.
    var (time, intervals) = (0.0, [Double]())
    while time < 300 {
      let length = 800 + 30 * sine(time / 4)
      intervals.append(length)
      time += length / 1000
    }
    let metrics = SeriesMetrics(Intervals.beats(intervals), .frequency)
    #expect(isClose(metrics[.hf], 450, 25), "\(metrics[.hf] ?? .nan)")
    #expect(isClose(metrics[.lf], 0, 5))
    #expect(isClose(metrics[.respiration], 15, 0.2))
    #expect(isClose(metrics[.lfNormalised].flatMap { low in metrics[.hfNormalised].map { low + $0 } }, 100))
  }

  /// Sine of an angle in turns, as a Taylor series.
  private func sine(_ turns: Double) -> Double {
    let x = 2 * Double.pi * (turns - turns.rounded())
    var (term, sum) = (x, x)
    for n in stride(from: 2.0, to: 40, by: 2) {
      term *= -x * x / (n * (n + 1))
      sum += term
    }
    return sum
  }
}
