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
    /// The interval, or `absent` where the beat is not normal.
    var nn: Int64
    /// The difference to the beat before, or `absent`.
    var difference: Int64
  }

  private static let absent = Int64.min

  /// Length in ticks of 1/80,000 ms.
  public let length: Int64
  public private(set) var sums = NNSums()
  private var entries = RingBuffer<Entry>()
  /// That of the last beat, which may have left the window.
  private var lastNN = absent

  public init(length: Duration) { self.length = length.ticks }

  /// All beats inside, normal or not.
  public var beats: Int { entries.count }

  /// Share of beats inside that are not normal, 0 to 1. Absent without beats.
  public var artefactShare: Double? {
    beats > 0 ? Double(beats - sums.count) / Double(beats) : nil
  }

  /// Takes the next beat, and lets go of those that are too old beside it.
  public mutating func append(_ beat: Beat) {
    let nn = beat.verdict.isNormal ? beat.rr.ticks : Self.absent
    var difference = Self.absent
    if nn != Self.absent {
      sums.add(nn)
      if !beat.followsBreak, lastNN != Self.absent {
        difference = nn &- lastNN
        sums.add(difference: difference)
      }
    }
    lastNN = nn
    entries.append(Entry(end: beat.end.ticks, nn: nn, difference: difference))
    evict(until: beat.end.ticks - length)
  }

  /// The newest beat stays, however short the window is.
  @inline(__always)
  private mutating func evict(until time: Int64) {
    while entries.count > 1, entries[0].end <= time {
      let nn = entries[0].nn
      if nn != Self.absent { sums.remove(nn) }
      entries.removeFirst()
      // The difference to it goes with it. Its own went with the beat before.
      let difference = entries[0].difference
      if difference != Self.absent { sums.remove(difference: difference) }
    }
  }
}
