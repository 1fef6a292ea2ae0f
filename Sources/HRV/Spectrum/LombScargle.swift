/// The spectrum of NN intervals by Lomb-Scargle, straight from the beats: nothing is resampled.
///
/// Each stretch between gaps is covered by windows of equal length that overlap by half and more; in each the
/// trend is taken away, and the periodogram of the NN intervals at the times at which they ended is computed.
/// The spectrum is the mean over all windows (as in Welch 1967). Beats that are not normal are left out: nothing
/// stands in for them. Frequencies are whole multiples of 1 / window length, up to 0.5 Hz; above the mean Nyquist
/// frequency of a window, where the periodogram repeats itself, its density counts as zero.
///
/// - Complexity: O(beats + windows), some 10 ms for 24 hours.
public struct LombScargle: Equatable, Sendable {
  /// What is taken away from a window before its periodogram.
  public enum Detrending: String, Sendable, CaseIterable {
    /// The mean.
    case constant
    /// The line that fits best.
    case linear
  }

  /// Length of a window in seconds. A series without a stretch as long gets windows as long as its longest.
  public var windowLength = 300.0
  /// Share of its time, 0 to 1, that NN intervals must cover in a window for it to count.
  public var minimumCoverage = 0.8
  /// What each window is weighed with.
  public var taper = Taper.hann
  /// What is taken away from each window first.
  public var detrending = Detrending.linear

  /// Shortest window in seconds from which anything is computed.
  public static let shortestWindow = 60.0
  /// Highest frequency of the spectrum in Hz.
  static let highestFrequency = 0.5

  public init() {}

  /// The spectrum of `segments`.
  /// - Throws: `tooShort` without a stretch of 60 s, `tooSparse` where no window has enough normal beats, and
  ///   `unchanging` where all intervals are equal.
  public func spectrum(of segments: NNSegments) throws(Absence) -> PowerSpectrum {
    let stretches = segments.stretches.map { ($0, segments.duration(of: $0)) }
    let longest = stretches.reduce(0) { max($0, $1.1) }
    let length = min(windowLength, longest)
    guard length >= Self.shortestWindow else {
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

/// The windows of a series, added up.
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

  /// Adds the windows of a stretch. Each holds the beats with end times in (start, start + length].
  mutating func add(_ segments: NNSegments, _ stretch: Range<Int>, hop: Double, count: Int) {
    let origin = segments.start(of: stretch)
    let times = stretch.map { NNSegments.seconds(segments.ends[$0] - origin) }
    let values = stretch.map { NNSegments.milliseconds(segments.lengths[$0]) }
    var (lower, upper) = (0, 0)
    for window in 0..<count {
      let start = Double(window) * hop
      let end = window == count - 1 ? .infinity : start + length
      while lower < times.count, times[lower] <= start, start > 0 { lower += 1 }
      while upper < times.count, times[upper] <= end { upper += 1 }
      guard lower < upper else { continue }
      add(times: times[lower..<upper].map { $0 - start }, values: Array(values[lower..<upper]))
    }
  }

  /// Density is the power of the sine times the length of the window, over the taper's equivalent noise bandwidth.
  private mutating func add(times: [Double], values: [Double]) {
    let sum = values.reduce(0, +)
    let coverage = sum / 1000 / length
    bestCoverage = max(bestCoverage, coverage)
    guard coverage >= settings.minimumCoverage, values.count > 2 else { return }
    let tapered = times.map { settings.taper.weight(at: $0 / length) }
    let total = tapered.reduce(0, +)
    guard total > 0 else { return }
    let weights = tapered.map { $0 / total }
    let detrended = settings.detrending == .linear ? Self.withoutLine(times, values) : values
    let power = periodogram(times: times, values: detrended, weights: weights)
    let bandwidth = weights.reduce(0) { $0 + $1 * $1 } * Double(values.count)
    let nyquist = 500 * Double(values.count) / sum
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
