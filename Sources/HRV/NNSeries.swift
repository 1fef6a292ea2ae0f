public import HeartRate

/// Incremental sums over a growing series of beats, such as a complete recording.
///
///     let series = NNSeries(ArtefactClassifier.classify(beats))
///     guard let rmssd = series.sums.rmssd, let sdnn = series.sums.sdnn else { return }  // in ms
///     print(rmssd, sdnn, series.artefactFraction ?? 0)
public struct NNSeries: Equatable, Sendable {
  /// Sums over its normal beats and their successive differences.
  public private(set) var sums = NNSums()
  /// Number of beats, normal or not.
  public private(set) var beats = 0
  /// Shortest and longest NN interval. Known after the first normal beat.
  public private(set) var range: ClosedRange<RRInterval>?
  private var previousNormal: Int64?

  public init() {}

  /// Creates the series of classified beats.
  public init(_ beats: some Sequence<Beat>) {
    for beat in beats { append(beat) }
  }

  /// Creates the series of `intervals` that all count as normal, without missing data in between.
  public init(raw intervals: [RRInterval]) { append(raw: intervals) }

  /// Appends intervals that all count as normal, without missing data between them or before the first.
  public mutating func append(raw intervals: [RRInterval]) {
    guard let first = intervals.first else { return }
    append(first, isNormal: true, followsBreak: false)
    sums.add(intervals.dropFirst(), after: first.ticks)
    beats += intervals.count - 1
    // One comparison each: `min` and `max` of the standard library cost more than all the sums.
    var (shortest, longest, last) = (range?.lowerBound ?? first, range?.upperBound ?? first, first)
    for rr in intervals {
      shortest = rr < shortest ? rr : shortest
      longest = rr > longest ? rr : longest
      last = rr
    }
    range = shortest...longest
    previousNormal = last.ticks
  }

  /// Appends a beat.
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

  /// Fraction of beats that are not normal, 0 to 1. Undefined for an empty series.
  public var artefactFraction: Double? { beats > 0 ? Double(beats - sums.count) / Double(beats) : nil }

  /// Lowest momentary heart rate in bpm: 60,000 / longest NN interval in ms.
  public var minHeartRate: Double? { range.flatMap { Self.heartRate($0.upperBound) } }

  /// Highest momentary heart rate in bpm: 60,000 / shortest NN interval in ms.
  public var maxHeartRate: Double? { range.flatMap { Self.heartRate($0.lowerBound) } }

  private static func heartRate(_ rr: RRInterval) -> Double? {
    rr.ticks > 0 ? 60_000 / rr.milliseconds : nil
  }
}
