/// What a metric came to: a number, or the reason why there is none.
public enum Metric: Equatable, Sendable {
  case value(Double)
  case absent(Absence)

  /// The number, where there is one.
  public var value: Double? {
    if case .value(let value) = self { value } else { nil }
  }

  /// The reason, where there is no number.
  public var absence: Absence? {
    if case .absent(let absence) = self { absence } else { nil }
  }

  /// What `compute` returns, or the reason that it throws; `undefined` where it returns no finite number.
  init(_ compute: () throws(Absence) -> Double) {
    do {
      let value = try compute()
      self = value.isFinite ? .value(value) : .absent(.undefined)
    } catch {
      self = .absent(error)
    }
  }
}

/// Why a metric has no value.
public enum Absence: Error, Equatable, Sendable {
  /// Fewer NN intervals than the metric needs.
  case tooFewBeats(found: Int, needed: Int)
  /// No stretch of the series is long enough; in seconds.
  case tooShort(found: Double, needed: Double)
  /// Too many beats of every window are missing or not normal; the largest share of the time, 0 to 1, that NN
  /// intervals cover in one.
  case tooSparse(found: Double, needed: Double)
  /// All NN intervals are equal, so that there is nothing to relate.
  case unchanging
  /// The metric divides by what is zero here, as LF / HF where there is no HF at all.
  case undefined
  /// No two patterns of the series match, so that entropy is not finite.
  case noMatches
  /// The spectrum of the respiratory band has no maximum inside.
  case noPeak
  /// The peak holds too small a share, 0 to 1, of the power of its band.
  case weakPeak(found: Double, needed: Double)
  /// The peak may be the second harmonic of slow breathing at this rate, in breaths per minute.
  case harmonic(of: Double)
}

extension Absence: CustomStringConvertible {
  public var description: String {
    switch self {
    case .tooFewBeats(let found, let needed): "\(found) normal beats, \(needed) needed"
    case .tooShort(let found, let needed):
      "longest stretch without a gap \(Self.tenths(found)) s, \(Self.tenths(needed)) s needed"
    case .tooSparse(let found, let needed):
      "normal beats cover \(Self.tenths(100 * found)) %, \(Self.tenths(100 * needed)) % needed"
    case .unchanging: "all intervals are equal"
    case .undefined: "not defined for these intervals"
    case .noMatches: "no two patterns match"
    case .noPeak: "no peak in the respiratory band"
    case .weakPeak(let found, let needed):
      "the peak holds \(Self.tenths(100 * found)) % of its band, \(Self.tenths(100 * needed)) % needed"
    case .harmonic(let rate): "the peak may be a harmonic of breathing at \(Self.tenths(rate)) a minute"
    }
  }

  /// Rounded down, so that what falls short is never shown as what is needed.
  private static func tenths(_ value: Double) -> String {
    let tenths = (value * 10).rounded(.down) / 10
    return tenths == tenths.rounded() ? "\(Int(tenths))" : "\(tenths)"
  }
}
