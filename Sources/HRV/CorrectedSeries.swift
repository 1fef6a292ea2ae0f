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
/// End times are recomputed from the start of each segment, so that they are consistent with the intervals.
/// After a premature beat without a compensatory pause they are therefore later than the raw end times by the
/// inserted time.
///
/// - Complexity: O(n).
public struct CorrectedSeries: Equatable, Sendable {
  /// Maximum length of a run that is interpolated: the number of intervals that a median of 11 bridges.
  public static let longestRun = 5

  /// Maximum number of beats in an interval of up to 3 s.
  private static let mostPieces: Int64 = 10

  /// The corrected beats, all normal; the first beat of each segment follows a break.
  public private(set) var beats: [Beat] = []
  /// Number of raw intervals that were replaced, split, merged or removed.
  public private(set) var changed = 0

  /// The segment that is being corrected.
  private var part: [Item] = []
  private var lastGood: Int64?

  /// An interval of the segment, or a placeholder to be interpolated.
  private struct Item: Equatable, Sendable {
    var ticks: Int64
    var isGood: Bool
  }

  /// Corrects classified beats, usually with final verdicts (``ArtefactClassifier/classify(_:criteria:)``).
  public init(of beats: [Beat]) {
    self.beats.reserveCapacity(beats.count)
    var start = SessionTime(ticks: 0)
    var merged: Int64 = 0
    for beat in beats {
      if beat.followsBreak || beat.verdict == .gap {
        closePart(from: start)
        merged = 0
      }
      if beat.verdict != .normal { changed += 1 }
      guard beat.verdict != .gap else { continue }
      if part.isEmpty, merged == 0 { start = beat.end - beat.rr }
      let sum = merged + beat.rr.ticks
      if beat.verdict == .extra, !isWhole(sum) {
        merged = sum
      } else {
        append(sum, merged > 0 && isWhole(sum) ? .normal : beat.verdict)
        merged = 0
      }
    }
    closePart(from: start)
  }
}

extension CorrectedSeries {
  /// Whether merged intervals have reached the minimum length of an interval.
  private func isWhole(_ ticks: Int64) -> Bool { 4 * ticks >= 3 * (lastGood ?? RRInterval.ticksPerSecond) }

  private mutating func append(_ ticks: Int64, _ verdict: Verdict) {
    guard verdict == .missed else {
      if verdict == .normal { lastGood = ticks }
      return part.append(Item(ticks: ticks, isGood: verdict == .normal))
    }
    let usual = max(lastGood ?? ticks / 2, 1)
    let pieces = min(max((ticks + usual / 2) / usual, 2), Self.mostPieces)
    for piece in 1...pieces {
      part.append(Item(ticks: ticks * piece / pieces - ticks * (piece - 1) / pieces, isGood: true))
    }
  }

  /// Interpolates the current segment and computes its end times from `start`.
  private mutating func closePart(from start: SessionTime) {
    defer {
      part.removeAll(keepingCapacity: true)
      lastGood = nil
    }
    var end = start
    var followsBreak = true
    var index = 0
    while index < part.count {
      let run = part[index...].prefix { !$0.isGood }.count
      if run > Self.longestRun || run == part.count {
        end = part[index..<(index + run)].reduce(end) { $0 + RRInterval(ticks: $1.ticks) }
        followsBreak = true
        index += run
        continue
      }
      for place in index..<(index + max(run, 1)) {
        let rr = RRInterval(
          ticks: run == 0 ? part[place].ticks : interpolated(place, in: index..<(index + run)))
        end = end + rr
        beats.append(Beat(end: end, rr: rr, verdict: .normal, followsBreak: followsBreak))
        followsBreak = false
      }
      index += max(run, 1)
    }
  }

  private func interpolated(_ place: Int, in run: Range<Int>) -> Int64 {
    let before = run.lowerBound > 0 ? part[run.lowerBound - 1].ticks : nil
    let after = run.upperBound < part.count ? part[run.upperBound].ticks : nil
    guard let low = before ?? after, let high = after ?? before else { return part[place].ticks }
    return low + (high - low) * Int64(place - run.lowerBound + 1) / Int64(run.count + 1)
  }
}
