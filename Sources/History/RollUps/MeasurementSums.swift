package import Stress

/// Sums over many measurements, from which counts, means, standard deviations and extremes are computed. Sums can be added.
///
/// Only usable measurements (``StoredMeasurement/isUsable``) count, except in ``measurements``, ``scored`` and beats.
package struct MeasurementSums: Equatable, Sendable {
  /// Number of stored measurements, also those without a stress value.
  package internal(set) var measurements = 0
  /// Number of beats in the windows of all measurements, normal or not.
  package internal(set) var beats = 0
  /// Number of normal beats in the windows of all measurements.
  package internal(set) var normalBeats = 0
  /// Number of measurements with a stress value, usable or not.
  package internal(set) var scored = 0
  /// Number of usable measurements without paced breathing.
  var unpaced = 0
  /// Number of usable measurements in each category, in the order of `StressCategory.allCases`.
  var categories = [Int](repeating: 0, count: StressCategory.allCases.count)
  var confidence = 0.0
  /// Number of usable measurements with an interval of the stress value.
  var intervals = 0
  /// Sums of the bounds of these intervals.
  var intervalLow = 0.0
  var intervalHigh = 0.0
  var sums = [QuantitySum](repeating: QuantitySum(), count: Quantity.allCases.count)

  /// The quantities that are summed.
  package enum Quantity: Int, Sendable, CaseIterable {
    /// 0 to 100.
    case stress
    /// In ms.
    case rmssd
    /// In ms.
    case sdnn
    /// In bpm.
    case heartRate
    /// RMSSD of the windows without paced breathing, in ms.
    case unpacedRMSSD
    /// SDNN of the windows without paced breathing, in ms.
    case unpacedSDNN
  }

  package init() {}

  /// The sums of `count` usable measurements with the same values, without intervals.
  /// - Parameters:
  ///   - stress: 0 to 100.
  ///   - rmssd: in ms.
  ///   - heartRate: in bpm.
  package init(_ count: Int, stress: Double, rmssd: Double, heartRate: Double) {
    (measurements, scored, unpaced) = (count, count, count)
    categories = StressCategory.allCases.map { $0 == StressCategory(score: stress) ? count : 0 }
    (confidence, beats, normalBeats) = (Double(count), 60 * count, 60 * count)
    let values: [(Quantity, Double)] = [
      (.stress, stress), (.rmssd, rmssd), (.unpacedRMSSD, rmssd), (.sdnn, rmssd), (.unpacedSDNN, rmssd),
      (.heartRate, heartRate),
    ]
    for (quantity, value) in values {
      sums[quantity.rawValue] = QuantitySum(
        sum: Double(count) * value, squares: Double(count) * value * value, low: value, high: value)
    }
  }

  /// Number of usable measurements.
  package var usable: Int { categories.reduce(0, &+) }

  private func count(of quantity: Quantity) -> Int {
    switch quantity {
    case .stress, .rmssd, .sdnn, .heartRate: usable
    case .unpacedRMSSD, .unpacedSDNN: unpaced
    }
  }

  /// Number of usable measurements in `category`.
  package subscript(category: StressCategory) -> Int {
    StressCategory.allCases.firstIndex(of: category).map { categories[$0] } ?? 0
  }

  /// Mean, standard deviation and extremes of `quantity`. Undefined if no measurement is usable, or if a damaged file
  /// contains impossible values.
  package subscript(quantity: Quantity) -> Spread? {
    let count = Double(count(of: quantity))
    let sum = sums[quantity.rawValue]
    guard count > 0, let low = sum.low, let high = sum.high, sum.sum.isFinite, sum.squares.isFinite,
      low >= -Self.limit, high <= Self.limit, low <= high
    else { return nil }
    let mean = min(max(sum.sum / count, low), high)
    let variance = count > 1 ? max(0, (sum.squares - sum.sum * (sum.sum / count)) / (count - 1)) : nil
    return Spread(
      mean: mean, low: low, high: high, deviation: variance.map { min($0.squareRoot(), Self.limit) })
  }

  private static let limit = 1e6

  /// Mean confidence of the usable measurements, 0 to 1, if there are any.
  package var meanConfidence: Double? { usable > 0 ? confidence / Double(usable) : nil }

  /// Mean of the lower and of the upper bounds of the intervals of the stress values. Defined only if every usable
  /// measurement has an interval, because the means of other measurements do not belong to the mean stress.
  package var stressBand: ClosedRange<Double>? {
    guard intervals > 0, intervals == usable else { return nil }
    let (low, high) = (intervalLow / Double(intervals), intervalHigh / Double(intervals))
    return low <= high && low.isFinite && high.isFinite ? low...high : nil
  }

  /// Fraction of the beats that are not normal, 0 to 1. Undefined if there are no beats.
  package var artefactFraction: Double? {
    beats > 0 ? (Double(beats) - Double(normalBeats)) / Double(beats) : nil
  }

  package static func += (total: inout MeasurementSums, part: MeasurementSums) {
    total.measurements &+= part.measurements
    total.beats &+= part.beats
    total.normalBeats &+= part.normalBeats
    total.scored &+= part.scored
    total.unpaced &+= part.unpaced
    total.confidence += part.confidence
    total.intervals &+= part.intervals
    total.intervalLow += part.intervalLow
    total.intervalHigh += part.intervalHigh
    for index in total.categories.indices { total.categories[index] &+= part.categories[index] }
    for index in total.sums.indices { total.sums[index].add(part.sums[index]) }
  }
}

/// Mean, extremes and standard deviation of values.
package struct Spread: Equatable, Sendable {
  package let mean: Double
  package let low: Double
  package let high: Double
  /// Standard deviation over n - 1. Undefined for a single value.
  package let deviation: Double?

  /// The spread of `values`. Fails if the array is empty.
  package init?(_ values: [Double]) {
    guard let low = values.min(), let high = values.max() else { return nil }
    let mean = values.reduce(0, +) / Double(values.count)
    let squares = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
    self.init(
      mean: mean, low: low, high: high,
      deviation: values.count > 1 ? (squares / Double(values.count - 1)).squareRoot() : nil)
  }

  init(mean: Double, low: Double, high: Double, deviation: Double?) {
    (self.mean, self.low, self.high, self.deviation) = (mean, low, high, deviation)
  }
}

/// Sum, sum of squares and extremes of one quantity.
struct QuantitySum: Equatable, Sendable {
  var sum = 0.0
  var squares = 0.0
  var low: Double?
  var high: Double?

  mutating func add(_ other: QuantitySum) {
    sum += other.sum
    squares += other.squares
    low = other.low.map { min($0, low ?? $0) } ?? low
    high = other.high.map { max($0, high ?? $0) } ?? high
  }
}
