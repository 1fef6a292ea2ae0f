import RealModule

/// The spectrum of an autoregressive model of NN intervals, for comparison with programs that use it.
///
/// Each run of normal beats of at least 57 s is resampled at equal intervals, and its mean is removed. One model is
/// fitted to all runs by the method of Burg (1975), whose reflection coefficients are computed from the sums over
/// all runs (de Waele & Broersen 2000); no prediction spans a gap or an artefact. The density is that of the model,
/// and the power of a band is its integral (``AutoregressiveDensity``), not a sum over the frequencies of the curve.
///
/// - Complexity: O(samples * order).
public struct Autoregressive: Equatable, Sendable {
  /// Order of the model; 16, as in Kubios and pyHRV. Boardman et al. (2002) recommend at least 16.
  public var order = 16
  /// Sampling rate in Hz of the cubic interpolation.
  public var rate = 4.0
  /// Removes the trend of each run. By default, only the mean is removed.
  public var trend: SmoothnessPriors?

  /// Minimum length of a run in seconds; up to 5 % less suffice.
  public static let shortestRun = 60.0
  /// Number of frequencies of the curve per Hz.
  static let frequenciesPerHertz = 2000.0

  public init() {}

  /// Computes the spectrum of `segments` up to 0.5 Hz.
  /// - Throws: `tooShort` without a run of 57 s, and `unchanging` if all intervals are equal.
  public func spectrum(of segments: NNSegments) throws(Absence) -> PowerSpectrum {
    let resampler = RunResampler(rate: rate, interpolation: .cubic, trend: trend)
    let runs = resampler.runs(segments)
    let longest = runs.map(\.count).max() ?? 0
    let least = Int(SpectralBands.leastLength(for: Self.shortestRun) * rate)
    guard longest >= max(least, order + 2) else {
      throw .tooShort(found: Double(longest) / rate, needed: Self.shortestRun)
    }
    guard segments.lengths.contains(where: { $0 != segments.lengths[0] }) else { throw .unchanging }
    let samples = runs.filter { $0.count >= max(least, order + 2) }.map { run, count in
      Self.centred(resampler.samples(segments, run, count: count))
    }
    let model = AutoregressiveDensity(BurgModel(samples, order: order), rate: rate)
    let grid = FrequencyGrid(
      first: 0, perHertz: Self.frequenciesPerHertz,
      count: 1 + Int(LombScargle.highestFrequency * Self.frequenciesPerHertz))
    return PowerSpectrum(
      frequencies: grid, density: model.curve(on: grid), windowLength: Double(longest) / rate, windows: 1,
      model: model)
  }

  private static func centred(_ samples: [Double]) -> [Double] {
    let mean = samples.reduce(0, +) / Double(samples.count)
    return samples.map { $0 - mean }
  }
}

/// An autoregressive model: x[n] + a1 x[n - 1] + ... + ap x[n - p] is white noise.
struct BurgModel: Equatable, Sendable {
  /// a1 to ap.
  private(set) var coefficients: [Double] = []
  /// Variance of the white noise, in the squared unit of the samples.
  private(set) var noise: Double

  /// Fits a model to several series with a mean of zero.
  init(_ series: [[Double]], order: Int) {
    var (forward, backward) = (series, series)
    let count = series.reduce(0) { $0 + $1.count }
    noise = series.joined().reduce(0) { $0 + $1 * $1 } / Double(max(count, 1))
    for _ in 0..<order {
      let reflection = Self.reflection(forward, backward)
      let previous = coefficients
      coefficients = previous.indices.map { previous[$0] + reflection * previous[previous.count - 1 - $0] }
      coefficients.append(reflection)
      noise *= 1 - reflection * reflection
      for index in series.indices { Self.update(&forward[index], &backward[index], reflection) }
    }
  }

  /// Returns the coefficient that minimises the sum of the squared forward and backward prediction errors.
  private static func reflection(_ forward: [[Double]], _ backward: [[Double]]) -> Double {
    var (products, squares) = (0.0, 0.0)
    for (forward, backward) in zip(forward, backward) {
      for (ahead, behind) in zip(forward.dropFirst(), backward.dropLast()) {
        products += ahead * behind
        squares += ahead * ahead + behind * behind
      }
    }
    return squares > 0 ? -2 * products / squares : 0
  }

  /// Computes the prediction errors of the next order, which are one fewer.
  private static func update(_ forward: inout [Double], _ backward: inout [Double], _ reflection: Double) {
    let pairs = zip(forward.dropFirst(), backward.dropLast())
    let next = pairs.map { ($0 + reflection * $1, $1 + reflection * $0) }
    (forward, backward) = (next.map(\.0), next.map(\.1))
  }
}
