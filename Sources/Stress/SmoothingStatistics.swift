import HeartRate

/// Detects intervals that were averaged before transmission, by notches in their spectrum and by its level
/// and shape.
///
/// The mean of k neighbours has no power at j / k cycles per beat and little power at all high frequencies,
/// where beat-to-beat intervals have some. A ``SmoothingModel`` for each k combines both. (The same principle
/// identifies motion blur: Cannon 1976, "Blind deconvolution of spatially invariant image blurs with phase".)
///
/// A difference of more than a fifth cannot result from averaging and resets the series. A single interval that differs by
/// more than a fifth from both neighbours proves that intervals are not averaged, for the next ``memory`` differences: the
/// mean of k neighbours spreads a single interval over k intervals.
struct SmoothingStatistics: Sendable {
  /// Number of differences so far.
  private(set) var count = 0
  /// The previous difference in ticks, if it was of more than a fifth; otherwise 0.
  private var previousJump: Int64 = 0
  /// Value of ``count`` at the last single interval; nil without one.
  private var provedAt: Int?
  private var recent = RecentDifferences()

  private static let fewest = 40
  /// Limits of the mean interval in ms: the models for slow heart rates apply from `slow`, and no decision is
  /// made below `fastest`.
  private static let slow: Float = 700
  private static let fastest: Float = 330
  private static let millisecondsPerTick = 1 / Float(RRInterval.ticksPerMillisecond)

  /// Appends an interval; `previous` is the interval before it. Both in ticks.
  mutating func append(_ rr: Int64, after previous: Int64) {
    count += 1
    let difference = rr - previous
    guard 5 * abs(difference) <= min(rr, previous) else {
      if previousJump != 0, (difference > 0) != (previousJump > 0) { provedAt = count }
      previousJump = difference
      return recent.startAnew()
    }
    previousJump = 0
    recent.append(
      Float(rr) * Self.millisecondsPerTick, difference: Float(difference) * Self.millisecondsPerTick)
  }

  /// Number of differences for which a single interval is remembered, about eight hours: a still night contains few.
  static let memory = 32_768

  /// Marks missing data: the next difference does not follow the previous one.
  mutating func interrupt() { previousJump = 0 }

  /// Whether a single interval proves that the intervals are not averaged.
  var isProved: Bool { provedAt.map { count - $0 <= Self.memory } ?? false }

  /// Whether there are enough differences for a decision.
  var isComplete: Bool { count >= Self.fewest }

  /// Whether the intervals are averages. Hysteresis: `before` persists until the opposite is clear, and
  /// between evaluations.
  func isSmoothed(before: Bool) -> Bool {
    guard !isProved else { return false }
    let available = min(recent.count, RecentDifferences.capacity)
    let length = available - available % MultitaperSpectrum.step
    guard isEvaluationDue, length >= Self.fewest else { return before }
    let mean = recent.meanInterval(of: length)
    guard mean >= Self.fastest else { return before }
    let spectrum = recent.withNewest(length) { MultitaperSpectrum($0, meanInterval: mean) }
    guard !spectrum.alternates else { return false }
    let limit: Float = before ? -2 : 0
    let models = mean >= Self.slow ? SmoothingModel.slow : SmoothingModel.fast
    return models.contains { $0.score(spectrum) > limit }
  }

  /// True at every fourth difference up to 256 and less often later: an evaluation takes microseconds, and
  /// sensors rarely change.
  private var isEvaluationDue: Bool { count & (count <= 256 ? 3 : count <= 1024 ? 63 : 511) == 0 }
}

/// The last 128 successive differences since the last jump.
///
/// - Complexity: O(1) per difference; no allocation.
struct RecentDifferences: Sendable {
  /// Number of differences since the last jump.
  private(set) var count = 0
  /// The newest interval in ms.
  private var newest: Float = 0
  /// Differences in ms, newest first from `head`; stored twice, so that they are always contiguous.
  private var differences = InlineArray<256, Float>(repeating: 0)
  private var head = 0

  /// Maximum number of differences.
  static let capacity = 128

  /// Appends an interval and its difference from the previous one, in ms.
  mutating func append(_ interval: Float, difference: Float) {
    head = (head &- 1) & (Self.capacity - 1)
    differences[unchecked: head] = difference
    differences[unchecked: head + Self.capacity] = difference
    newest = interval
    count += 1
  }

  /// Resets the series: the next difference is the first.
  mutating func startAnew() { count = 0 }

  /// Passes the last `count` differences in ms to `body`, newest first; at most ``capacity``. Access to the elements
  /// of the array itself would copy the array.
  func withNewest<Result>(_ count: Int, _ body: (Span<Float>) -> Result) -> Result {
    body(differences.span.extracting(head..<head + count))
  }

  /// Returns the mean of the last `count` intervals in ms, reconstructed from their differences.
  func meanInterval(of count: Int) -> Float {
    let sum = withNewest(count) { differences in
      var sum: Float = 0
      for place in 0..<count - 1 { sum += differences[place] * Float(count - 1 - place) }
      return sum
    }
    return newest - sum / Float(count)
  }
}
