import HeartRate
import RealModule

/// The power of NN intervals below 0.0033 Hz (ULF, Task Force 1996), of recordings of about 24 h.
///
/// The means of periods of 10 s, at their times, are the input of a Lomb-Scargle periodogram of the whole recording (Scargle 1982)
/// at multiples of its inverse length; the power is the sum of those below 0.0033 Hz. Periods without NN intervals are left out and
/// not interpolated. A sine of amplitude a has the power a^2 / 2.
///
/// - Complexity: O(periods * frequencies), about 2.5 million sines for 24 hours.
public struct UltraLowFrequency: Equatable, Sendable {
  /// Length of a period in seconds. The mean of 10 s removes 0.1 Hz and its multiples, and 0.4 % of the power at 0.0033 Hz.
  static let period = 10.0
  /// Minimum time that NN intervals cover, in periods of 5 min: 18 h, as the Task Force requires of a 24 h recording.
  public static let minimumPeriods = 216

  /// Power in ms^2. Absent below 18 h of NN intervals.
  public let power: Metric

  /// Computes the power.
  public init(_ segments: NNSegments) {
    power = Metric { () throws(Absence) in
      let covered = segments.lengths.reduce(0) { $0 + Int64($1) }
      let found = Int(NNSegments.seconds(covered) / Double(FiveMinuteStatistics.period))
      guard found >= Self.minimumPeriods else {
        throw .tooFewPeriods(found: found, needed: Self.minimumPeriods)
      }
      return Self.power(Self.means(segments))
    }
  }

  /// The middle of each period in seconds, and its mean NN interval in ms.
  private static func means(_ segments: NNSegments) -> [(time: Double, value: Double)] {
    let start = segments.start(of: 0..<1)
    var means: [(time: Double, value: Double)] = []
    var (index, sum, count) = (0, 0.0, 0.0)
    func close() {
      if count > 0 { means.append(((Double(index) + 0.5) * period, sum / count)) }
      (sum, count) = (0, 0)
    }
    for (end, length) in zip(segments.ends, segments.lengths) {
      let place = Int(NNSegments.seconds(end - start) / period)
      if place != index {
        close()
        index = place
      }
      sum += NNSegments.milliseconds(length)
      count += 1
    }
    close()
    return means
  }

  private static func power(_ means: [(time: Double, value: Double)]) -> Double {
    guard let first = means.first, let last = means.last, last.time > first.time else { return 0 }
    let length = last.time - first.time + period
    let mean = means.reduce(0) { $0 + $1.value } / Double(means.count)
    let highest = Int(SpectralBands.vlfBand.lowerBound * length)
    guard highest > 0 else { return 0 }
    return (1...highest).reduce(0) { sum, number in
      let frequency = Double(number) / length
      return frequency < SpectralBands.vlfBand.lowerBound
        ? sum + power(of: means, mean, at: 2 * .pi * frequency) : sum
    }
  }

  /// The power of the least-squares sine at an angular frequency.
  private static func power(
    of means: [(time: Double, value: Double)], _ mean: Double, at omega: Double
  ) -> Double {
    var (cosines, sines) = (0.0, 0.0)
    for (time, _) in means {
      cosines += .cos(2 * omega * time)
      sines += .sin(2 * omega * time)
    }
    let shift = Double.atan2(y: sines, x: cosines) / 2
    var (withCosine, withSine, squaredCosine, squaredSine) = (0.0, 0.0, 0.0, 0.0)
    for (time, value) in means {
      let (cosine, sine) = (Double.cos(omega * time - shift), Double.sin(omega * time - shift))
      withCosine += (value - mean) * cosine
      withSine += (value - mean) * sine
      squaredCosine += cosine * cosine
      squaredSine += sine * sine
    }
    let first = squaredCosine > 0 ? withCosine * withCosine / squaredCosine : 0
    let second = squaredSine > 0 ? withSine * withSine / squaredSine : 0
    return (first + second) / Double(means.count)
  }
}
