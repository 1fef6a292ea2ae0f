import HeartRate

/// The beats of the last seconds, with their sums kept up to date.
///
/// After the beat that ends at t it holds the beats with end times in (t - length, t]. A successive difference
/// counts when both of its beats are inside.
///
/// What RMSSD and SDNN follow from is kept at each beat. How many differences are large, and how many jump, is counted
/// when it is asked for, over the beats that came since: who asks at each beat pays no more, who asks once a second less.
///
/// - Complexity: O(1) per beat, amortised; allocates only while it grows to its working size.
public struct BeatWindow: Sendable {
  /// Ten times what a heart can do in five minutes: a sensor that sends intervals of nothing must not fill the memory.
  /// A power of two, as all sizes of the buffer are.
  public static let mostBeats = 1 << 14

  /// Fewer comparisons than this tell nothing of the rhythm.
  public static let fewestComparisons = 20

  /// Length in ticks of 1/80,000 ms, at least one: the newest beat is always inside.
  public let length: Int64
  @usableFromInline var entries = RingBuffer(filler: Entry.none)
  @usableFromInline var intervals = Moments()
  @usableFromInline var differences = Moments()
  @usableFromInline var coveredTicks: Int64 = 0
  /// How many of the oldest entries are counted in `kinds` and `steps`.
  @usableFromInline var counted = 0
  private var kinds = DifferenceKinds()
  private var steps = Steps()

  public init(length: Duration) { self.length = max(length.ticks, 1) }

  /// All beats inside, normal or not.
  @inlinable public var beats: Int { entries.count }

  /// Sum of the RR intervals inside, normal or not, in ticks of 1/80,000 ms. Intervals that span a gap do not count.
  @inlinable public var covered: Int64 { coveredTicks }

  /// Share of beats inside that are not normal, 0 to 1. Absent without beats.
  public var artefactShare: Double? {
    beats > 0 ? Double(beats - intervals.count) / Double(beats) : nil
  }

  /// As ``NNSums/rmssd``, without counting anything else.
  @inlinable @inline(__always) public var rmssd: Double? {
    NNSums.rootMeanSquare(differences.count, differences.squares)
  }

  /// As ``NNSums/sdnn``, without counting anything else.
  @inlinable @inline(__always) public var sdnn: Double? {
    NNSums.deviation(intervals.count, Int128(intervals.sum), intervals.squares)
  }

  /// All sums over the beats inside.
  public var sums: NNSums {
    mutating get {
      count()
      return NNSums(intervals, differences, kinds)
    }
  }

  /// Share of successive intervals that differ by more than a quarter of their mean, 0 to 1, whatever the verdicts on
  /// them. Absent below ``fewestComparisons``.
  ///
  /// In sinus rhythm a beat seldom departs so far from the one before it, even where breathing moves a young heart by
  /// an RMSSD of 120 ms; in atrial fibrillation a third of them do. docs/confidence.md has the figures.
  public var jumpShare: Double? {
    mutating get {
      count()
      return steps.compared >= Self.fewestComparisons ? Double(steps.jumps) / Double(steps.compared) : nil
    }
  }

  /// Takes the next beat, and lets go of those that are too old beside it.
  @inlinable @inline(__always)
  public mutating func append(_ beat: Beat) {
    if entries.isFull { makeRoom() }
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

  /// The difference to the beat that leaves goes with it. Its own went with the beat before.
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
    if counted > 1 { count(differenceTo: entries[1], -1) }
    steps.count(entries[0], -1)
    counted &-= 1
  }

  private mutating func count() {
    while counted < entries.count {
      let entry = entries[counted]
      if counted > 0 { count(differenceTo: entry, 1) }
      steps.count(entry, 1)
      counted &+= 1
    }
  }

  @inline(__always)
  private mutating func count(differenceTo entry: Entry, _ sign: Int) {
    if entry.isDifference { kinds.count(entry.change, sign) }
  }
}
