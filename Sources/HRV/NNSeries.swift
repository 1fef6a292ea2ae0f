public import HeartRate

/// Sums over a series of beats as it grows: whole recordings, or the good beats since some moment.
public struct NNSeries: Equatable, Sendable {
  /// Of its normal beats, and of the differences between neighbours among them.
  public private(set) var sums = NNSums()
  /// All beats, normal or not.
  public private(set) var beats = 0
  /// The shortest and the longest NN interval.
  public private(set) var range: ClosedRange<RRInterval>?
  private var previousNormal: Int64?

  public init() {}

  /// The series of `intervals` that are all taken for normal, with no data missing between them.
  public init(raw intervals: [RRInterval]) { append(raw: intervals) }

  /// Takes intervals that are all taken for normal, with no data missing between them or before the first.
  public mutating func append(raw intervals: [RRInterval]) {
    guard let first = intervals.first else { return }
    append(first, isNormal: true, followsBreak: false)
    sums.add(intervals.dropFirst(), after: first.ticks)
    beats += intervals.count - 1
    // In one comparison each: what `min` and `max` of the library do costs more than all sums.
    var (shortest, longest, last) = (range?.lowerBound ?? first, range?.upperBound ?? first, first)
    for rr in intervals {
      shortest = rr < shortest ? rr : shortest
      longest = rr > longest ? rr : longest
      last = rr
    }
    range = shortest...longest
    previousNormal = last.ticks
  }

  /// Takes the next beat.
  @inlinable
  public mutating func append(_ beat: Beat) {
    append(beat.rr, isNormal: beat.verdict.isNormal, followsBreak: beat.followsBreak)
  }

  @usableFromInline
  mutating func append(_ rr: RRInterval, isNormal: Bool, followsBreak: Bool) {
    beats += 1
    guard isNormal else {
      previousNormal = nil
      return
    }
    sums.add(rr.ticks)
    if !followsBreak, let previousNormal { sums.add(difference: rr.ticks - previousNormal) }
    previousNormal = rr.ticks
    guard let range else {
      range = rr...rr
      return
    }
    if rr < range.lowerBound { self.range = rr...range.upperBound }
    if rr > range.upperBound { self.range = range.lowerBound...rr }
  }

  /// Share of beats that are not normal, 0 to 1. Absent without beats.
  public var artefactShare: Double? { beats > 0 ? Double(beats - sums.count) / Double(beats) : nil }

  /// Lowest momentary heart rate in bpm: 60,000 over the longest NN interval.
  public var minHeartRate: Double? { range.flatMap { Self.heartRate($0.upperBound) } }

  /// Highest momentary heart rate in bpm: 60,000 over the shortest NN interval.
  public var maxHeartRate: Double? { range.flatMap { Self.heartRate($0.lowerBound) } }

  private static func heartRate(_ rr: RRInterval) -> Double? {
    rr.ticks > 0 ? 60_000 / rr.milliseconds : nil
  }
}
