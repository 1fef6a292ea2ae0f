import RealModule

/// A one-sided power spectral density of NN intervals.
///
/// The sum over all frequencies multiplied by their distance is the variance of the series; a sine of
/// amplitude a has a power of a^2 / 2.
public struct PowerSpectrum: Equatable, Sendable {
  /// Frequencies in Hz, ascending.
  public let frequencies: FrequencyGrid
  /// Power spectral density in ms^2/Hz at each frequency.
  public let density: [Double]
  /// Length of the averaged windows in seconds.
  public let windowLength: Double
  /// Number of averaged windows.
  public let windows: Int
  /// The model of an autoregressive spectrum, whose integral replaces the sum over frequencies. Other methods have no model.
  let model: AutoregressiveDensity?

  init(
    frequencies: FrequencyGrid, density: [Double], windowLength: Double, windows: Int,
    model: AutoregressiveDensity? = nil
  ) {
    (self.frequencies, self.density, self.model) = (frequencies, density, model)
    (self.windowLength, self.windows) = (windowLength, windows)
  }

  /// How the power of a band is computed from the density.
  public enum Integration: Sendable {
    /// Sum over the frequencies of a band multiplied by their distance: the powers of adjacent bands add up
    /// exactly.
    case sum
    /// Trapezoidal rule over the frequencies of a band: omits half a step at each end.
    case trapezoid
  }

  /// Returns the power in ms^2 in `band`, in Hz. The power of an autoregressive spectrum is the integral of its model.
  public func power(in band: Range<Double>, by integration: Integration = .sum) -> Double {
    if let model, integration == .sum { return model.power(in: band) }
    let inside = indices(of: band)
    let sum = density[inside].reduce(0, +)
    guard integration == .trapezoid else { return sum * frequencies.step }
    guard let first = density[inside].first, let last = density[inside].last else { return 0 }
    return (sum - (first + last) / 2) * frequencies.step
  }

  /// Returns the indices of the frequencies in `band`.
  func indices(of band: Range<Double>) -> Range<Int> {
    let start = density.indices.first { frequencies[$0] >= band.lowerBound } ?? density.endIndex
    let end = density.indices[start...].first { frequencies[$0] >= band.upperBound } ?? density.endIndex
    return start..<end
  }
}

/// Equally spaced frequencies.
public struct FrequencyGrid: Equatable, Sendable {
  /// First frequency in Hz.
  public let first: Double
  /// Number of frequencies per Hz, in seconds. Stored instead of the step, because 12 / 300 equals the band
  /// limit 0.04 exactly, and 12 * (1 / 300) does not.
  public let perHertz: Double
  /// Number of frequencies.
  public let count: Int

  /// Distance between two neighbouring frequencies in Hz.
  public var step: Double { 1 / perHertz }

  /// The frequency at `index` in Hz.
  public subscript(index: Int) -> Double { first + Double(index) / perHertz }
}

/// The window function that weights the samples of a window.
public enum Taper: String, Sendable, CaseIterable {
  /// Rectangular: equal weights.
  case none
  case hann
  case hamming

  /// Returns the weight at `position`, from 0 (start of the window) to 1 (end).
  func weight(at position: Double) -> Double {
    switch self {
    case .none: 1
    case .hann: 0.5 - 0.5 * Double.cos(2 * .pi * position)
    case .hamming: 0.54 - 0.46 * Double.cos(2 * .pi * position)
    }
  }
}
