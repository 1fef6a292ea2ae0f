import HeartRate

/// Whether intervals were averaged before they were sent: by notches in their spectrum, and by its level and shape.
///
/// The mean of k neighbours has no power at j / k cycles a beat, and little at all fast waves, where hearts and detectors
/// of R peaks have some. A ``SmoothingModel`` for each k weighs both. (So is the blur of a moving camera found:
/// Cannon 1976, "Blind deconvolution of spatially invariant image blurs with phase".)
///
/// A jump of more than a fifth is no average's: the stretch that is looked at begins anew behind it.
struct SmoothingStatistics: Sendable {
  /// Differences so far.
  private(set) var count = 0
  private var recent = RecentDifferences()

  private static let fewest = 40
  /// Means of the intervals from which on a heart is slow, and below which nothing is decided; in ms.
  private static let slow: Float = 700
  private static let shortest: Float = 330
  private static let millisecondsPerTick = 1 / Float(RRInterval.ticksPerMillisecond)

  /// Takes an interval and the one before it, in ticks.
  mutating func append(_ rr: Int64, after previous: Int64) {
    count += 1
    if 5 * abs(rr - previous) > min(rr, previous) { return recent.startAnew() }
    recent.append(
      Float(rr) * Self.millisecondsPerTick, difference: Float(rr - previous) * Self.millisecondsPerTick)
  }

  /// Whether enough has come to look at.
  var isComplete: Bool { count >= Self.fewest }

  /// Whether the intervals are averages. What was found before holds on until the opposite is plain, and between looks.
  func isSmoothed(before: Bool) -> Bool {
    let most = min(recent.count, RecentDifferences.kept)
    let length = most - most % MultitaperSpectrum.step
    guard isLookDue, length >= Self.fewest else { return before }
    let mean = recent.meanInterval(of: length)
    guard mean >= Self.shortest else { return before }
    let spectrum = MultitaperSpectrum(recent, count: length)
    guard !spectrum.alternates else { return false }
    let limit: Float = before ? -2 : 0
    let models = mean >= Self.slow ? SmoothingModel.slow : SmoothingModel.fast
    return models.contains { $0.score(spectrum) > limit }
  }

  /// A look costs microseconds, and what a sensor does seldom changes: at each fourth difference in the first minutes, far
  /// more seldom later.
  private var isLookDue: Bool { count & (count <= 256 ? 3 : count <= 1024 ? 63 : 511) == 0 }
}
