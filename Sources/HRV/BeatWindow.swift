import HeartRate

/// The beats of the last seconds, with their sums kept up to date.
///
/// After the beat that ends at t it holds the beats with end times in (t - length, t]. A successive difference
/// counts when both of its beats are inside.
///
/// - Complexity: O(1) per beat, amortised; allocates only while it grows to its working size.
public struct BeatWindow: Sendable {
  private struct Entry {
    var end: Int64
    var rr: Int64
    /// The difference to the beat before; `Int64.min` where there is none.
    var difference: Int64
    var isNormal: Bool
    /// Whether it was compared with the beat before it, normal or not, and jumps from it.
    var isCompared: Bool
    var isJump: Bool
  }

  private static let noDifference = Int64.min

  /// Length in ticks of 1/80,000 ms.
  public let length: Int64
  public private(set) var sums = NNSums()
  /// All beats inside, normal or not.
  public private(set) var beats = 0
  private var entries = RingBuffer<Entry>()
  private var compared = 0
  private var jumps = 0

  /// Fewer comparisons than this tell nothing of the rhythm.
  public static let fewestComparisons = 20

  public init(length: Duration) { self.length = length.ticks }

  /// Share of beats inside that are not normal, 0 to 1. Absent without beats.
  public var artefactShare: Double? {
    beats > 0 ? Double(beats - sums.count) / Double(beats) : nil
  }

  /// Share of successive intervals that differ by more than a quarter of their mean, 0 to 1, whatever the verdicts on
  /// them. Absent below ``fewestComparisons``.
  ///
  /// In sinus rhythm a beat seldom departs so far from the one before it, even where breathing moves a young heart by
  /// an RMSSD of 120 ms; in atrial fibrillation a third of them do. docs/confidence.md has the figures.
  public var jumpShare: Double? {
    compared >= Self.fewestComparisons ? Double(jumps) / Double(compared) : nil
  }

  /// Takes the next beat, and lets go of those that are too old beside it.
  public mutating func append(_ beat: Beat) {
    let isNormal = beat.verdict.isNormal
    let rr = beat.rr.ticks
    var difference = Self.noDifference
    var isCompared = false
    var isJump = false
    if !beat.followsBreak, let last = entries.last {
      isCompared = beat.verdict != .gap
      isJump = isCompared && 8 * abs(rr - last.rr) > rr + last.rr
      if isNormal, last.isNormal { difference = rr - last.rr }
    }
    evict(until: beat.end.ticks - length)
    if entries.count == 0 { difference = Self.noDifference }
    entries.append(
      Entry(
        end: beat.end.ticks, rr: rr, difference: difference, isNormal: isNormal, isCompared: isCompared,
        isJump: isJump))
    if isNormal { sums.count(rr, 1) }
    compared += isCompared ? 1 : 0
    jumps += isJump ? 1 : 0
    if difference != Self.noDifference { sums.countDifference(difference, 1) }
    beats = entries.count
  }

  private mutating func evict(until time: Int64) {
    while let oldest = entries.first, oldest.end <= time {
      entries.removeFirst()
      if oldest.isNormal { sums.count(oldest.rr, -1) }
      compared -= oldest.isCompared ? 1 : 0
      jumps -= oldest.isJump ? 1 : 0
      // The difference to it goes with it. Its own went with the beat before.
      if let next = entries.first, next.difference != Self.noDifference {
        sums.countDifference(next.difference, -1)
      }
    }
  }
}
