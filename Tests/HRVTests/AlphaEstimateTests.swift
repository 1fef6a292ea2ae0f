import HeartRate
import TestSupport
import Testing

@testable import HRV

@Suite struct AlphaEstimateTests {
  /// `make nightly` simulates 10,000 series of each process: `swift run -c release AlphaFigures`.
  @Test(arguments: [
    SimulatedProcess.fractionalNoise(hurst: 0.75, length: 240),
    SimulatedProcess.autoregressive(0.8, length: 240),
  ])
  func intervalContainsTheMeanInNineOfTenSimulations(_ process: SimulatedProcess) throws {
    var random = SeededGenerator(seed: 1)
    let estimates = try (0..<600).map { _ in try AlphaEstimate(process.beats(240, using: &random)) }
    let mean = estimates.reduce(0) { $0 + $1.alpha1 } / 600
    let coverage = Double(estimates.count { $0.interval.contains(mean) }) / 600
    // Two percent, and three standard errors of 600 simulations.
    #expect((0.845...0.955).contains(coverage), "\(process.name): \(coverage)")
  }

  @Test func valueIsThatOfTheFluctuationAnalysis() throws {
    var random = SeededGenerator(seed: 2)
    let beats = SimulatedProcess.fractionalNoise(hurst: 0.6, length: 300).beats(300, using: &random)
    let estimate = try AlphaEstimate(beats)
    #expect(estimate.alpha1 == FluctuationAnalysis().exponent(of: NNSegments(beats)).value)
    #expect(estimate.interval.contains(estimate.alpha1))
  }

  @Test func artefactsAboveFivePercentAreRefused() throws {
    var random = SeededGenerator(seed: 3)
    var beats = SimulatedProcess.fractionalNoise(hurst: 0.6, length: 240).beats(240, using: &random)
    for index in 0..<12 { beats[index].verdict = .ectopic }
    #expect(throws: Never.self) { try AlphaEstimate(beats) }
    beats[12].verdict = .ectopic
    #expect(throws: AlphaEstimate.Reason.tooManyArtefacts(13.0 / 240)) { try AlphaEstimate(beats) }
  }

  @Test func fewBeatsHaveNoEstimate() {
    var random = SeededGenerator(seed: 4)
    let beats = SimulatedProcess.fractionalNoise(hurst: 0.6, length: 240).beats(159, using: &random)
    #expect(throws: AlphaEstimate.Reason.absent(.tooFewBeats(found: 144, needed: 160))) {
      try AlphaEstimate(beats)
    }
    #expect(throws: AlphaEstimate.Reason.self) { try AlphaEstimate([]) }
  }

  /// Fewer beats, and runs that divide them, widen the interval.
  @Test func standardErrorDependsOnTheBeatsInBoxes() throws {
    var random = SeededGenerator(seed: 5)
    var beats = SimulatedProcess.fractionalNoise(hurst: 0.6, length: 300).beats(300, using: &random)
    let whole = FluctuationAnalysis().coveredBeats(of: NNSegments(beats))
    for index in stride(from: 20, to: 300, by: 40) { beats[index].verdict = .ectopic }
    let divided = FluctuationAnalysis().coveredBeats(of: NNSegments(beats))
    #expect(whole > 290 && divided < 280 && divided > 200)
    #expect(
      AlphaEstimate.standardError(of: 0.6, beats: divided)
        > AlphaEstimate.standardError(of: 0.6, beats: whole))
  }

  @Test func intensityIsThatOfTheInterval() throws {
    var random = SeededGenerator(seed: 6)
    for (hurst, expected): (Double, [AlphaEstimate.Intensity]) in [
      (0.95, [.belowAerobic]), (0.68, [.nearAerobic]), (0.1, [.aboveAnaerobic]),
    ] {
      let process = SimulatedProcess.fractionalNoise(hurst: hurst, length: 360)
      let estimate = try AlphaEstimate(process.beats(360, using: &random))
      #expect(expected.contains(estimate.intensity), "\(estimate)")
    }
  }
}
