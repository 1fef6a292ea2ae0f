import HeartRate
import RealModule
import TestSupport
import Testing

@testable import HRV

@Suite struct SmoothnessPriorsTests {
  private static let values = [800.0, 810, 790, 820, 830, 805, 795, 815, 840, 825]

  private static let solutions: [(lambda: Double, detrended: [Double])] = [
    (
      1,
      [
        -0.6657380474416641, 6.457727341007967, -15.753069223100852, 6.909882966665236, 14.407663839840438,
        -5.208529640706388, -13.29516435194671, -1.0001775301459475, 13.823657940377075, -5.6762532945499515,
      ]
    ),
    (
      500,
      [
        -0.45470044862076975, 6.757492444538002, -16.03031284350152, 11.181858476092202, 18.394045313402216,
        -9.393758148922302, -22.181631304413486, -4.969615971570988, 17.24233475763117, -0.5457123303175422,
      ]
    ),
  ]

  /// (I - (I + lambda^2 D2' D2)^-1) values, computed with numpy.linalg.solve of the dense matrix.
  @Test(arguments: solutions.indices)
  func evenlySpacedSamplesEqualTheDenseSolution(place: Int) {
    let (lambda, expected) = Self.solutions[place]
    let detrended = SmoothnessPriors(lambda: lambda).detrended(Self.values, step: 0.25)
    for (value, expected) in zip(detrended, expected) { #expect(abs(value - expected) < 1e-6) }
  }

  @Test func aLineIsRemovedCompletelyAtAnyDistances() {
    let times = [0.0, 0.8, 1.7, 2.4, 3.6, 4.1, 7.0, 7.9]
    let detrended = SmoothnessPriors().detrended(
      times.map { 800 + 3 * $0 }, at: times, durations: Array(repeating: 0.8, count: times.count))
    #expect(detrended.allSatisfy { abs($0) < 1e-6 })
  }

  /// Tarvainen et al. 2002: with lambda 500 at 4 Hz, the cut-off frequency is 0.035 Hz.
  @Test(arguments: [0.25, 0.8])
  func theCutOffInHertzDoesNotDependOnTheDistanceOfTheValues(step: Double) {
    func gain(_ frequency: Double) -> Double {
      let times = (0..<Int(1200 / step)).map { Double($0) * step }
      let values = times.map { Double.sin(2 * .pi * frequency * $0) }
      let detrended = SmoothnessPriors().detrended(
        values, at: times, durations: Array(repeating: step, count: times.count))
      let middle = detrended.count / 4..<3 * detrended.count / 4
      let squares = detrended[middle].reduce(0) { $0 + $1 * $1 }
      return (2 * squares / Double(middle.count)).squareRoot()
    }
    #expect(gain(0.005) < 0.01)
    #expect((0.4...0.8).contains(gain(0.035)))
    #expect(gain(0.1) > 0.95)
  }

  @Test(arguments: SpectrumSettings.Method.allCases)
  func slowOscillationsAreAbsentFromEachSpectrumAndHighFrequenciesRemain(method: SpectrumSettings.Method) {
    // Without noise, the peaks of the autoregressive model are narrower than the grid of frequencies.
    var random = SeededGenerator(seed: 1)
    let beats = SyntheticBeats.series(seconds: 600) {
      900 + 40 * .sin(2 * .pi * 0.008 * $0) + 20 * .sin(2 * .pi * 0.25 * $0)
        + 5 * SyntheticBeats.gaussian(&random)
    }
    let segments = NNSegments(beats)
    let usual = SpectralBands(segments, settings: SpectrumSettings(method: method))
    let detrended = SpectralBands(
      segments, settings: SpectrumSettings(method: method, detrending: .smoothnessPriors))
    #expect((usual.vlf.value ?? 0) > 100)
    #expect((detrended.vlf.value ?? .infinity) < 0.05 * (usual.vlf.value ?? 0))
    #expect(agree(detrended.hf.value, usual.hf.value, 0.05))
  }
}
