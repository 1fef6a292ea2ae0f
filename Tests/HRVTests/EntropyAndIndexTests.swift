import HeartRate
import RealModule
import TestSupport
import Testing

@testable import HRV

@Suite struct EntropyAndIndexTests {
  /// Phi of the definition (Pincus 1991), by comparing all pairs.
  private func phi(_ values: [Int32], _ length: Int, _ reach: Double) -> Double {
    let count = values.count - length + 1
    let logarithms = (0..<count).map { first in
      let matches = (0..<count).count { second in
        (0..<length).allSatisfy { abs(Double(values[first + $0]) - Double(values[second + $0])) <= reach }
      }
      return Double.log(Double(matches) / Double(count))
    }
    return logarithms.reduce(0, +) / Double(count)
  }

  @Test func approximateEntropyEqualsADirectComputationOfTheDefinition() {
    var generator = SeededGenerator(seed: 21)
    let segments = NNSegments(SyntheticBeats.noise(seconds: 300, &generator))
    let reach = 0.2 * (NNSums(segments).sdnn ?? 0) * NNSegments.ticksPerMillisecond
    let expected =
      phi(segments.lengths, 2, reach.rounded(.down)) - phi(segments.lengths, 3, reach.rounded(.down))
    #expect(agree(ApproximateEntropy().entropy(of: segments).value, expected, 1e-12))
  }

  @Test func approximateEntropyOfARegularSeriesIsSmallerThanThatOfNoise() throws {
    var generator = SeededGenerator(seed: 22)
    let regular = NNSegments(SyntheticBeats.sine(0.1, amplitude: 40, seconds: 600))
    let noise = NNSegments(SyntheticBeats.noise(seconds: 600, &generator))
    let (low, high) = (
      try #require(ApproximateEntropy().entropy(of: regular).value),
      try #require(ApproximateEntropy().entropy(of: noise).value)
    )
    #expect(low < 0.5 * high)
  }

  @Test func approximateEntropyNeedsAHundredIntervalsThatDiffer() {
    let short = NNSegments(raw: Array(repeating: RRInterval(ticks: 64_000_000), count: 99))
    #expect(ApproximateEntropy().entropy(of: short).absence == .tooFewBeats(found: 99, needed: 100))
    let equal = NNSegments(raw: Array(repeating: RRInterval(ticks: 64_000_000), count: 200))
    #expect(ApproximateEntropy().entropy(of: equal).absence == .unchanging)
  }

  @Test("Alpha2 is 0.5 for white noise, 1 for 1/f noise and 1.5 for a random walk", arguments: [0.0, 1, 2])
  func longTermExponent(exponent: Double) throws {
    var generator = SeededGenerator(seed: 23)
    let intervals = SyntheticBeats.colouredIntervals(exponent: exponent, count: 3000, &generator)
    let alpha = try #require(FluctuationAnalysis.longTerm.exponent(of: NNSegments(raw: intervals)).value)
    #expect(abs(alpha - (0.5 + exponent / 2)) < 0.15, "\(alpha)")
  }

  @Test func alpha2NeedsTenBoxesOf64Beats() {
    var generator = SeededGenerator(seed: 24)
    let intervals = SyntheticBeats.colouredIntervals(exponent: 1, count: 630, &generator)
    #expect(
      FluctuationAnalysis.longTerm.exponent(of: NNSegments(raw: intervals)).absence
        == .tooFewBeats(found: 576, needed: 640))
  }

  /// The indices by hand from SDNN, RMSSD, mean and stress index of the same intervals.
  @Test func autonomicIndicesAreMeansOfZScores() throws {
    let segments = NNSegments(SyntheticBeats.sine(0.2, amplitude: 45, seconds: 300))
    let sums = NNSums(segments)
    let (mean, rmssd) = (try #require(sums.meanNN), try #require(sums.rmssd))
    let (sd1, sd2) = (try #require(sums.sd1), try #require(sums.sd2))
    let percent = 100 * sd1 / (sd1 + sd2)
    let stress = try #require(StressIndex(segments).value.value)
    let indices = AutonomicIndices(segments)
    let parasympathetic = (mean - 926) / 90 + (rmssd - 42) / 15 + (percent - 31.6) / 12.6
    let sympathetic =
      (60_000 / mean - 64.8) / 6.3 + (stress.squareRoot() - 9.66) / 2.59 + (100 - percent - 68.4) / 12.6
    #expect(agree(indices.parasympathetic.value, parasympathetic / 3, 1e-12))
    #expect(agree(indices.sympathetic.value, sympathetic / 3, 1e-12))
  }

  @Test func aFastRegularHeartHasAHighSympatheticAndALowParasympatheticIndex() throws {
    let calm = AutonomicIndices(NNSegments(SyntheticBeats.sine(0.2, amplitude: 60, seconds: 300)))
    let fast = AutonomicIndices(
      NNSegments(SyntheticBeats.series(seconds: 300) { 500 + 5 * .sin(2 * .pi * 0.2 * $0) }))
    #expect(try #require(fast.sympathetic.value) > 3 && #require(fast.parasympathetic.value) < -1.5)
    #expect(try #require(fast.sympathetic.value) > #require(calm.sympathetic.value))
  }
}
