import HeartRate

/// The spectrum of NN intervals by Welch's method (1967), for comparison with tools that use it.
///
/// Each run of normal beats is resampled evenly, cut into windows that overlap, and the periodograms of all
/// windows are averaged, scaled as density. Runs shorter than a window are left out; nothing is interpolated over
/// a beat that is not normal. Resampling costs power at high frequencies, the more so by straight lines; prefer
/// ``LombScargle``.
public struct Welch: Equatable, Sendable {
  /// The spline that intervals are resampled along, by its degree.
  public enum Interpolation: Int, Sendable, CaseIterable {
    case linear = 1
    case quadratic, cubic
  }

  /// What is taken away before the periodogram.
  public enum Detrending: String, Sendable, CaseIterable {
    /// From each window its mean.
    case window
    /// From each run its mean.
    case run
  }

  /// Samples per second.
  public var rate = 4.0
  /// Cubic, as in most tools.
  public var interpolation = Interpolation.cubic
  /// What each window is weighed with.
  public var taper = Taper.hann
  /// What is taken away first.
  public var detrending = Detrending.window
  /// Samples in a window. A series without a run as long gets windows as long as its longest.
  public var windowLength = 1200
  /// Samples that a window shares with the one before; nil for half of them.
  public var overlap: Int?
  /// Length that each window is filled up to with zeros: the frequencies are `rate` / `fftLength` apart. Nil, and
  /// less than the window, for none.
  public var fftLength: Int?
  /// Whether the last value is held until the sample that follows the end of a run.
  public var holdsLastValue = false

  /// Shortest window in seconds from which anything is computed.
  public static let shortestWindow = 60.0

  public init() {}

  /// The spectrum of `segments`, up to 0.5 Hz.
  /// - Throws: `tooShort` without a run of 60 s, and `unchanging` where all intervals are equal.
  public func spectrum(of segments: NNSegments) throws(Absence) -> PowerSpectrum {
    let runs = segments.runs.filter { $0.count > interpolation.rawValue }
    let counts = runs.map { sampleCount(segments, $0) }
    let longest = counts.max() ?? 0
    let length = min(max(windowLength, 2), longest)
    guard Double(length) >= Self.shortestWindow * rate else {
      throw .tooShort(found: Double(longest) / rate, needed: Self.shortestWindow)
    }
    guard segments.lengths.contains(where: { $0 != segments.lengths[0] }) else { throw .unchanging }
    var average = WelchAverage(length: length, settings: self)
    for (run, count) in zip(runs, counts) where count >= length {
      average.add(samples(segments, run, count: count))
    }
    return average.spectrum
  }

  /// Samples of the longest run.
  func longestSampleCount(_ segments: NNSegments) -> Int {
    segments.runs.map { sampleCount(segments, $0) }.max() ?? 0
  }

  /// Samples lie between the end of the first NN interval and the end of the last.
  private func sampleCount(_ segments: NNSegments, _ run: Range<Int>) -> Int {
    let ticks = segments.lengths[run].dropFirst().reduce(0) { $0 + Int64($1) }
    let samples = Double(ticks) * rate / Double(RRInterval.ticksPerSecond)
    return Int(samples.rounded(.up)) + (holdsLastValue ? 1 : 0)
  }

  /// Time within a run is the sum of its intervals.
  private func samples(_ segments: NNSegments, _ run: Range<Int>, count: Int) -> [Double] {
    var time = -Int64(segments.lengths[run.lowerBound])
    let times = run.map { index in
      time += Int64(segments.lengths[index])
      return NNSegments.seconds(time)
    }
    let values = run.map { NNSegments.milliseconds(segments.lengths[$0]) }
    return SplineInterpolation(times, values, degree: interpolation.rawValue)
      .samples(step: 1 / rate, count: count)
  }
}

/// The periodograms of windows of evenly spaced samples, averaged.
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

  /// One-sided: all but frequency zero, and half the sampling rate, stand for two.
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
