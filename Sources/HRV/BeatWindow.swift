public import HeartRate

/// A sliding time window of beats with incremental sums.
///
/// After a beat that ends at t, the window contains the beats with end times in (t - length, t]. A successive
/// difference counts if both of its beats are in the window.
///
/// If a beat is the pause after a premature beat that was classified as normal
/// (``Beat/followsPrematureBeat``), the interval of the premature beat and the difference that ends with it no longer
/// count: they would raise RMSSD and SDNN for as long as they are in the window.
///
/// The sums for RMSSD and SDNN are updated at each beat. Counts of large differences, and ``pattern``, are computed on
/// request, over the beats since the last request: a caller that requests them at each beat pays
/// the same, a caller that requests them once a second pays less.
///
/// - Complexity: O(1) per beat, amortised; allocates only until it reaches its working size.
public struct BeatWindow: Sendable {
  /// Maximum number of beats, ten times the physiological maximum in five minutes: limits the memory if a
  /// sensor sends intervals of zero length. A power of two, like all buffer sizes.
  public static let mostBeats = 1 << 14

  /// Minimum number of successive differences for ``irregularity``.
  @inlinable public static var fewestDifferences: Int { 10 }

  /// Weight of the fraction of abnormal beats in ``irregularity``.
  @inlinable static var abnormalWeight: Double { 3 }

  /// Weight of the fraction of extra beats in ``irregularity``.
  @inlinable static var extraWeight: Double { 1.2 }

  /// Length in ticks of 1/80,000 ms, at least one: the newest beat is always in the window.
  public let length: Int64
  @usableFromInline var entries = RingBuffer(filler: Entry.none)
  @usableFromInline var intervals = Moments()
  @usableFromInline var differences = Moments()
  @usableFromInline var coveredTicks: Int64 = 0
  /// Number of the oldest entries that the following sums already include.
  @usableFromInline var counted = 0
  @usableFromInline var kinds = DifferenceKinds()
  @usableFromInline var irregular = 0
  @usableFromInline var abnormal = 0
  @usableFromInline var extra = 0
  @usableFromInline var magnitudes: Int64 = 0
  @usableFromInline var products = (
    lag1: LaggedProducts(), lag2: LaggedProducts(), lag3: LaggedProducts(), lag4: LaggedProducts()
  )

  public init(length: Duration) { self.length = max(length.ticks, 1) }

  /// Number of beats in the window, normal or not.
  @inlinable public var beats: Int { entries.count }

  /// Sum of the RR intervals in the window, normal or not, in ticks of 1/80,000 ms. Excludes intervals that
  /// span a gap.
  @inlinable public var covered: Int64 { coveredTicks }

  /// Fraction of the beats in the window that are not normal, 0 to 1. Undefined in an empty window.
  public var artefactFraction: Double? {
    beats > 0 ? Double(beats - intervals.count) / Double(beats) : nil
  }

  /// Number of beats in the window that are ectopic, or too long or short for an unknown reason, by their own verdicts.
  /// Missed and extra beats are errors of the sensor: intervals next to them are not affected.
  @inlinable public var abnormalBeats: Int {
    @inline(__always) mutating get {
      count()
      return abnormal
    }
  }

  /// The shape of the successive differences.
  @inlinable public var pattern: DifferencePattern {
    @inline(__always) mutating get {
      count()
      var pattern = DifferencePattern()
      (pattern.count, pattern.squares) = (differences.count, differences.squares)
      (pattern.magnitudes, pattern.lag1, pattern.lag2) = (magnitudes, products.lag1, products.lag2)
      (pattern.lag3, pattern.lag4) = (products.lag3, products.lag4)
      return pattern
    }
  }

  /// RMSSD in ms as ``NNSums/rmssd``, without computing the other sums.
  @inlinable @inline(__always) public var rmssd: Double? {
    NNSums.rootMeanSquare(differences.count, differences.squares)
  }

  /// SDNN in ms as ``NNSums/sdnn``, without computing the other sums.
  @inlinable @inline(__always) public var sdnn: Double? {
    NNSums.deviation(intervals.count, Int128(intervals.sum), intervals.squares)
  }

  /// All sums over the beats in the window.
  public var sums: NNSums {
    mutating get {
      var sums = NNSums()
      copySums(to: &sums)
      return sums
    }
  }

  /// Copies ``sums`` field by field, for callers that read them immediately: a returned copy would be read in wider parts than it
  /// was written, which causes a store-forwarding stall.
  package mutating func copySums(to sums: inout NNSums) {
    count()
    sums.set(intervals, differences, kinds)
  }

  /// Fraction of the successive differences between normal beats that exceed a tenth of the mean of their two intervals,
  /// 0 to 1. Nil below ``fewestDifferences``, unless as many beats are extra.
  ///
  /// Half of the differences in atrial fibrillation are this large, and few in sinus rhythm, because ectopic beats are
  /// excluded. Deep breathing also causes large differences, but regular ones: the fraction is multiplied by
  /// ``DifferencePattern/randomness``. In atrial fibrillation, the classifier excludes the largest differences as abnormal
  /// beats, so the fraction is also multiplied by 1 + 3 a, with the fraction a of ``abnormalBeats``; a few large differences
  /// then count more. In a bigeminy whose pauses were classified as normal, every other beat seems to be extra: the irregularity is at
  /// least 1.2 times the fraction of extra beats. docs/design/confidence.md contains the measurements.
  public var irregularity: Double? { mutating get { irregularity(randomness: pattern.randomness) } }

  /// ``irregularity``, with the ``DifferencePattern/randomness`` of ``pattern`` for callers that require both.
  @inlinable @inline(__always)
  package mutating func irregularity(randomness: Double) -> Double? {
    count()
    guard differences.count >= Self.fewestDifferences else {
      return extra >= Self.fewestDifferences ? seemingBigeminy : nil
    }
    guard irregular > 0 || extra > 0 else { return 0 }
    let differing = Double(irregular) / Double(differences.count) * randomness
    guard abnormal > 0 || extra > 0 else { return differing }
    let excluded = 1 + Self.abnormalWeight * Double(abnormal) / Double(beats)
    return min(1, max(differing * excluded, seemingBigeminy))
  }

  /// The irregularity due to extra beats, 0 to 1.2.
  @usableFromInline var seemingBigeminy: Double { Self.extraWeight * Double(extra) / Double(beats) }

  /// Appends a beat and removes the beats that leave the window.
  @inlinable @inline(__always)
  public mutating func append(_ beat: Beat) {
    if entries.isFull { makeRoom() }
    if beat.followsPrematureBeat { excludeLast() }
    let entry = Entry(beat, after: entries.last)
    entries.append(entry)
    let (time, oldest) = (entry.end &- length, entries[0])
    guard oldest.end <= time else { return slide(in: entry, out: .none, nextOut: .none) }
    let next = entries[1]
    slide(in: entry, out: oldest, nextOut: next)
    dropOldest()
    if next.end <= time { evict(until: time) }
  }

  @usableFromInline @inline(never)
  mutating func makeRoom() {
    if entries.count < Self.mostBeats { entries.grow() } else { removeOldest() }
  }

  @usableFromInline @inline(never)
  mutating func evict(until time: Int64) {
    while entries[0].end <= time { removeOldest() }
  }

  @usableFromInline @inline(never)
  mutating func removeOldest() {
    slide(in: .none, out: entries[0], nextOut: entries[1])
    dropOldest()
  }

  /// Removing a beat also removes the difference between it and the next beat. Its own difference was removed
  /// with the previous beat.
  @inlinable @inline(__always)
  mutating func slide(in new: Entry, out oldest: Entry, nextOut next: Entry) {
    intervals.slide(in: new.interval, out: oldest.interval)
    differences.slide(in: new.difference, out: next.difference)
    coveredTicks &+= new.covered &- oldest.covered
  }

  @inlinable @inline(__always)
  mutating func dropOldest() {
    if counted > 0 { uncountOldest() }
    entries.removeFirst()
  }

  @usableFromInline
  mutating func uncountOldest() {
    if counted > 1 {
      count(differenceTo: entries[1], -1)
      uncountOldestProducts()
    }
    count(entries[0], -1)
    counted &-= 1
  }

  /// Adds the beats since the last request to the sums that are computed on request.
  @inlinable @inline(__always)
  mutating func count() {
    if counted < entries.count { countNewest() }
  }

  @usableFromInline
  mutating func countNewest() {
    while counted < entries.count {
      let entry = entries[counted]
      if counted > 0 {
        count(differenceTo: entry, 1)
        countProducts(at: counted, 1)
      }
      count(entry, 1)
      counted &+= 1
    }
  }

  @inline(__always)
  private mutating func count(_ entry: Entry, _ sign: Int) {
    abnormal &+= entry.isAbnormal ? sign : 0
    extra &+= entry.isExtra ? sign : 0
  }

  @inline(__always)
  mutating func count(differenceTo entry: Entry, _ sign: Int) {
    guard entry.isDifference else { return }
    kinds.count(entry.change, sign)
    // A tenth of the mean is a twentieth of the sum.
    irregular &+= sign & DifferenceKinds.isAbove(2 &* entry.rr &- entry.change, 20 &* entry.magnitude)
    magnitudes &+= Int64(sign) &* entry.magnitude
  }
}

extension BeatWindow {
  /// A beat and its contributions to the sums.
  @usableFromInline
  struct Entry: Sendable {
    @usableFromInline var end: Int64
    @usableFromInline var rr: Int64
    /// Difference from the previous interval in ticks.
    @usableFromInline var change: Int64
    @usableFromInline var isNormal: Bool
    /// Whether the change is a successive difference: between two normal beats, without missing data in
    /// between.
    @usableFromInline var isDifference: Bool
    /// Whether the verdict on the beat is ectopic, long or short: the heart, or an unknown cause, made the interval abnormal.
    @usableFromInline var isAbnormal: Bool
    @usableFromInline var isExtra: Bool

    /// Time that the interval covers in ticks; 0 if it spans a gap.
    @usableFromInline var covered: Int64

    /// The entry used if there is no beat.
    @inlinable static var none: Entry {
      Entry(
        end: .min, rr: 0, change: 0, isNormal: false, isDifference: false, isAbnormal: false, isExtra: false,
        covered: 0)
    }

    @inlinable
    init(
      end: Int64, rr: Int64, change: Int64, isNormal: Bool, isDifference: Bool, isAbnormal: Bool,
      isExtra: Bool, covered: Int64
    ) {
      (self.end, self.rr, self.change, self.covered) = (end, rr, change, covered)
      (self.isNormal, self.isDifference) = (isNormal, isDifference)
      (self.isAbnormal, self.isExtra) = (isAbnormal, isExtra)
    }

    @inlinable @inline(__always)
    init(_ beat: Beat, after last: Entry) {
      end = beat.end.ticks
      rr = beat.rr.ticks
      change = rr &- last.rr
      isNormal = beat.verdict.isNormal
      isDifference = !beat.followsBreak && isNormal && last.isNormal
      isAbnormal = beat.verdict == .ectopic || beat.verdict == .long || beat.verdict == .short
      isExtra = beat.verdict == .extra
      covered = beat.verdict == .gap ? 0 : rr
    }

    @inlinable var interval: Moments.Term { @inline(__always) get { Moments.Term(rr, if: isNormal) } }
    @inlinable var difference: Moments.Term {
      @inline(__always) get { Moments.Term(change, if: isDifference) }
    }
    /// Absolute value of the change in ticks.
    @inlinable var magnitude: Int64 {
      @inline(__always) get { Int64(truncatingIfNeeded: change.magnitude) }
    }
  }
}

/// Sums over pairs of successive differences, and the exclusion of an interval that the next beat shows to be premature.
extension BeatWindow {
  /// Adds or removes the products of the difference at `place` with the four before it. The difference of the
  /// oldest beat is not in the window.
  @inline(__always)
  mutating func countProducts(at place: Int, _ sign: Int) {
    guard place > 1 else { return }
    let newest = entries[place]
    guard newest.isDifference, entries[place &- 1].isDifference else { return }
    products.lag1.count(newest.change, entries[place &- 1].change, sign)
    guard place > 2, entries[place &- 2].isDifference else { return }
    products.lag2.count(newest.change, entries[place &- 2].change, sign)
    guard place > 3, entries[place &- 3].isDifference else { return }
    products.lag3.count(newest.change, entries[place &- 3].change, sign)
    guard place > 4, entries[place &- 4].isDifference else { return }
    products.lag4.count(newest.change, entries[place &- 4].change, sign)
  }

  /// Removes the products with the difference between the oldest beat and the next one.
  @inline(__always)
  mutating func uncountOldestProducts() {
    guard counted > 2 else { return }
    let first = entries[1]
    guard first.isDifference, entries[2].isDifference else { return }
    products.lag1.count(entries[2].change, first.change, -1)
    guard counted > 3, entries[3].isDifference else { return }
    products.lag2.count(entries[3].change, first.change, -1)
    guard counted > 4, entries[4].isDifference else { return }
    products.lag3.count(entries[4].change, first.change, -1)
    guard counted > 5, entries[5].isDifference else { return }
    products.lag4.count(entries[5].change, first.change, -1)
  }

  /// Excludes the newest beat, unless the window is empty: it is no longer normal, and its difference does not count.
  @usableFromInline @inline(never)
  mutating func excludeLast() {
    let place = entries.count &- 1
    guard place >= 0 else { return }
    var last = entries[place]
    if place > 0 {
      if counted > place {
        count(differenceTo: last, -1)
        countProducts(at: place, -1)
      }
      differences.slide(in: .nothing, out: last.difference)
    }
    intervals.slide(in: .nothing, out: last.interval)
    (last.isNormal, last.isDifference) = (false, false)
    entries.replaceLast(last)
  }
}
