public import HeartRate

/// Classifies RR intervals after Lipponen & Tarvainen (2019), looking at what comes after each one as well as at
/// what went before. The verdicts are final.
///
/// Intervals go in one at a time; the verdict on each comes out ``delay`` intervals later, because its thresholds
/// are made of 45 neighbours on either side, and the medians in them of 5 more. ``finish(_:)`` gives the rest. A
/// whole recording is the same intervals one after another, so both agree to the bit.
///
/// Data that are missing split the series: an interval of more than 3 s, which is a `gap` itself, and
/// ``breakOff(_:)``. Each part stands alone, and no window reaches across. At both ends of a part the windows are
/// cut off, the first difference is taken for zero, and the last two intervals are judged only where the one
/// before them gives cause to (as in the published flow chart, which looks two intervals ahead).
///
/// - Complexity: O(log w) comparisons per interval for windows of w = 91; allocates nothing once made.
public struct ArtefactClassifier: Sendable {
  /// How many intervals later the verdict comes.
  public static let delay = halfWindow + halfMedian

  private static let halfWindow = 45
  private static let halfMedian = 5
  /// A power of two that holds everything from the newest interval back to the oldest that is still looked at.
  private static let ringMask = 255

  private let criteria: ArtefactCriteria
  private var ring = Array(repeating: Place(), count: ringMask + 1)
  private var nearby = SortedWindow(capacity: 2 * halfMedian + 1)
  private var differences = SortedWindow(capacity: 2 * halfWindow + 1)
  private var deviations = SortedWindow(capacity: 2 * halfWindow + 1)
  /// The places whose deviations are in `deviations`.
  private var deviationRange = 0..<0
  /// Intervals of this part that went in.
  private var count = 0
  /// The interval before one that was examined draws it in (it is the smaller of two differences that follow).
  private var isDrawnIn = false

  public init(criteria: ArtefactCriteria = .standard) { self.criteria = criteria }

  /// Takes the next interval, and hands to `final` the verdicts that are known with it, oldest first: none at the
  /// beginning, then one each time, and all that are outstanding before that on a gap.
  public mutating func update(_ rr: RRInterval, final: (Verdict) throws -> Void) rethrows {
    if rr.ticks > criteria.longest {
      try breakOff(final)
      return try final(.gap)
    }
    let seconds = Double(rr.ticks) / Double(RRInterval.ticksPerSecond)
    self[count] = Place(rr: seconds, difference: count > 0 ? seconds - self[count - 1].rr : 0)
    count += 1
    if let verdict = advance(to: count - 1) { try final(verdict) }
  }

  /// Data are missing here: hands out the outstanding verdicts, and begins anew.
  public mutating func breakOff(_ final: (Verdict) throws -> Void) rethrows {
    for time in count..<(count + Self.delay) {
      if let verdict = advance(to: time) { try final(verdict) }
    }
    nearby.removeAll()
    differences.removeAll()
    deviations.removeAll()
    deviationRange = 0..<0
    count = 0
    isDrawnIn = false
  }

  /// The series ends: hands out the outstanding verdicts.
  public mutating func finish(_ final: (Verdict) throws -> Void) rethrows { try breakOff(final) }
}

// What is known of one interval, and how it comes to be known. All windows move by one place at each step, and go
// on moving after the last interval until every place had its turn.
extension ArtefactClassifier {
  private struct Place: Sendable {
    /// Length in seconds.
    var rr = 0.0
    /// The change from the interval before, in seconds.
    var difference = 0.0
    /// The median of the intervals near it, in seconds.
    var median = 0.0
    /// The deviation from that median; twice that where the interval is the shorter one.
    var deviation = 0.0
    /// The difference, measured by its threshold; NaN where that is zero.
    var change = 0.0

    mutating func measure(from median: Double, _ deviation: Double) {
      self.median = median
      self.deviation = deviation
    }
  }

  private subscript(_ index: Int) -> Place {
    get { ring[index & Self.ringMask] }
    _modify { yield &ring[index & Self.ringMask] }
  }

  /// Moves on to the place `newest`, and gives the verdict for which that was wanted.
  private mutating func advance(to newest: Int) -> Verdict? {
    takeInterval(newest)
    takeDeviation(newest - Self.halfMedian)
    measureDifference(newest - Self.halfWindow)
    let place = newest - Self.delay
    return 0..<count ~= place ? verdict(on: place) : nil
  }

  private mutating func takeInterval(_ newest: Int) {
    let isInside = newest < count
    let leavesMedian = newest - 2 * Self.halfMedian - 1
    nearby.slide(
      in: isInside ? self[newest].rr : nil, out: 0..<count ~= leavesMedian ? self[leavesMedian].rr : nil)
    let leaves = newest - 2 * Self.halfWindow - 1
    differences.slide(
      in: isInside ? abs(self[newest].difference) : nil, out: leaves >= 0 ? abs(self[leaves].difference) : nil
    )
  }

  private mutating func takeDeviation(_ place: Int) {
    guard 0..<count ~= place else { return }
    let median = nearby.quantile(quarters: 2)
    let deviation = self[place].rr - median
    self[place].measure(from: median, deviation < 0 ? 2 * deviation : deviation)
  }

  private mutating func measureDifference(_ place: Int) {
    guard 0..<count ~= place else { return }
    let upper = differences.quantile(quarters: 3)
    let published = criteria.alpha * ((upper - differences.quantile(quarters: 1)) / 2)
    let median = self[place].median
    let raised = min(criteria.differenceQuartiles * upper, criteria.quartileLimit * median)
    let threshold = max(published, raised, criteria.differenceFloor * median)
    self[place].change = threshold > 0 ? self[place].difference / threshold : .nan
  }

  /// The threshold for deviations at `place`, which must be `delay` behind the newest. Few places need it, so its
  /// window moves only when asked for.
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

// The flow chart of Lipponen & Tarvainen (2019), figure 1. Comparisons with a change that is NaN are false.
extension ArtefactClassifier {
  private mutating func verdict(on place: Int) -> Verdict {
    let verdict = chartVerdict(place)
    guard verdict == .normal, criteria.namesByCause else { return verdict }
    return self[place].rr < 0.3 ? .short : self[place].rr > 2 ? .long : .normal
  }

  private mutating func chartVerdict(_ place: Int) -> Verdict {
    if isDrawnIn {
      isDrawnIn = false
      return longOrShort(place)
    }
    let change = self[place].change
    guard place < count - 2, !(abs(change) <= 1) else { return .normal }
    if isPause(place) { return .ectopic }
    if isReversedPause(place) { return change < -criteria.reversedLimit ? .ectopic : .normal }
    guard abs(change) > 1 || exceedsDeviationLimit(place) else { return .normal }
    isDrawnIn = abs(self[place + 1].change) < abs(self[place + 2].change)
    return longOrShort(place)
  }

  /// Longer than both neighbours, as the pause after a premature beat is: S11 and S12 of the publication.
  private func isPause(_ place: Int) -> Bool {
    let change = self[place].change
    let bound = -criteria.slope * change - criteria.offset
    return change > 1 && self[place - 1].change < bound && self[place + 1].change < bound
  }

  /// The same the other way round: shorter than both neighbours.
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
    if this.rr >= this.median { return .long }
    return criteria.namesByCause && place + 2 < count && isPause(place + 1) ? .ectopic : .short
  }

  private mutating func exceedsDeviationLimit(_ place: Int) -> Bool {
    let (deviation, median) = (abs(self[place].deviation), self[place].median)
    guard deviation > criteria.deviationLimit * criteria.deviationFloor * median else { return false }
    let threshold = deviationThreshold(place)
    return threshold > 0 && deviation / threshold > criteria.deviationLimit
  }

  /// Whether one of the two changes that follow goes against `sign` by more than its threshold (S22).
  private func isOpposed(_ place: Int, sign: Double) -> Bool {
    let next = sign * self[place + 1].change
    guard place + 2 < count else { return next < -1 }
    let afterNext = sign * self[place + 2].change
    return !next.isNaN && !afterNext.isNaN && min(next, afterNext) < -1
  }
}
