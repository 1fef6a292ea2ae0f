/// The difference of a metric between two groups of sessions: interval, effect size and t test.
///
/// Independent groups: Welch's t test, which does not assume equal variances (Welch 1947), with the degrees of freedom
/// of Satterthwaite (1946); effect size Hedges' g (1981), the difference over the pooled standard deviation, corrected
/// for its bias in small samples. Paired groups: Student's t test of the differences; effect size dz, their mean over
/// their standard deviation (Cohen 1988). Both intervals are 95 %; that of the effect size uses its large-sample
/// variance (Hedges & Olkin 1985).
package struct GroupDifference: Equatable, Sendable {
  /// The relation between the groups.
  package enum Design: String, Sendable {
    case independent
    /// Element i of both groups belongs to the same person.
    case paired
  }

  /// The reason why there is no test.
  package enum Reason: Error, Equatable, Sendable {
    /// A group, or the set of pairs, has fewer values than two.
    case tooFewValues(found: Int, needed: Int)
    /// All values, or all differences, are equal.
    case unchanging
  }

  /// B minus A, in the unit of the metric.
  package let difference: Double
  /// 95 % interval of the difference.
  package let interval: ClosedRange<Double>
  /// Hedges' g, or dz of paired groups.
  package let effect: Double
  /// 95 % interval of the effect size.
  package let effectInterval: ClosedRange<Double>
  package let t: Double
  package let degreesOfFreedom: Double
  /// Two-sided.
  package let p: Double

  /// Minimum number of values in each group, and of pairs.
  package static let fewestValues = 2
  private static let normalQuantile = 1.959963984540054

  /// Compares independent groups.
  package init(from a: [Double], to b: [Double]) throws(Reason) {
    let (first, second) = (Sample(a), Sample(b))
    guard min(a.count, b.count) >= Self.fewestValues else {
      throw .tooFewValues(found: min(a.count, b.count), needed: Self.fewestValues)
    }
    let (errorA, errorB) = (first.variance / first.count, second.variance / second.count)
    guard errorA + errorB > 0 else { throw .unchanging }
    let freedom =
      (errorA + errorB) * (errorA + errorB)
      / (errorA * errorA / (first.count - 1) + errorB * errorB / (second.count - 1))
    let total = first.count + second.count
    let pooled = ((first.count - 1) * first.variance + (second.count - 1) * second.variance) / (total - 2)
    let bias = 1 - 3 / (4 * (total - 2) - 1)
    let effect = bias * (second.mean - first.mean) / pooled.squareRoot()
    self.init(
      difference: second.mean - first.mean, error: (errorA + errorB).squareRoot(), freedom: freedom,
      effect: effect, effectVariance: total / (first.count * second.count) + effect * effect / (2 * total))
  }

  /// Compares pairs of values of A and B.
  package init(pairs: [(a: Double, b: Double)]) throws(Reason) {
    guard pairs.count >= Self.fewestValues else {
      throw .tooFewValues(found: pairs.count, needed: Self.fewestValues)
    }
    let sample = Sample(pairs.map { $0.b - $0.a })
    guard sample.variance > 0 else { throw .unchanging }
    let effect = sample.mean / sample.variance.squareRoot()
    self.init(
      difference: sample.mean, error: (sample.variance / sample.count).squareRoot(),
      freedom: sample.count - 1, effect: effect,
      effectVariance: 1 / sample.count + effect * effect / (2 * sample.count))
  }

  private init(
    difference: Double, error: Double, freedom: Double, effect: Double, effectVariance: Double
  ) {
    let half = StudentT.quantile(0.05, degreesOfFreedom: freedom) * error
    let effectHalf = Self.normalQuantile * effectVariance.squareRoot()
    (self.difference, interval) = (difference, difference - half...difference + half)
    (self.effect, effectInterval) = (effect, effect - effectHalf...effect + effectHalf)
    (t, degreesOfFreedom) = (difference / error, freedom)
    p = StudentT.pValue(difference / error, degreesOfFreedom: freedom)
  }
}

/// Mean and variance of a group.
package struct Sample: Equatable, Sendable {
  package let count: Double
  /// NaN without values.
  package let mean: Double
  /// Over n - 1; 0 below two values.
  package let variance: Double

  package init(_ values: [Double]) {
    count = Double(values.count)
    let mean = values.reduce(0, +) / count
    let squares = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
    (self.mean, variance) = (mean, values.count > 1 ? squares / (count - 1) : 0)
  }
}
