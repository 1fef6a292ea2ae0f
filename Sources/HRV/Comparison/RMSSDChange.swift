import RealModule

/// Whether RMSSD changed from one stretch of time to another: what may be said, and how sure it is.
///
/// It is a comparison of ln RMSSD, the one metric whose variation within a rest is known well enough. *Changed* means:
/// by more than 95 of 100 pairs of windows of one undisturbed rest differ (``RestVariability``).
public struct RMSSDChange: Equatable, Sendable {
  /// One of the two.
  public struct Side: Equatable, Sendable {
    /// Of its normal beats.
    public var sums: NNSums
    /// How far the data can be trusted, 0 to 1.
    public var trust: Double

    public init(sums: NNSums, trust: Double) {
      self.sums = sums
      self.trust = trust
    }

    /// The time that its successive differences cover, in seconds.
    public var seconds: Double { Double(sums.differences) * (sums.meanNN ?? 0) / 1000 }
  }

  /// Why nothing is said.
  public enum Reason: Error, Equatable, Sendable {
    /// Normal beats cover less than ``shortest``.
    case tooShort(Place, seconds: Double)
    /// All intervals are equal: no heart does that.
    case noVariation(Place)
    /// The data are trusted less than ``leastTrust``.
    case untrusted(Place, trust: Double)
  }

  /// Which of the two.
  public enum Place: String, Sendable, CaseIterable {
    case a = "A"
    case b = "B"
  }

  /// Shortest time in seconds: a window of 30 s may lack a few beats.
  public static let shortest = 25.0
  /// Least trust.
  public static let leastTrust = 0.5

  /// ln RMSSD of B less that of A: the logarithm of their ratio.
  public let difference: Double
  /// Half of the 95 % interval of the difference, and the smallest difference that is called a change (the minimal
  /// detectable change, MDC95: Weir 2005).
  public let smallestDetectable: Double

  /// Compares B with A.
  public init(from a: Side, to b: Side, variability: RestVariability = .prior) throws(Reason) {
    let (before, after) = (try Self.logarithm(a, .a), try Self.logarithm(b, .b))
    difference = after - before
    let variance = variability.variance(seconds: a.seconds) + variability.variance(seconds: b.seconds)
    smallestDetectable =
      StudentT.quantile95(degreesOfFreedom: variability.degreesOfFreedom) * variance.squareRoot()
  }

  private static func logarithm(_ side: Side, _ place: Place) throws(Reason) -> Double {
    guard side.sums.differences > 0, side.seconds >= shortest else {
      throw .tooShort(place, seconds: side.seconds)
    }
    guard let logarithm = side.sums.lnRMSSD else { throw .noVariation(place) }
    guard side.trust >= leastTrust else { throw .untrusted(place, trust: side.trust) }
    return logarithm
  }

  /// Whether it changed. False says that no change was found, not that there was none.
  public var isChanged: Bool { abs(difference) > smallestDetectable }

  /// Bounds of the 95 % interval of the difference.
  public var low: Double { difference - smallestDetectable }
  public var high: Double { difference + smallestDetectable }

  /// RMSSD of B over that of A, with the bounds of its 95 % interval.
  public var ratio: (value: Double, low: Double, high: Double) { (.exp(difference), .exp(low), .exp(high)) }

  /// The ratio from which on a rise would have been found; its inverse is that of a fall.
  public var smallestDetectableRatio: Double { .exp(smallestDetectable) }
}
