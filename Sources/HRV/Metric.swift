/// The result of a metric: a number, or the reason why it is missing.
public enum Metric: Equatable, Sendable {
  case value(Double)
  case absent(Absence)

  /// The number, unless it is missing.
  public var value: Double? {
    if case .value(let value) = self { value } else { nil }
  }

  /// The reason why the number is missing.
  public var absence: Absence? {
    if case .absent(let absence) = self { absence } else { nil }
  }

  /// Evaluates `compute` and stores its result or the thrown reason; `undefined` for a non-finite result.
  init(_ compute: () throws(Absence) -> Double) {
    do {
      let value = try compute()
      self = value.isFinite ? .value(value) : .absent(.undefined)
    } catch {
      self = .absent(error)
    }
  }
}

/// The reason why a metric has no value.
public enum Absence: Error, Equatable, Sendable {
  /// The series contains fewer NN intervals than the metric requires.
  case tooFewBeats(found: Int, needed: Int)
  /// The series contains more NN intervals than the metric is computed for.
  case tooManyBeats(found: Int, limit: Int)
  /// No stretch of the series is long enough; durations in seconds.
  case tooShort(found: Double, needed: Double)
  /// Too many beats of every window are missing or not normal. `found` is the largest fraction of time, 0 to
  /// 1, that NN intervals cover in a window.
  case tooSparse(found: Double, needed: Double)
  /// Too few periods of 5 min have enough NN intervals.
  case tooFewPeriods(found: Int, needed: Int)
  /// All NN intervals are equal, and the metric is not defined for them.
  case unchanging
  /// The divisor of the metric is zero, as for LF / HF without HF power.
  case undefined
  /// No two patterns of the series match: the entropy is infinite.
  case noMatches
  /// The spectrum has no maximum inside the respiratory band.
  case noPeak
  /// The fraction of the band's power in the peak, 0 to 1, is too small.
  case weakPeak(found: Double, needed: Double)
  /// The peak could be the second harmonic of slow breathing at this rate, in breaths per minute.
  case harmonic(of: Double)
}

extension Absence: CustomStringConvertible {
  public var description: String {
    switch self {
    case .tooFewBeats(let found, let needed): "\(found) normal beats, \(needed) needed"
    case .tooManyBeats(let found, let limit): "\(found) normal beats, at most \(limit) possible"
    case .tooShort(let found, let needed):
      "longest stretch without a gap \(Self.tenths(found)) s, \(Self.tenths(needed)) s needed"
    case .tooSparse(let found, let needed):
      "normal beats cover \(Self.tenths(100 * found)) %, \(Self.tenths(100 * needed)) % needed"
    case .tooFewPeriods(let found, let needed): "\(found) periods of 5 min, \(needed) needed"
    case .unchanging: "all intervals are equal"
    case .undefined: "not defined for these intervals"
    case .noMatches: "no two patterns match"
    case .noPeak: "no peak in the respiratory band"
    case .weakPeak(let found, let needed):
      "the peak holds \(Self.tenths(100 * found)) % of its band, \(Self.tenths(100 * needed)) % needed"
    case .harmonic(let rate): "the peak may be a harmonic of breathing at \(Self.tenths(rate)) a minute"
    }
  }

  /// Rounds down. A value below a limit is never displayed as the limit.
  public static func tenths(_ value: Double) -> String {
    let tenths = (value * 10).rounded(.down) / 10
    return tenths == tenths.rounded() ? "\(Int(tenths))" : "\(tenths)"
  }
}
