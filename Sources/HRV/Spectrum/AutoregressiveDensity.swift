import ComplexModule
import RealModule

/// The power spectral density of an autoregressive model, and its integral.
///
/// A narrow rhythm is a pole close to the unit circle: its peak is narrower than any practical grid of frequencies. The
/// density is therefore integrated adaptively from pole to pole, by the rule of Gauss and Kronrod with 7 and 15 points. An
/// interval is halved until both rules agree to 1e-7 of its power. As the density is positive, this is also the bound of
/// the relative error of a band, up to rounding.
struct AutoregressiveDensity: Equatable, Sendable {
  private let coefficients: [Double]
  private let noise: Double
  /// Sampling rate in Hz.
  private let rate: Double
  /// Frequencies and half widths of the poles between 0 and half the sampling rate, in Hz, by frequency.
  let peaks: [Peak]

  struct Peak: Equatable, Sendable {
    let frequency: Double
    let halfWidth: Double
  }

  init(_ model: BurgModel, rate: Double) {
    (coefficients, noise, self.rate) = (model.coefficients, model.noise, rate)
    let hertz = rate / (2 * .pi)
    peaks = PolynomialRoots(model.coefficients).roots.filter { $0.imaginary > -1e-12 }
      .map { Peak(frequency: $0.phase * hertz, halfWidth: abs(1 - $0.length) * hertz) }
      .sorted { $0.frequency < $1.frequency }
  }

  /// The one-sided density per Hz at `frequency` in Hz.
  func callAsFunction(_ frequency: Double) -> Double {
    let angle = 2 * Double.pi * frequency / rate
    let step = Complex(.cos(angle), -.sin(angle))
    // Horner: 1 + z (a1 + z (a2 + ...)), z = exp(-i angle).
    let sum = coefficients.reversed().reduce(Complex.zero) { ($0 + Complex($1)) * step } + Complex(1)
    return 2 * noise / (rate * sum.lengthSquared)
  }

  /// The integral of the density over `band`, in Hz.
  func power(in band: Range<Double>) -> Double {
    let inside = peaks.map(\.frequency).filter { band.lowerBound < $0 && $0 < band.upperBound }
    let limits = [band.lowerBound] + inside + [band.upperBound]
    return zip(limits, limits.dropFirst()).reduce(0) { $0 + integral($1.0, $1.1, depth: 0) }
  }

  /// The density at each frequency of `grid`. Near a peak that is narrower than four steps, it is the mean over the step
  /// around the frequency: the curve shows every peak, and the area below it is the power.
  func curve(on grid: FrequencyGrid) -> [Double] {
    var density = (0..<grid.count).map { self(grid[$0]) }
    let half = grid.step / 2
    for peak in peaks where peak.halfWidth < 4 * grid.step {
      let nearest = Int(((peak.frequency - grid.first) * grid.perHertz).rounded())
      for index in max(0, nearest - 8)..<max(0, min(grid.count, nearest + 9)) {
        let start = max(0, grid[index] - half)
        density[index] = power(in: start..<grid[index] + half) / (grid[index] + half - start)
      }
    }
    return density
  }

  // MARK: Integration

  /// Limit of the number of halvings; the interval then has 1e-15 of its first length.
  private static let deepest = 50
  private static let tolerance = 1e-7

  private func integral(_ start: Double, _ end: Double, depth: Int) -> Double {
    let (coarse, fine) = rules(start, end)
    guard abs(fine - coarse) > Self.tolerance * fine, depth < Self.deepest else { return fine }
    let middle = (start + end) / 2
    return integral(start, middle, depth: depth + 1) + integral(middle, end, depth: depth + 1)
  }

  /// The integral by the rule of Gauss with 7 points, and by its extension of Kronrod with 15.
  private func rules(_ start: Double, _ end: Double) -> (gauss: Double, kronrod: Double) {
    let (centre, half) = ((start + end) / 2, (end - start) / 2)
    var (gauss, kronrod) = (0.0, 0.0)
    for rule in Self.nodes {
      let value =
        rule.node == 0 ? self(centre) : self(centre - half * rule.node) + self(centre + half * rule.node)
      kronrod += rule.kronrod * value
      gauss += rule.gauss * value
    }
    return (gauss * half, kronrod * half)
  }

  /// Nodes from 0 to 1 with their weights (Kronrod 1965).
  private static let nodes: [(node: Double, kronrod: Double, gauss: Double)] = [
    (0.991_455_371_120_812_6, 0.022_935_322_010_529_22, 0),
    (0.949_107_912_342_758_5, 0.063_092_092_629_978_55, 0.129_484_966_168_869_7),
    (0.864_864_423_359_769_1, 0.104_790_010_322_250_2, 0),
    (0.741_531_185_599_394_4, 0.140_653_259_715_525_9, 0.279_705_391_489_276_7),
    (0.586_087_235_467_691_1, 0.169_004_726_639_267_9, 0),
    (0.405_845_151_377_397_2, 0.190_350_578_064_785_4, 0.381_830_050_505_118_9),
    (0.207_784_955_007_898_5, 0.204_432_940_075_298_9, 0),
    (0, 0.209_482_141_084_727_8, 0.417_959_183_673_469_4),
  ]
}

/// The roots of z^n + a1 z^(n - 1) + ... + an, by simultaneous iteration (Aberth 1973; Ehrlich 1967).
///
/// - Complexity: O(n^2) per iteration; 10 to 30 iterations for n = 16.
struct PolynomialRoots {
  private let coefficients: [Complex<Double>]
  private(set) var roots: [Complex<Double>]

  private static let mostIterations = 200

  /// - Parameter coefficients: a1 to an.
  init(_ coefficients: [Double]) {
    self.coefficients = coefficients.map { Complex($0) }
    // Not on one circle around a symmetric grid of angles, because conjugate starting values never separate.
    let count = Double(coefficients.count)
    roots = coefficients.indices.map {
      Complex(length: 0.9, phase: 2 * .pi * (Double($0) + 0.25) / count + 0.1)
    }
    for _ in 0..<Self.mostIterations where improve() < 1e-15 { break }
  }

  /// Moves each root by one step; the largest step.
  private mutating func improve() -> Double {
    var largest = 0.0
    for index in roots.indices {
      let step = step(index)
      guard step.isFinite else { continue }
      roots[index] -= step
      largest = max(largest, step.length)
    }
    return largest
  }

  private func step(_ index: Int) -> Complex<Double> {
    let root = roots[index]
    var (value, derivative) = (Complex<Double>(1), Complex<Double>.zero)
    for coefficient in coefficients {
      derivative = derivative * root + value
      value = value * root + coefficient
    }
    let newton = value / derivative
    let repulsion = roots.indices.reduce(Complex<Double>.zero) {
      $1 == index ? $0 : $0 + Complex(1) / (root - roots[$1])
    }
    return newton / (Complex(1) - newton * repulsion)
  }
}
