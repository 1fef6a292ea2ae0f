/// The Lomb-Scargle spectrum of NN intervals, computed without resampling.
///
/// Each stretch between gaps is covered by windows of equal length that overlap by at least half. In each
/// window the trend is removed and the periodogram of the NN intervals at their end times is computed. The
/// spectrum is the mean of all windows (as in Welch 1967). Beats that are not normal are omitted and not
/// replaced. Frequencies are multiples of 1 / window length up to 0.5 Hz; above the mean Nyquist frequency of
/// a window, where the periodogram is periodic, its density is zero.
///
/// - Complexity: O(beats + windows), about 10 ms for 24 hours.
public struct LombScargle: Equatable, Sendable {
  /// The trend that is removed from a window before its periodogram.
  public enum Detrending: String, Sendable, CaseIterable {
    /// The mean.
    case constant
    /// The linear least-squares fit.
    case linear
  }

  /// Length of a window in seconds. If no stretch is that long, the length of the longest stretch is used.
  public var windowLength = 300.0
  /// Minimum fraction of a window, 0 to 1, that NN intervals must cover.
  public var minimumCoverage = 0.8
  /// Taper applied to each window.
  public var taper = Taper.hann
  /// Trend removed from each window.
  public var detrending = Detrending.linear
  /// Removes the trend of each stretch before it is divided into windows. Off by default.
  public var trend: SmoothnessPriors?

  /// Minimum window length in seconds; up to 5 % less suffice.
  public static let shortestWindow = 60.0
  /// Highest frequency of the spectrum in Hz.
  static let highestFrequency = 0.5

  public init() {}

  /// Computes the spectrum of `segments`.
  /// - Throws: `tooShort` without a stretch of 57 s, `tooSparse` if no window contains enough normal beats,
  ///   and `unchanging` if all intervals are equal.
  public func spectrum(of segments: NNSegments) throws(Absence) -> PowerSpectrum {
    let stretches = segments.stretches.map { ($0, segments.duration(of: $0)) }
    let longest = stretches.reduce(0) { max($0, $1.1) }
    let length = min(windowLength, longest)
    guard length >= SpectralBands.leastLength(for: Self.shortestWindow) else {
      throw .tooShort(found: longest, needed: Self.shortestWindow)
    }
    guard segments.lengths.contains(where: { $0 != segments.lengths[0] }) else { throw .unchanging }
    var sum = SpectrumSum(length: length, settings: self)
    for (stretch, duration) in stretches where duration >= length {
      let windows = 1 + ((duration - length) / (length / 2)).rounded(.up)
      let hop = windows > 1 ? (duration - length) / (windows - 1) : 0
      sum.add(segments, stretch, hop: hop, count: Int(windows))
    }
    return try sum.mean()
  }
}

/// Accumulates the periodograms of windows.
private struct SpectrumSum {
  private let length: Double
  private let settings: LombScargle
  private let periodogram: Periodogram
  private var density: [Double]
  private var windows = 0
  private var bestCoverage = 0.0

  init(length: Double, settings: LombScargle) {
    self.length = length
    self.settings = settings
    let count = 1 + Int(LombScargle.highestFrequency * length)
    periodogram = Periodogram(FrequencyGrid(first: 0, perHertz: length, count: count))
    density = Array(repeating: 0, count: count)
  }

  /// Adds the windows of a stretch. Each contains the beats with end times in (start, start + length].
  mutating func add(_ segments: NNSegments, _ stretch: Range<Int>, hop: Double, count: Int) {
    let origin = segments.start(of: stretch)
    let times = stretch.map { NNSegments.seconds(segments.ends[$0] - origin) }
    let lengths = stretch.map { NNSegments.milliseconds(segments.lengths[$0]) }
    let values =
      settings.trend?.detrended(lengths, at: times, durations: lengths.map { $0 / 1000 }) ?? lengths
    var (lower, upper) = (0, 0)
    for window in 0..<count {
      let start = Double(window) * hop
      let end = window == count - 1 ? .infinity : start + length
      while lower < times.count, times[lower] <= start, start > 0 { lower += 1 }
      while upper < times.count, times[upper] <= end { upper += 1 }
      guard lower < upper else { continue }
      add(
        times: times[lower..<upper].map { $0 - start }, values: Array(values[lower..<upper]),
        covered: lengths[lower..<upper].reduce(0, +))
    }
  }

  /// Density is the power of the sine multiplied by the length of the window and divided by the taper's
  /// equivalent noise bandwidth.
  /// - Parameter covered: sum of the intervals in ms.
  private mutating func add(times: [Double], values: [Double], covered: Double) {
    let coverage = covered / 1000 / length
    bestCoverage = max(bestCoverage, coverage)
    guard coverage >= settings.minimumCoverage, values.count > 2 else { return }
    let tapered = times.map { settings.taper.weight(at: $0 / length) }
    let total = tapered.reduce(0, +)
    guard total > 0 else { return }
    let weights = tapered.map { $0 / total }
    let detrended = settings.detrending == .linear ? Self.withoutLine(times, values) : values
    let power = periodogram(times: times, values: detrended, weights: weights)
    let bandwidth = weights.reduce(0) { $0 + $1 * $1 } * Double(values.count)
    let nyquist = 500 * Double(values.count) / covered
    for index in density.indices where periodogram.frequencies[index] <= nyquist {
      density[index] += power[index] * length / bandwidth
    }
    windows += 1
  }

  private static func withoutLine(_ times: [Double], _ values: [Double]) -> [Double] {
    let count = Double(times.count)
    let meanTime = times.reduce(0, +) / count
    let mean = values.reduce(0, +) / count
    var (covariance, variance) = (0.0, 0.0)
    for (time, value) in zip(times, values) {
      covariance += (time - meanTime) * (value - mean)
      variance += (time - meanTime) * (time - meanTime)
    }
    let slope = variance > 0 ? covariance / variance : 0
    return zip(times, values).map { $1 - mean - slope * ($0 - meanTime) }
  }

  func mean() throws(Absence) -> PowerSpectrum {
    guard windows > 0 else { throw .tooSparse(found: bestCoverage, needed: settings.minimumCoverage) }
    return PowerSpectrum(
      frequencies: periodogram.frequencies, density: density.map { $0 / Double(windows) },
      windowLength: length, windows: windows)
  }
}
