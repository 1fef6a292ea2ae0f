import HeartRate

/// A series derived from classified beats, in which artefacts are replaced by what was likely there. The raw beats
/// stay as they are, and metrics of this series are named as corrected wherever they are shown.
///
/// - `extra`: merged with what comes after it, as nothing ended there, until they make up three quarters of the good
///   interval before, or of a second.
/// - `missed`: split into so many equal intervals that they come near the good one before it, two to ten.
/// - `ectopic`, `long`, `short`: replaced by values on the straight line between the good neighbours of the run that
///   they form; by the value of the only neighbour at an end.
/// - A run of more than ``longestRun`` such intervals, and a part without a good interval, are left out, and a break
///   stands in their place: nothing is known of so long a time. So it is with `gap`.
///
/// End times are chained anew from the beginning of each part, so that they agree with the intervals. Where a beat
/// came too early without a pause after it, they therefore run ahead of the raw ones by what was put in.
///
/// - Complexity: O(n).
public struct CorrectedSeries: Equatable, Sendable {
  /// The most intervals in a row that are interpolated: as many as the median of 11 can bridge.
  public static let longestRun = 5

  /// No interval of up to 3 s is more heart beats than this.
  private static let mostPieces: Int64 = 10

  /// All of them normal; a break stands before the first of each part.
  public private(set) var beats: [Beat] = []
  /// How many of the raw intervals were replaced, split, merged into another or left out.
  public private(set) var changed = 0

  /// What is known of the part that is being corrected.
  private var part: [Item] = []
  private var lastGood: Int64?

  /// An interval of the part, or a place where one is to be interpolated.
  private struct Item: Equatable, Sendable {
    var ticks: Int64
    var isGood: Bool
  }

  /// Corrects beats that carry verdicts, final ones as a rule (``ArtefactClassifier/classify(_:criteria:)``).
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
  /// Whether merged intervals have reached the length of one.
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

  /// Interpolates the part that ends here, and chains it from `start` on.
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
