import HeartRate
import RealModule
import TestSupport
import Testing

@testable import HRV

@Suite struct AutoregressiveTests {
  /// x[n] = 1.5 x[n - 1] - 0.8 x[n - 2] + noise of SD 3.
  private static func process(_ count: Int, seed: UInt64) -> [Double] {
    var generator = SeededGenerator(seed: seed)
    var values = [0.0, 0.0]
    for _ in 0..<count {
      values.append(
        1.5 * values[values.count - 1] - 0.8 * values[values.count - 2]
          + 3 * SyntheticBeats.gaussian(&generator))
    }
    return Array(values.dropFirst(2))
  }

  @Test func theModelOfAKnownProcessHasItsCoefficients() {
    let model = BurgModel([Self.process(20_000, seed: 3)], order: 2)
    #expect(abs(model.coefficients[0] + 1.5) < 0.02 && abs(model.coefficients[1] - 0.8) < 0.02)
    #expect(agree(model.noise, 9, 0.03))
  }

  @Test func severalSegmentsGiveTheSameModelAsOneLongOne() {
    let values = Self.process(20_000, seed: 4)
    let parts = [Array(values[..<5000]), Array(values[5000..<12_000]), Array(values[12_000...])]
    let (whole, divided) = (BurgModel([values], order: 4), BurgModel(parts, order: 4))
    for (a, b) in zip(whole.coefficients, divided.coefficients) { #expect(abs(a - b) < 0.005) }
  }

  @Test func theDensityAddsUpToTheVariance() {
    let values = Self.process(4000, seed: 5)
    let model = BurgModel([values], order: 2)
    let power = (0..<2000).reduce(0.0) { $0 + model.density(at: Double($1) / 1000, rate: 4) / 1000 }
    let variance = values.reduce(0) { $0 + $1 * $1 } / Double(values.count)
    #expect(agree(power, variance, 0.05))
  }

  @Test("The band of a sine in noise has its power", arguments: [0.1, 0.25])
  func sine(frequency: Double) throws {
    var generator = SeededGenerator(seed: 6)
    let beats = SyntheticBeats.series(seconds: 600) {
      900 + 30 * .sin(2 * .pi * frequency * $0) + 5 * SyntheticBeats.gaussian(&generator)
    }
    let bands = SpectralBands(autoregressive: NNSegments(beats))
    let value = frequency < 0.15 ? bands.lf.value : bands.hf.value
    #expect(agree(value, 450, 0.15), "\(String(describing: value))")
  }

  @Test func aRunShorterThanAMinuteHasNoSpectrum() {
    let bands = SpectralBands(
      autoregressive: NNSegments(SyntheticBeats.sine(0.1, amplitude: 30, seconds: 50)))
    guard case .tooShort = bands.hf.absence else {
      Issue.record("\(bands.hf)")
      return
    }
  }
}
