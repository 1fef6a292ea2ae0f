import HeartRate

/// A series derived from classified beats in which artefacts are replaced by estimates. The raw beats are
/// unchanged, and metrics of this series are displayed as corrected.
///
/// - `extra`: merged with the following intervals until the sum is at least three quarters of the previous
///   good interval, or of one second if there is none.
/// - `missed`: split into two to ten equal intervals of about the length of the previous good interval.
/// - `ectopic`, `long`, `short`: interpolated linearly between the good neighbours of the run; at an end of
///   the series, the value of the only neighbour.
/// - A run of more than ``longestRun`` such intervals, a segment without a good interval, and a `gap` are
///   removed and replaced by a break.
///
/// End times are recomputed from the start of each segment, to be consistent with the intervals. After a premature beat
/// without a compensatory pause they are therefore later than the raw end times by the inserted time.
///
/// The corrected beats are computed on request and need not be in memory:
///
/// ```swift
/// let corrected = CorrectedSeries(of: ArtefactClassifier.classify(beats))
/// corrected.forEachBeat { series.append($0) }
/// ```
///
/// - Complexity: O(n).
public struct CorrectedSeries: Equatable, Sendable {
  /// Maximum length of a run that is interpolated: the number of intervals that a median of 11 bridges.
  public static let longestRun = 5

  private let classified: [Beat]

  /// Corrects classified beats, usually with final verdicts (``ArtefactClassifier/classify(_:criteria:)``).
  public init(of beats: [Beat]) { classified = beats }

  /// The corrected beats, all normal; the first beat of each segment follows a break.
  public var beats: [Beat] {
    var beats: [Beat] = []
    beats.reserveCapacity(classified.count)
    forEachBeat { beats.append($0) }
    return beats
  }

  /// Number of raw intervals that are replaced, split, merged or removed.
  public var changed: Int { classified.count { $0.verdict != .normal } }

  /// Calls `body` with each corrected beat, in order.
  public func forEachBeat(_ body: (Beat) -> Void) {
    var segment = CorrectedSegment()
    for beat in classified {
      if beat.followsBreak || beat.verdict == .gap {
        segment.close(body)
        segment = CorrectedSegment()
      }
      if beat.verdict != .gap { segment.append(beat, body) }
    }
    segment.close(body)
  }
}

/// Corrects the intervals between two breaks. Only the current run of artefacts is in memory.
private struct CorrectedSegment {
  /// Maximum number of beats in an interval of up to 3 s.
  private static let mostPieces: Int64 = 10

  /// End of the last interval, once there is one.
  private var end: SessionTime?
  private var start = SessionTime.zero
  /// Length of the `extra` intervals that were not merged yet.
  private var merged: Int64 = 0
  private var lastGood: Int64?
  /// The last interval if it is good.
  private var before: Int64?
  /// The first intervals of the run of artefacts, at most one more than are interpolated.
  private var run: [Int64] = []
  private var runTicks: Int64 = 0
  private var followsBreak = true

  mutating func append(_ beat: Beat, _ body: (Beat) -> Void) {
    if end == nil, merged == 0 { start = beat.end - beat.rr }
    let sum = merged + beat.rr.ticks
    if beat.verdict == .extra, !isWhole(sum) {
      merged = sum
    } else {
      append(sum, merged > 0 && isWhole(sum) ? .normal : beat.verdict, body)
      merged = 0
    }
  }

  /// Whether merged intervals have reached the minimum length of an interval.
  private func isWhole(_ ticks: Int64) -> Bool { 4 * ticks >= 3 * (lastGood ?? RRInterval.ticksPerSecond) }

  private mutating func append(_ ticks: Int64, _ verdict: Verdict, _ body: (Beat) -> Void) {
    if end == nil { end = start }
    switch verdict {
    case .normal:
      lastGood = ticks
      appendGood(ticks, body)
    case .missed:
      let usual = max(lastGood ?? ticks / 2, 1)
      let pieces = min(max((ticks + usual / 2) / usual, 2), Self.mostPieces)
      for piece in 1...pieces {
        appendGood(ticks * piece / pieces - ticks * (piece - 1) / pieces, body)
      }
    default:
      if run.count <= CorrectedSeries.longestRun { run.append(ticks) }
      runTicks = (SessionTime(ticks: runTicks) + RRInterval(ticks: ticks)).ticks
    }
  }

  private mutating func appendGood(_ ticks: Int64, _ body: (Beat) -> Void) {
    if !run.isEmpty { endRun(before: ticks, body) }
    emit(ticks, body)
    before = ticks
  }

  /// Ends the segment. A run at its end has no interval after it, and a run that is the whole segment is removed.
  mutating func close(_ body: (Beat) -> Void) {
    if !run.isEmpty, before != nil { endRun(before: nil, body) }
  }

  /// Interpolates the run linearly between its good neighbours; a longer run becomes a break.
  private mutating func endRun(before next: Int64?, _ body: (Beat) -> Void) {
    defer { (run, runTicks) = ([], 0) }
    guard run.count <= CorrectedSeries.longestRun, let low = before ?? next, let high = next ?? before else {
      end = end.map { SessionTime(ticks: $0.ticks + runTicks) }
      followsBreak = true
      return
    }
    for place in run.indices {
      emit(low + (high - low) * Int64(place + 1) / Int64(run.count + 1), body)
    }
  }

  private mutating func emit(_ ticks: Int64, _ body: (Beat) -> Void) {
    let rr = RRInterval(ticks: ticks)
    let end = (end ?? start) + rr
    self.end = end
    body(Beat(end: end, rr: rr, verdict: .normal, followsBreak: followsBreak))
    followsBreak = false
  }
}
