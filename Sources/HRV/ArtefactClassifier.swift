public import HeartRate

/// Classifies RR intervals by the algorithm of Lipponen & Tarvainen (2019), which uses past and future
/// neighbours of each interval. The verdicts are final.
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
/// - Complexity: O(log w) comparisons per interval for windows of w = 91; no allocation after initialisation.
public struct ArtefactClassifier: Sendable {
  /// Number of intervals between an interval and its verdict.
  public static let delay = halfWindow + halfMedian

  private static let halfWindow = 45
  private static let halfMedian = 5
  /// Size of the ring buffer minus one. The size is a power of two that exceeds the number of intervals in
  /// use.
  private static let ringMask = 255

  private let criteria: ArtefactCriteria
  private var ring = Array(repeating: Sample(), count: ringMask + 1)
  private var nearby = SortedWindow(capacity: 2 * halfMedian + 1)
  private var differences = SortedWindow(capacity: 2 * halfWindow + 1)
  private var deviations = SortedWindow(capacity: 2 * halfWindow + 1)
  /// The indices whose deviations `deviations` contains.
  private var deviationRange = 0..<0
  /// Number of intervals in the current segment.
  private var count = 0
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
    let seconds = Double(rr.ticks) / Double(RRInterval.ticksPerSecond)
    self[count] = Sample(rr: seconds, difference: count > 0 ? seconds - self[count - 1].rr : 0)
    count += 1
    if let verdict = advance(to: count - 1) { try final(verdict) }
  }

  /// Marks missing data: emits the pending verdicts and starts a new segment.
  public mutating func interrupt(_ final: (Verdict) throws -> Void) rethrows {
    for time in count..<(count + Self.delay) {
      if let verdict = advance(to: time) { try final(verdict) }
    }
    nearby.removeAll()
    differences.removeAll()
    deviations.removeAll()
    deviationRange = 0..<0
    count = 0
    examinesNext = false
  }

  /// Ends the series: emits the pending verdicts.
  public mutating func finish(_ final: (Verdict) throws -> Void) rethrows { try interrupt(final) }
}

// The values computed for each interval. All windows advance by one interval per step, and continue to
// advance after the last interval until every interval is classified.
extension ArtefactClassifier {
  private struct Sample: Sendable {
    /// Length in seconds.
    var rr = 0.0
    /// Difference from the previous interval in seconds.
    var difference = 0.0
    /// Median of the 11 surrounding intervals in seconds.
    var median = 0.0
    /// Deviation from that median in seconds; doubled if negative.
    var deviation = 0.0
    /// The difference divided by its threshold; NaN if the threshold is zero.
    var change = 0.0

    mutating func setMedian(_ median: Double, _ deviation: Double) {
      self.median = median
      self.deviation = deviation
    }
  }

  private subscript(_ index: Int) -> Sample {
    get { ring[index & Self.ringMask] }
    _modify { yield &ring[index & Self.ringMask] }
  }

  /// Advances all windows to the index `newest` and returns the verdict that is now final, if any.
  private mutating func advance(to newest: Int) -> Verdict? {
    appendInterval(newest)
    appendDeviation(newest - Self.halfMedian)
    appendDifference(newest - Self.halfWindow)
    let place = newest - Self.delay
    return 0..<count ~= place ? verdict(on: place) : nil
  }

  private mutating func appendInterval(_ newest: Int) {
    let isInside = newest < count
    let oldestNearby = newest - 2 * Self.halfMedian - 1
    nearby.slide(
      in: isInside ? self[newest].rr : nil, out: 0..<count ~= oldestNearby ? self[oldestNearby].rr : nil)
    let oldest = newest - 2 * Self.halfWindow - 1
    differences.slide(
      in: isInside ? abs(self[newest].difference) : nil, out: oldest >= 0 ? abs(self[oldest].difference) : nil
    )
  }

  private mutating func appendDeviation(_ place: Int) {
    guard 0..<count ~= place else { return }
    let median = nearby.quantile(quarters: 2)
    let deviation = self[place].rr - median
    self[place].setMedian(median, deviation < 0 ? 2 * deviation : deviation)
  }

  private mutating func appendDifference(_ place: Int) {
    guard 0..<count ~= place else { return }
    let upper = differences.quantile(quarters: 3)
    let published = criteria.alpha * ((upper - differences.quantile(quarters: 1)) / 2)
    let median = self[place].median
    let raised = min(criteria.differenceQuartiles * upper, criteria.quartileLimit * median)
    let threshold = max(published, raised, criteria.differenceFloor * median)
    self[place].change = threshold > 0 ? self[place].difference / threshold : .nan
  }

  /// Returns the threshold for deviations at `place`, which must be `delay` behind the newest interval. Only
  /// a few intervals need it, so its window advances on demand.
  private mutating func deviationThreshold(_ place: Int) -> Double {
    let wanted = max(0, place - Self.halfWindow)..<min(count, place + Self.halfWindow + 1)
    if wanted.lowerBound >= deviationRange.upperBound {
      deviations.removeAll()
      deviationRange = wanted.lowerBound..<wanted.lowerBound
    }
    let leaving = deviationRange.lowerBound..<wanted.lowerBound
    let coming = deviationRange.upperBound..<wanted.upperBound
    for step in 0..<max(leaving.count, coming.count) {
      deviations.slide(
        in: step < coming.count ? abs(self[coming.lowerBound + step].deviation) : nil,
        out: step < leaving.count ? abs(self[leaving.lowerBound + step].deviation) : nil)
    }
    deviationRange = wanted
    let spread = deviations.quantile(quarters: 3) - deviations.quantile(quarters: 1)
    return max(criteria.alpha * (spread / 2), criteria.deviationFloor * self[place].median)
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
