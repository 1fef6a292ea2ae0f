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
    var step: Steps
  }

  /// How many intervals were compared with the one before, whatever the verdicts on them, and how many of those jump from
  /// it: two numbers in one, so that both are counted at once.
  private struct Steps {
    private var both: Int64 = 0

    static let none = Steps()
    static let compared = Steps(both: 1)
    static let jump = Steps(both: 1 | 1 << 32)

    var compared: Int64 { both & 0xFFFF_FFFF }
    var jumps: Int64 { both >> 32 }

    static func += (sum: inout Steps, step: Steps) { sum.both &+= step.both }
    static func -= (sum: inout Steps, step: Steps) { sum.both &-= step.both }
  }

  private static let absent = Int64.min

  /// Ten times what a heart can do in five minutes. A sensor that sends intervals of nothing must not fill the memory.
  public static let mostBeats = 1 << 14

  /// Length in ticks of 1/80,000 ms.
  public let length: Int64
  public private(set) var sums = NNSums()
  private var entries = RingBuffer<Entry>()
  /// That of the last beat, which may have left the window.
  private var lastNN = absent
  private var lastRR = absent
  private var steps = Steps.none

  /// Fewer comparisons than this tell nothing of the rhythm.
  public static let fewestComparisons: Int64 = 20

  public init(length: Duration) { self.length = length.ticks }

  /// All beats inside, normal or not.
  public var beats: Int { entries.count }

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
    steps.compared >= Self.fewestComparisons ? Double(steps.jumps) / Double(steps.compared) : nil
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
    let step = Self.step(from: lastRR, to: beat)
    steps += step
    (lastNN, lastRR) = (nn, beat.rr.ticks)
    entries.append(Entry(end: beat.end.ticks, nn: nn, difference: difference, step: step))
    evict(until: beat.end.ticks - length)
  }

  @inline(__always)
  private static func step(from last: Int64, to beat: Beat) -> Steps {
    guard !beat.followsBreak, last != absent, beat.verdict != .gap else { return .none }
    let rr = beat.rr.ticks
    return 8 &* Int64(truncatingIfNeeded: (rr &- last).magnitude) > rr &+ last ? .jump : .compared
  }

  /// The newest beat stays, however short the window is, and no more than ``mostBeats`` do.
  @inline(__always)
  private mutating func evict(until time: Int64) {
    while entries.count > 1, entries[0].end <= time || entries.count > Self.mostBeats {
      let oldest = entries[0]
      if oldest.nn != Self.absent { sums.remove(oldest.nn) }
      steps -= oldest.step
      entries.removeFirst()
      // The difference to it goes with it. Its own went with the beat before.
      let difference = entries[0].difference
      if difference != Self.absent { sums.remove(difference: difference) }
    }
  }
}
