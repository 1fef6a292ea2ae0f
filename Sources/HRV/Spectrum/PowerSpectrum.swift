/// A one-sided power spectral density of NN intervals.
///
/// It is scaled so that the sum over all frequencies times their distance is the variance of the series, and a
/// sine of amplitude a has a power of a^2 / 2.
public struct PowerSpectrum: Equatable, Sendable {
  /// In Hz, from the lowest to the highest.
  public let frequencies: FrequencyGrid
  /// In ms^2/Hz, for each frequency.
  public let density: [Double]
  /// Length in seconds of the windows that were averaged.
  public let windowLength: Double
  /// How many windows were averaged.
  public let windows: Int

  /// How density becomes power.
  public enum Integration: Sendable {
    /// The sum over the frequencies of a band times their distance: bands that meet lose nothing between them.
    case sum
    /// The trapezoidal rule over the frequencies of a band: half a step is lost at each end.
    case trapezoid
  }

  /// Power in ms^2 of the frequencies of `band`, in Hz.
  public func power(in band: Range<Double>, by integration: Integration = .sum) -> Double {
    let inside = indices(of: band)
    let sum = density[inside].reduce(0, +)
    guard integration == .trapezoid else { return sum * frequencies.step }
    guard let first = density[inside].first, let last = density[inside].last else { return 0 }
    return (sum - (first + last) / 2) * frequencies.step
  }

  /// Where in the density the frequencies of `band` are.
  func indices(of band: Range<Double>) -> Range<Int> {
    let start = density.indices.first { frequencies[$0] >= band.lowerBound } ?? density.endIndex
    let end = density.indices[start...].first { frequencies[$0] >= band.upperBound } ?? density.endIndex
    return start..<end
  }
}
