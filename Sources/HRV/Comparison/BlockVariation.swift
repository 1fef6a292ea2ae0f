import HeartRate

/// Variation of the mean squared successive difference between blocks of 10 s of one period.
///
/// It is the batch-means estimate of the uncertainty of RMSSD (Law & Carson, Operations Research 27(5), 1979): RMSSD
/// of a minute with one sigh or arousal depends on a few differences and varies more than RMSSD of an even
/// minute. Differences in this variation account for most of the differences between people in the variance
/// between minutes of one rest; docs/design/comparison.md contains the measurements.
package struct BlockVariation: Equatable, Sendable {
  /// Squared coefficient of variation of the blocks, divided by that of an average minute of rest; at most 4,
  /// because a larger estimate depends on a single block.
  package let relative: Double

  /// The variation of an average minute of rest.
  package static let average = BlockVariation(relative: 1)

  private static let largest = 4.0

  private init(relative: Double) { self.relative = relative }

  /// Measures the variation of classified beats. The estimate is combined with the average, which has three
  /// degrees of freedom. Without at least two blocks, or without variation, the result is ``average``.
  package init(of beats: some Sequence<Beat>) {
    var blocks = Blocks()
    for beat in beats { blocks.append(beat) }
    relative = min(blocks.relativeVariation, Self.largest)
  }
}

/// Means of squared successive differences of blocks, and their mean and variance (Welford 1962).
private struct Blocks {
  private var count = 0.0
  private var mean = 0.0
  private var squaredDeviations = 0.0
  /// Sum of squared differences, number of differences and time of the current block.
  private var current = (squares: 0.0, differences: 0.0, ticks: Int64(0))
  private var previousNormal: Int64?

  /// Minimum time of a block in ticks; the last block of a period needs half of it.
  private static let length = 10 * RRInterval.ticksPerSecond
  /// Squared coefficient of variation of the blocks of an average minute of rest, and its degrees of freedom.
  private static let average = (variation: 0.45, freedom: 3.0)

  mutating func append(_ beat: Beat) {
    guard beat.verdict.isNormal else {
      previousNormal = nil
      return
    }
    if !beat.followsBreak, let previousNormal {
      let difference = Double(beat.rr.ticks - previousNormal)
      current.squares += difference * difference
      current.differences += 1
      current.ticks += beat.rr.ticks
      if current.ticks >= Self.length { closeBlock() }
    }
    previousNormal = beat.rr.ticks
  }

  var relativeVariation: Double {
    var blocks = self
    if 2 * current.ticks >= Self.length { blocks.closeBlock() }
    guard blocks.count > 1, blocks.mean > 0 else { return 1 }
    let own = blocks.squaredDeviations / (blocks.mean * blocks.mean)
    let freedom = Self.average.freedom
    return (freedom + own / Self.average.variation) / (freedom + blocks.count - 1)
  }

  private mutating func closeBlock() {
    let value = current.squares / current.differences
    count += 1
    let deviation = value - mean
    mean += deviation / count
    squaredDeviations += deviation * (value - mean)
    current = (0, 0, 0)
  }
}
