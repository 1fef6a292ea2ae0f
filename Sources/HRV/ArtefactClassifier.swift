public import HeartRate

/// Classifies RR intervals by an algorithm derived from Lipponen & Tarvainen (2019), which uses past and future
/// neighbours of each interval. The verdicts are final.
///
///     let classified = ArtefactClassifier.classify(beats)  // all beats of a session
///     print(EctopicBurden(classified).percent ?? 0)
///
///     var classifier = ArtefactClassifier()  // one interval at a time
///     for rr in intervals { classifier.update(rr) { print($0) } }
///     classifier.finish { print($0) }
///
/// Intervals are appended one at a time. The verdict on an interval follows ``delay`` intervals later,
/// because its thresholds depend on 45 neighbours on each side, and the medians of these on 5 more.
/// ``finish(_:)`` emits the remaining verdicts. Streaming and batch classification give identical verdicts.
///
/// Missing data split the series into segments: at an interval longer than 3 s, which is itself a `gap`, and
/// at ``interrupt(_:)``. Each segment is classified separately and no window crosses a boundary. At both ends
/// of a segment the windows are truncated and the first difference is zero. The last two intervals are
/// classified only as a consequence of the interval before them (the published flow chart looks two intervals
/// ahead).
///
/// Where ectopic beats are frequent, an interval is also not normal if its provisional verdict is not
/// (``FrequentEctopicBeats``).
///
/// Thresholds are computed on demand: most differences are below a lower bound of their threshold that costs
/// less than the threshold. In a Holter recording of 100,000 beats, 4 % of the thresholds were needed, and
/// classification took half the time of computing all of them.
///
/// - Complexity: O(log w) comparisons per interval for windows of w = 91; no allocation after initialisation.
public struct ArtefactClassifier: Sendable {
  /// Number of intervals between an interval and its verdict.
  public static let delay = halfWindow + SegmentSeries.halfMedian

  private static let halfWindow = 45

  private let criteria: ArtefactCriteria
  private var series = SegmentSeries()
  private var differences = CentredQuartiles(capacity: 2 * halfWindow + 1)
  private var deviations = CentredQuartiles(capacity: 2 * halfWindow + 1)
  /// Differences divided by their thresholds, NaN if the threshold is zero. Element `i & 3` belongs to the
  /// interval `i`, for the last four intervals before `changesEnd`.
  private var changes = SIMD4<Double>()
  private var changesEnd = 0
  private var provisional = FrequentEctopicBeats()
  /// Index of the interval to classify next.
  private var next = 0
  /// Whether the previous interval requires the next one to be examined too (its difference is the smaller of
  /// the two that follow).
  private var examinesNext = false

  public init(criteria: ArtefactCriteria = .standard) { self.criteria = criteria }

  /// Appends an interval and passes the verdicts that become final to `final`, oldest first: none during the
  /// first ``delay`` intervals, then one per interval; on a gap all pending ones, followed by `gap`.
  public mutating func update(_ rr: RRInterval, final: (Verdict) throws -> Void) rethrows {
    if rr.ticks > criteria.longest {
      try interrupt(final)
      return try final(.gap)
    }
    series.append(Double(rr.ticks) / Double(RRInterval.ticksPerSecond))
    if criteria.includesProvisional { provisional.append(rr) }
    if next + Self.delay < count { try final(nextVerdict()) }
  }

  /// Marks missing data: emits the pending verdicts and starts a new segment.
  public mutating func interrupt(_ final: (Verdict) throws -> Void) rethrows {
    series.complete()
    while next < count { try final(nextVerdict()) }
    series.removeAll()
    differences.removeAll()
    deviations.removeAll()
    provisional.removeAll()
    changesEnd = 0
    next = 0
    examinesNext = false
  }

  /// Ends the series: emits the pending verdicts.
  public mutating func finish(_ final: (Verdict) throws -> Void) rethrows { try interrupt(final) }

  private mutating func nextVerdict() -> Verdict {
    defer { next += 1 }
    series.prepareMedians(through: min(next + 2, count - 1))
    let verdict = verdict(on: next)
    guard criteria.includesProvisional else { return verdict }
    let live = provisional.verdict(on: next, amid: window(around: next), above: criteria.frequentEctopic)
    return verdict == .normal ? live : verdict
  }
}

// The values that the flow chart compares.
extension ArtefactClassifier {
  private struct Sample: Sendable {
    /// Length in seconds.
    var rr = 0.0
    /// Median of the 11 surrounding intervals in seconds.
    var median = 0.0
    /// Deviation from that median in seconds; doubled if negative.
    var deviation = 0.0
    /// The difference divided by its threshold; NaN if the threshold is zero.
    var change = 0.0
  }

  /// Number of intervals in the current segment.
  private var count: Int { series.count }

  @inline(__always)
  private subscript(_ index: Int) -> Sample {
    Sample(
      rr: series.length(index), median: series.median(index), deviation: series.deviation(index),
      change: changes[index & 3])
  }

  /// Returns the indices of the interval at `place` and of its neighbours in the windows of thresholds.
  @inline(__always)
  private func window(around place: Int) -> Range<Int> {
    max(0, place - Self.halfWindow)..<min(count, place + Self.halfWindow + 1)
  }

  /// Whether the difference at `place` is at most its threshold, decided without the threshold itself: true if
  /// it is at most one of two lower bounds of the threshold. The second bound replaces the upper quartile by
  /// the number at the rank below it. False if undecided.
  @inline(__always)
  private func isBelowLowerBound(_ place: Int) -> Bool {
    let (difference, median) = (abs(series.difference(place)), series.median(place))
    if difference <= criteria.differenceFloor * median { return median * criteria.differenceFloor > 0 }
    guard difference <= criteria.quartileLimit * median else { return false }
    let window = window(around: place)
    let below = series.countDifferences(in: window, times: criteria.differenceQuartiles, below: difference)
    return below <= SortedWindow.lowerRank(quarters: 3, count: window.count)
  }

  /// Computes the changes from the interval before `place` to the second one after it.
  private mutating func prepareChanges(around place: Int) {
    let end = min(place + 3, count)
    for index in max(0, place - 1, changesEnd)..<max(changesEnd, end) {
      changes[index & 3] = change(index)
    }
    changesEnd = max(changesEnd, end)
  }

  private mutating func change(_ place: Int) -> Double {
    let quartiles = differences.move(to: window(around: place)) { [series] in series.difference($0) }
    let published = criteria.alpha * ((quartiles.upper - quartiles.lower) / 2)
    let median = series.median(place)
    let raised = min(criteria.differenceQuartiles * quartiles.upper, criteria.quartileLimit * median)
    let threshold = max(published, raised, criteria.differenceFloor * median)
    return threshold > 0 ? series.difference(place) / threshold : .nan
  }

  private mutating func deviationThreshold(_ place: Int) -> Double {
    let window = window(around: place)
    series.prepareMedians(through: window.upperBound - 1)
    let quartiles = deviations.move(to: window) { [series] in series.deviation($0) }
    let spread = quartiles.upper - quartiles.lower
    return max(criteria.alpha * (spread / 2), criteria.deviationFloor * series.median(place))
  }
}

// The flow chart of Lipponen & Tarvainen (2019), figure 1. Comparisons with a NaN change are false.
extension ArtefactClassifier {
  private mutating func verdict(on place: Int) -> Verdict {
    let verdict = chartVerdict(place)
    guard verdict == .normal, criteria.namesByCause else { return verdict }
    return self[place].rr < 0.3 ? .short : self[place].rr > 2 ? .long : .normal
  }

  private mutating func chartVerdict(_ place: Int) -> Verdict {
    guard examinesNext || !isBelowLowerBound(place) else { return .normal }
    prepareChanges(around: place)
    if examinesNext {
      examinesNext = false
      return longOrShort(place)
    }
    let change = self[place].change
    guard place < count - 2, !(abs(change) <= 1) else { return .normal }
    if isPause(place) { return isDeceleration(place) ? .normal : .ectopic }
    if isReversedPause(place) { return change < -criteria.reversedLimit ? .ectopic : .normal }
    guard abs(change) > 1 || exceedsDeviationLimit(place) else { return .normal }
    examinesNext = abs(self[place + 1].change) < abs(self[place + 2].change)
    return longOrShort(place)
  }

  /// Whether the interval is longer than both neighbours, like the pause after a premature beat (S11 and S12
  /// of the publication).
  private func isPause(_ place: Int) -> Bool {
    let change = self[place].change
    let bound = -criteria.slope * change - criteria.offset
    return change > 1 && self[place - 1].change < bound && self[place + 1].change < bound
  }

  /// Whether the interval is shorter than both neighbours: the mirror image of ``isPause(_:)``.
  private func isReversedPause(_ place: Int) -> Bool {
    let change = self[place].change
    let bound = -criteria.slope * change + criteria.offset
    return change < -1 && self[place - 1].change > bound && self[place + 1].change > bound
  }

  private mutating func longOrShort(_ place: Int) -> Verdict {
    let this = self[place]
    let isLong = this.change > 1 && isOpposed(place, sign: 1)
    let isShort = this.change < -1 && isOpposed(place, sign: -1)
    guard isLong || isShort || exceedsDeviationLimit(place) else { return .normal }
    let threshold = deviationThreshold(place)
    if isShort, abs(this.rr + self[place + 1].rr - this.median) < threshold { return .extra }
    if isLong, abs(this.rr / 2 - this.median) < threshold { return .missed }
    guard abs(this.deviation) >= criteria.leastDeviation * this.median else { return .normal }
    if this.rr >= this.median { return isDeceleration(place) ? .normal : .long }
    if criteria.namesByCause, place + 2 < count, isPause(place + 1), !isDeceleration(place + 1) {
      return .ectopic
    }
    return isPremature(place, by: criteria.leastShortening) ? .short : .normal
  }

  private mutating func exceedsDeviationLimit(_ place: Int) -> Bool {
    let (deviation, median) = (abs(self[place].deviation), self[place].median)
    guard deviation > criteria.deviationLimit * criteria.deviationFloor * median else { return false }
    let threshold = deviationThreshold(place)
    return threshold > 0 && deviation / threshold > criteria.deviationLimit
  }

  /// Whether one of the two following changes has the opposite sign of `sign` and exceeds its threshold
  /// (S22).
  private func isOpposed(_ place: Int, sign: Double) -> Bool {
    let next = sign * self[place + 1].change
    guard place + 2 < count else { return next < -1 }
    let afterNext = sign * self[place + 2].change
    return !next.isNaN && !afterNext.isNaN && min(next, afterNext) < -1
  }
}

// Decelerations of the sinus rhythm: respiration, arousals, swallowing. The vagus lengthens several successive
// intervals, and its effect decays over seconds. A missed beat and the pause after a premature beat are single
// intervals; after a premature beat, the sinus rhythm accelerates (heart rate turbulence, Schmidt et al. 1999).
extension ArtefactClassifier {
  /// Whether a long interval is the maximum of a deceleration: a neighbour retains part of its deviation from
  /// the median, the step from the previous interval is limited, and the previous interval is not premature.
  private func isDeceleration(_ place: Int) -> Bool {
    guard place > 0, !isPremature(place - 1, by: criteria.leastPrematurity) else { return false }
    let (rr, median, previous) = (self[place].rr, self[place].median, self[place - 1].rr)
    let next = place + 1 < count ? self[place + 1].rr : 0
    return rr > median && rr <= criteria.steepestRise * min(median, previous)
      && max(previous, next) - median >= criteria.decelerationRest * (rr - median)
  }

  /// Whether the interval is shorter by more than `fraction` than the median or than the interval before it.
  private func isPremature(_ place: Int, by fraction: Double) -> Bool {
    let median = self[place].median
    let level = place > 0 ? max(median, self[place - 1].rr) : median
    return self[place].rr < (1 - fraction) * level
  }
}
