import RealModule

/// A comparison of RMSSD between two periods, with its uncertainty.
///
/// It compares ln RMSSD, the only metric whose variation during rest is known with sufficient accuracy.
/// *Changed* means that the difference exceeds that of 95 % of pairs of windows of one undisturbed rest
/// (``RestVariability``).
package struct RMSSDChange: Equatable, Sendable {
  /// One of the two periods.
  package struct Side: Equatable, Sendable {
    /// Sums over its normal beats.
    package var sums: NNSums
    /// Variation within the period.
    package var variation: BlockVariation
    /// Fraction of the period with usable data, 0 to 1.
    package var trust: Double

    package init(sums: NNSums, variation: BlockVariation = .average, trust: Double) {
      (self.sums, self.variation, self.trust) = (sums, variation, trust)
    }

    /// Creates a side from the classified beats of a period.
    package init(beats: some Sequence<Beat>, trust: Double) {
      self.init(sums: NNSeries(beats).sums, variation: BlockVariation(of: beats), trust: trust)
    }

    /// Time covered by its successive differences, in seconds.
    package var seconds: Double { Double(sums.differences) * (sums.meanNN ?? 0) / 1000 }

    fileprivate func variance(_ variability: RestVariability) -> Double {
      variability.variance(seconds: seconds, variation: variation)
    }
  }

  /// The reason why no comparison is possible.
  package enum Reason: Error, Equatable, Sendable {
    /// Normal beats cover less than ``shortest``.
    case tooShort(Place, seconds: Double)
    /// All intervals are equal, which is not physiological.
    case noVariation(Place)
    /// Less than ``leastTrust`` of the period has usable data.
    case untrusted(Place, trust: Double)
  }

  /// Identifies one of the two periods.
  package enum Place: String, Sendable, CaseIterable {
    case a = "A"
    case b = "B"
  }

  /// Minimum duration in seconds: a window of 30 s minus a few beats.
  package static let shortest = 25.0
  /// Minimum fraction of the period with usable data.
  package static let leastTrust = 0.5

  /// ln RMSSD of B minus ln RMSSD of A: the logarithm of their ratio.
  package let difference: Double
  /// Half of the width of the 95 % interval of the difference. It is also the minimal detectable change
  /// (MDC95: Weir 2005).
  package let smallestDetectable: Double

  /// Compares B with A.
  /// - Parameter extent: seconds from the start of the earlier period to the end of the later one, if known.
  /// - Throws: ``Reason`` if one of the periods is not suitable.
  package init(
    from a: Side, to b: Side, variability: RestVariability = .populationDefault, extent: Double? = nil
  ) throws(Reason) {
    let (before, after) = (try Self.logarithm(a, .a), try Self.logarithm(b, .b))
    difference = after - before
    let variance = a.variance(variability) + b.variance(variability)
    smallestDetectable =
      StudentT.quantile95(degreesOfFreedom: RestVariability.degreesOfFreedom) * variance.squareRoot()
      * RestVariability.scale(extent: extent)
  }

  private static func logarithm(_ side: Side, _ place: Place) throws(Reason) -> Double {
    guard side.sums.differences > 0, side.seconds >= shortest else {
      throw .tooShort(place, seconds: side.seconds)
    }
    guard let logarithm = side.sums.lnRMSSD else { throw .noVariation(place) }
    guard side.trust >= leastTrust else { throw .untrusted(place, trust: side.trust) }
    return logarithm
  }

  /// Whether a change was detected. False does not imply that there was none.
  package var isChanged: Bool { abs(difference) > smallestDetectable }

  /// Lower bound of the 95 % interval of the difference.
  package var low: Double { difference - smallestDetectable }
  /// Upper bound of the 95 % interval of the difference.
  package var high: Double { difference + smallestDetectable }

  /// RMSSD of B divided by that of A, with the bounds of its 95 % interval.
  package var ratio: (value: Double, low: Double, high: Double) { (.exp(difference), .exp(low), .exp(high)) }

  /// The smallest ratio that would be detected as an increase; its inverse applies to a decrease.
  package var smallestDetectableRatio: Double { .exp(smallestDetectable) }
}
