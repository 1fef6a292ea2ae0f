import HeartRate

/// Detects intervals that were averaged before transmission, by notches in their spectrum and by its level and shape.
///
/// The mean of k neighbours has no power at j / k cycles per beat: what remains there is the error of rounding to 1/1024 s,
/// which beat-to-beat intervals exceed. A ``SmoothingModel`` for each k gives the log odds of a window of differences, and
/// ``SmoothingEvidence`` adds them up. (The same principle identifies motion blur: Cannon 1976, "Blind deconvolution of
/// spatially invariant image blurs with phase".)
///
/// A difference of more than a fifth cannot result from averaging and resets the series. A single interval that differs by
/// more than a fifth from both neighbours proves that intervals are not averaged, for the next ``memory`` differences: the
/// mean of k neighbours spreads a single interval over k intervals.
struct SmoothingStatistics: Sendable {
  /// What is known of the intervals.
  enum State: Sendable {
    /// Too few differences.
    case undecided
    /// The intervals could be averages.
    case unknown
    case beatToBeat
    case averaged
  }

  /// Number of differences so far.
  private(set) var count = 0
  /// The previous difference in ticks, if it was of more than a fifth; otherwise 0.
  private var previousJump: Int64 = 0
  /// Value of ``count`` at the last single interval, if there was one.
  private var provedAt: Int?
  private var recent = RecentDifferences()
  private var evidence = SmoothingEvidence()

  /// Number of differences after which a stream without a window that can be evaluated counts as beat-to-beat.
  private static let enough = 96
  /// The shortest mean interval in ms for a decision.
  private static let fastest: Float = 330
  private static let millisecondsPerTick = 1 / Float(RRInterval.ticksPerMillisecond)

  /// Appends an interval; `previous` is the interval before it. Both in ticks.
  mutating func append(_ rr: Int64, after previous: Int64) {
    count += 1
    let difference = rr - previous
    guard 5 * max(rr, previous) <= 6 * min(rr, previous) else {
      if previousJump != 0, (difference > 0) != (previousJump > 0) { provedAt = count }
      previousJump = difference
      recent.startAnew()
      return evidence.startAnew()
    }
    previousJump = 0
    recent.append(
      Float(rr) * Self.millisecondsPerTick, difference: Float(difference) * Self.millisecondsPerTick)
    if evidence.isDue(at: recent.count), !isProved { evaluate() }
  }

  /// Number of differences for which a single interval is remembered, about eight hours: a still night contains few.
  static let memory = 32_768

  /// Marks missing data: the next difference does not follow the previous one.
  mutating func interrupt() { previousJump = 0 }

  /// Whether a single interval proves that the intervals are not averaged.
  var isProved: Bool { provedAt.map { count - $0 <= Self.memory } ?? false }

  var state: State {
    if count < MultitaperSpectrum.lengths[0] { return .undecided }
    if isProved { return .beatToBeat }
    return evidence.state == .undecided && count >= Self.enough ? .beatToBeat : evidence.state
  }

  private mutating func evaluate() {
    let length = MultitaperSpectrum.lengths.last { $0 <= recent.count } ?? 0
    let mean = recent.meanInterval(of: length)
    guard mean >= Self.fastest else { return }
    let spectrum = recent.withNewest(length) { MultitaperSpectrum($0, meanInterval: mean) }
    evidence.append(spectrum, at: recent.count)
  }
}

/// The sum of the log odds of successive windows, for each ``SmoothingModel``.
///
/// Windows overlap, so each counts in proportion to its new differences. Research/smoothing/evidence.py computes the same.
struct SmoothingEvidence: Sendable {
  private(set) var state = SmoothingStatistics.State.undecided
  private var sums = InlineArray<7, Float>(repeating: 0)
  private var highest: Float = 0
  /// Number of differences since the last jump at the last evaluation.
  private var evaluated = 0

  /// The log odds that one window can contribute, and the range of a sum.
  private static let limit: Float = 10
  private static let range: ClosedRange<Float> = -8...12
  /// The highest sum is below `resolved` for beat-to-beat intervals, which is revoked at `doubted`, and above `averaged` for
  /// averages, which is revoked at `resolved`.
  private static let resolved: Float = 0
  private static let doubted: Float = 1
  private static let averaged: Float = 7
  /// Below it, only windows that do not overlap are evaluated.
  private static let settled: Float = -6

  /// Resets the series: the next difference is the first.
  mutating func startAnew() { evaluated = 0 }

  /// Whether a window is evaluated at a number of differences since the last jump.
  func isDue(at count: Int) -> Bool {
    guard count % MultitaperSpectrum.step == 0, count >= MultitaperSpectrum.lengths[0] else { return false }
    return highest >= Self.settled || count % RecentDifferences.capacity == 0
  }

  /// Adds the log odds of a window that ends `count` differences after the last jump.
  mutating func append(_ spectrum: borrowing MultitaperSpectrum, at count: Int) {
    let weight = min(1, Float(count - evaluated) / Float(spectrum.count))
    evaluated = count
    let alternates = spectrum.alternates
    highest = Self.range.lowerBound
    for place in sums.indices {
      let odds = alternates ? -Self.limit : SmoothingModel.all[place].logOdds(spectrum)
      let sum = sums[place] + weight * min(Self.limit, max(-Self.limit, odds))
      sums[place] = min(Self.range.upperBound, max(Self.range.lowerBound, sum))
      highest = max(highest, sums[place])
    }
    state = nextState
  }

  private var nextState: SmoothingStatistics.State {
    if highest > Self.averaged || state == .averaged && highest > Self.resolved { return .averaged }
    if highest < Self.resolved || state == .beatToBeat && highest < Self.doubted { return .beatToBeat }
    return .unknown
  }
}

/// The last 128 successive differences since the last jump.
///
/// - Complexity: O(1) per difference; no allocation.
struct RecentDifferences: Sendable {
  /// Number of differences since the last jump.
  private(set) var count = 0
  /// The newest interval in ms.
  private var newest: Float = 0
  /// Differences in ms, newest first from `head`; stored twice to be contiguous always.
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
