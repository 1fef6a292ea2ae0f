import HeartRate
import RealModule

/// Detects intervals that were computed from a rounded heart rate, by runs of intervals that equal 60,000 ms / n for
/// an integer n.
///
/// A measured interval has such a value by chance, with a probability that increases with the heart rate: 1 in 11 at
/// 75 bpm, 1 in 3 at 140 bpm. The score of a run is its log likelihood ratio. Repeated intervals are not counted,
/// because only changes are independent evidence.
///
/// - Complexity: O(1) per interval; no allocation.
struct RoundedRateStatistics: Sendable {
  /// Whether the intervals are computed from a rounded heart rate. Hysteresis: the result persists until half of the
  /// last 16 intervals do not match.
  private(set) var isComputed = false
  /// Intervals that were rounded, and intervals that were truncated, to 1/1024 s or to 1 ms.
  private var rounded = Run()
  private var truncated = Run()
  /// Bit field of the last intervals, newest in the lowest bit: 1 for an interval that matches neither way.
  private var mismatches: UInt16 = 0

  fileprivate static let minute = 60 * RRInterval.ticksPerSecond
  private static let unit = RRInterval.ticksPerSecond / 1024
  private static let millisecond = RRInterval.ticksPerMillisecond
  /// The supported intervals in ticks: 30 to 245 bpm. Above, each interval in 1/1024 s matches.
  private static let supported = minute / 245...minute / 30

  /// Appends an interval in ticks; `previous` is the interval before it.
  mutating func append(_ rr: Int64, after previous: Int64) {
    guard rr != previous else { return }
    guard Self.supported.contains(rr) else { return appendMismatch() }
    let (rate, rest) = Self.minute.quotientAndRemainder(dividingBy: rr)
    let isRounded = Self.isRounded(rr, rate, rest)
    let isTruncated = Self.isTruncated(rr, rate, rest)
    guard isRounded || isTruncated else { return appendMismatch() }
    let match = Match(interval: rr)
    rounded.extend(isRounded ? match : nil)
    truncated.extend(isTruncated ? match : nil)
    mismatches <<= 1
    if rounded.isSignificant || truncated.isSignificant { isComputed = true } else { checkMismatches() }
  }

  // A minute consists of `rate` intervals and a rest.

  private static func isRounded(_ rr: Int64, _ rate: Int64, _ rest: Int64) -> Bool {
    2 * min(rest, rr - rest) <= (2 * rest < rr ? rate : rate + 1) * millisecond
  }

  private static func isTruncated(_ rr: Int64, _ rate: Int64, _ rest: Int64) -> Bool {
    // The unit is the smaller one.
    rest < rate * millisecond && (rest < rate * unit || rr % unit != 0)
  }

  /// An interval that matches neither way ends both runs.
  private mutating func appendMismatch() {
    rounded.extend(nil)
    truncated.extend(nil)
    mismatches = mismatches << 1 | 1
    checkMismatches()
  }

  private mutating func checkMismatches() {
    if isComputed, mismatches.nonzeroBitCount >= 8 { isComputed = false }
  }
}

/// An interval that equals that of an integer heart rate.
private struct Match: Sendable {
  /// The distance in ms between the intervals of successive integer heart rates, 60,000 / n^2.
  var spacing: Double
  /// For each of ``Run/recorders``, the log likelihood that the interval is not one of its steps.
  var misfit: InlineArray<3, Double>

  init(interval rr: Int64) {
    let rate = Double(RoundedRateStatistics.minute) / Double(rr)
    spacing = 60_000 / (rate * rate)
    misfit = InlineArray { Self.misfit(of: rr, stepsPerSecond: Run.recorders[$0]) }
  }

  /// 0 up to 0.5 ms from a step, the error of rounding the interval to 1 ms; increases up to 1 ms, the error of
  /// rounding its two ends to 1/1024 s.
  private static func misfit(of rr: Int64, stepsPerSecond steps: Int64) -> Double {
    let rest = rr * steps % RRInterval.ticksPerSecond
    let distance = min(rest, RRInterval.ticksPerSecond - rest)
    let millisecond = RRInterval.ticksPerMillisecond * steps
    guard 2 * distance > millisecond else { return 0 }
    return -Double.log(max(0.001, 1 - Double(distance) / Double(millisecond)))
  }
}

/// Successive changed intervals that match an integer heart rate.
private struct Run: Sendable {
  private var count = 0
  /// The smallest spacing of the run: the nearer the integer heart rates, the more probable is a match by chance.
  private var spacing = Double.infinity
  private var misfit = InlineArray<3, Double>(repeating: 0)

  /// Steps per second of Holter and ECG recorders. They nearly coincide with the intervals of integer heart rates,
  /// for example those of 128 Hz at 120 to 128 bpm and those of 360 Hz at 144 to 150 bpm.
  static let recorders: InlineArray<3, Int64> = [128, 250, 360]
  /// A chance of e^-16 per interval, less than one false positive in ten days. The highest score of all recordings
  /// is 9.4.
  private static let significant = 16.0
  /// A run of fewer intervals is not significant at 30 bpm and more.
  private static let fewest = 4

  /// Appends a match. No match ends the run.
  mutating func extend(_ match: Match?) {
    guard let match else {
      if count > 0 { self = Run() }
      return
    }
    count += 1
    spacing = min(spacing, match.spacing)
    for place in misfit.indices { misfit[place] += match.misfit[place] }
  }

  /// Whether the log likelihood ratio exceeds the threshold for each type of measured intervals: those of a strap,
  /// which have a resolution of about 1 ms, and those of each recorder.
  var isSignificant: Bool {
    guard count >= Self.fewest, score(resolution: 1) >= Self.significant else { return false }
    return misfit.indices.allSatisfy { place in
      score(resolution: 1000 / Double(Self.recorders[place])) + misfit[place] >= Self.significant
    }
  }

  private func score(resolution: Double) -> Double { Double(count) * Double.log(spacing / resolution) }
}
