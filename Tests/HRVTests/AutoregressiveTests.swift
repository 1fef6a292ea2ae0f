import ComplexModule
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
    let power = AutoregressiveDensity(model, rate: 4).power(in: 0..<2)
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

  /// Regression: a sum over a grid of 1/2000 Hz missed or doubled the peak, by up to 82 %.
  @Test(
    "The band of a sharp peak has the power of the model",
    arguments: [(0.25, 30.0), (0.1, 60.0), (0.35, 30.0)], [0.5, 1, 3, 6, 20])
  func sharp(sine: (frequency: Double, amplitude: Double), noise: Double) throws {
    let segments = Self.paced(sine.frequency, sine.amplitude, noise: noise)
    let spectrum = try Autoregressive().spectrum(of: segments)
    let model = try BurgModel([Self.centredSamples(segments)], order: 16)
    for band in [SpectralBands.vlfBand, SpectralBands.lfBand, SpectralBands.hfBand] {
      let exact = Self.integral(of: model, over: band, rate: 4)
      #expect(agree(spectrum.power(in: band), exact, 1e-4), "\(band): \(spectrum.power(in: band)), \(exact)")
    }
    let area = spectrum.density.reduce(0, +) / 2000
    #expect(agree(area, spectrum.power(in: 0..<0.5), 0.01), "the curve shows the peak: \(area)")
  }

  @Test("Fine sums agree with the integral", arguments: [(0.25, 30.0), (0.1, 60.0), (0.35, 30.0)])
  func fineSums(sine: (frequency: Double, amplitude: Double)) throws {
    let segments = Self.paced(sine.frequency, sine.amplitude, noise: 1)
    let model = try BurgModel([Self.centredSamples(segments)], order: 16)
    let band = sine.frequency - 0.02..<sine.frequency + 0.02
    let power = try Autoregressive().spectrum(of: segments).power(in: band)
    #expect(agree(power, Self.sum(of: model, over: band, points: 400_000, rate: 4), 0.001), "\(power)")
  }

  private static func paced(_ frequency: Double, _ amplitude: Double, noise: Double) -> NNSegments {
    var generator = SeededGenerator(seed: 30)
    return NNSegments(
      SyntheticBeats.series(seconds: 300) {
        900 + amplitude * .sin(2 * .pi * frequency * $0) + noise * SyntheticBeats.gaussian(&generator)
      })
  }

  private static func centredSamples(_ segments: NNSegments) throws -> [Double] {
    let resampler = RunResampler(rate: 4, interpolation: .cubic)
    let (run, count) = try #require(resampler.runs(segments).first)
    let samples = resampler.samples(segments, run, count: count)
    let mean = samples.reduce(0, +) / Double(samples.count)
    return samples.map { $0 - mean }
  }

  /// The integral in closed form: the autocovariance is a sum of powers of the poles, whose Fourier series is a logarithm.
  private static func integral(of model: BurgModel, over band: Range<Double>, rate: Double) -> Double {
    let poles = PolynomialRoots(model.coefficients).roots
    func antiderivative(_ frequency: Double) -> Double {
      let angle = 2 * Double.pi * frequency / rate
      let (ahead, behind) = (Complex(length: 1, phase: angle), Complex(length: 1, phase: -angle))
      return poles.indices.reduce(0.0) { sum, k in
        let pole = poles[k]
        var residue = Complex(model.noise)
        for j in poles.indices {
          if j != k { residue /= 1 - poles[j] / pole }
          residue /= 1 - poles[j] * pole
        }
        let logarithms: Complex<Double> = .log(1 - pole * ahead) - .log(1 - pole * behind)
        return sum + (residue * (Complex(angle) + Complex.i * logarithms)).real
      }
    }
    return (antiderivative(band.upperBound) - antiderivative(band.lowerBound)) / .pi
  }

  /// The midpoint rule, without the poles.
  private static func sum(of model: BurgModel, over band: Range<Double>, points: Int, rate: Double) -> Double
  {
    let step = (band.upperBound - band.lowerBound) / Double(points)
    var total = 0.0
    for index in 0..<points {
      let angle = 2 * Double.pi * (band.lowerBound + (Double(index) + 0.5) * step) / rate
      var (real, imaginary) = (1.0, 0.0)
      for (place, coefficient) in model.coefficients.enumerated() {
        real += coefficient * .cos(angle * Double(place + 1))
        imaginary -= coefficient * .sin(angle * Double(place + 1))
      }
      total += 2 * model.noise / (rate * (real * real + imaginary * imaginary))
    }
    return total * step
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
