import HeartRate

/// Resamples runs of NN intervals at equal distances, for spectra that require equally spaced samples.
struct RunResampler {
  /// Sampling rate in Hz.
  var rate: Double
  var interpolation: Welch.Interpolation
  /// Whether one more sample after the end of a run repeats the last value.
  var holdsLastValue = false
  /// Removes the trend of the samples of a run. By default, it is kept.
  var trend: SmoothnessPriors?

  /// Returns the runs that have enough intervals for the interpolation, with their numbers of samples.
  func runs(_ segments: NNSegments) -> [(run: Range<Int>, count: Int)] {
    segments.runs.filter { $0.count > interpolation.rawValue }.map { ($0, sampleCount(segments, $0)) }
  }

  /// Returns the number of samples of a run. Samples are between the ends of its first and last NN interval.
  func sampleCount(_ segments: NNSegments, _ run: Range<Int>) -> Int {
    let ticks = segments.lengths[run].dropFirst().reduce(0) { $0 + Int64($1) }
    let samples = Double(ticks) * rate / Double(RRInterval.ticksPerSecond)
    return Int(samples.rounded(.up)) + (holdsLastValue ? 1 : 0)
  }

  /// Returns samples in ms; the time within a run is the sum of its intervals.
  func samples(_ segments: NNSegments, _ run: Range<Int>, count: Int) -> [Double] {
    var time = -Int64(segments.lengths[run.lowerBound])
    let times = run.map { index in
      time += Int64(segments.lengths[index])
      return NNSegments.seconds(time)
    }
    let values = run.map { NNSegments.milliseconds(segments.lengths[$0]) }
    let samples = SplineInterpolation(times, values, degree: interpolation.rawValue)
      .samples(step: 1 / rate, count: count)
    return trend?.detrended(samples, step: 1 / rate) ?? samples
  }
}
