/// The spectrum of NN intervals by Welch's method (1967), for comparison with programs that use it.
///
/// Each run of normal beats is resampled at equal intervals and divided into overlapping windows; the
/// periodograms of all windows are averaged and scaled to density. Runs shorter than a window are omitted;
/// beats that are not normal are not interpolated. Resampling attenuates high frequencies, most with linear
/// interpolation; prefer ``LombScargle``.
public struct Welch: Equatable, Sendable {
  /// Interpolation used for resampling; the raw value is the degree of the spline.
  public enum Interpolation: Int, Sendable, CaseIterable {
    case linear = 1
    case quadratic, cubic
  }

  /// The data from which the mean is subtracted before the periodogram.
  public enum Detrending: String, Sendable, CaseIterable {
    /// The mean of each window.
    case window
    /// The mean of each run.
    case run
  }

  /// Sampling rate in Hz.
  public var rate = 4.0
  /// Interpolation; cubic, as in most programs.
  public var interpolation = Interpolation.cubic
  /// Taper applied to each window.
  public var taper = Taper.hann
  /// Data from which the mean is subtracted.
  public var detrending = Detrending.window
  /// Window length in samples. If no run is that long, the length of the longest run is used.
  public var windowLength = 1200
  /// Number of samples that successive windows share. The default is half a window.
  public var overlap: Int?
  /// Length after zero-padding: frequencies are `rate` / `fftLength` apart. Values below the window length disable padding,
  /// which is also the default.
  public var fftLength: Int?
  /// Whether one more sample after the end of a run repeats the last value.
  public var holdsLastValue = false
  /// Removes the trend of each run before it is divided into windows. Off by default.
  public var trend: SmoothnessPriors?

  /// Minimum window length in seconds; up to 5 % less suffice.
  public static let shortestWindow = 60.0

  public init() {}

  /// Computes the spectrum of `segments` up to 0.5 Hz.
  /// - Throws: `tooShort` without a run of 57 s, and `unchanging` if all intervals are equal.
  public func spectrum(of segments: NNSegments) throws(Absence) -> PowerSpectrum {
    let runs = resampler.runs(segments)
    let longest = runs.map(\.count).max() ?? 0
    let length = min(max(windowLength, 2), longest)
    guard Double(length) >= SpectralBands.leastLength(for: Self.shortestWindow) * rate else {
      throw .tooShort(found: Double(longest) / rate, needed: Self.shortestWindow)
    }
    guard segments.lengths.contains(where: { $0 != segments.lengths[0] }) else { throw .unchanging }
    var average = WelchAverage(length: length, settings: self)
    for (run, count) in runs where count >= length {
      average.add(resampler.samples(segments, run, count: count))
    }
    return average.spectrum
  }

  /// Returns the number of samples of the longest run.
  func longestSampleCount(_ segments: NNSegments) -> Int {
    segments.runs.map { resampler.sampleCount(segments, $0) }.max() ?? 0
  }

  private var resampler: RunResampler {
    RunResampler(rate: rate, interpolation: interpolation, holdsLastValue: holdsLastValue, trend: trend)
  }
}

/// Averages the periodograms of windows of equally spaced samples.
private struct WelchAverage {
  private let length: Int
  private let settings: Welch
  private let frequencies: FrequencyGrid
  private let transform: NonuniformTransform
  private let weights: [Double]
  private let times: [Double]
  private var density: [Double]
  private var windows = 0

  init(length: Int, settings: Welch) {
    self.length = length
    self.settings = settings
    let size = max(settings.fftLength ?? length, length)
    let period = Double(size) / settings.rate
    let count = 1 + min(size / 2, Int(LombScargle.highestFrequency * period))
    frequencies = FrequencyGrid(first: 0, perHertz: period, count: count)
    transform = NonuniformTransform(frequencies)
    weights = (0..<length).map { settings.taper.weight(at: Double($0) / Double(length)) }
    times = (0..<length).map { Double($0) / settings.rate }
    density = Array(repeating: 0, count: count)
  }

  mutating func add(_ samples: [Double]) {
    let mean = settings.detrending == .run ? samples.reduce(0, +) / Double(samples.count) : nil
    let hop = length - min(max(settings.overlap ?? length / 2, 0), length - 1)
    for start in stride(from: 0, through: samples.count - length, by: hop) {
      let window = samples[start..<start + length]
      let level = mean ?? window.reduce(0, +) / Double(length)
      let sums = transform(times, zip(window, weights).map { SIMD2(($0 - level) * $1, 0) })
      for index in density.indices {
        density[index] += sums[index].x * sums[index].x + sums[index].y * sums[index].y
      }
      windows += 1
    }
  }

  /// The one-sided density: all frequencies except zero and half the sampling rate count twice.
  var spectrum: PowerSpectrum {
    let scale = settings.rate * weights.reduce(0) { $0 + $1 * $1 } * Double(windows)
    let scaled = density.indices.map { index in
      let isSingle = index == 0 || frequencies[index] == settings.rate / 2
      return density[index] * (isSingle ? 1 : 2) / scale
    }
    return PowerSpectrum(
      frequencies: frequencies, density: scaled, windowLength: Double(length) / settings.rate,
      windows: windows)
  }
}
