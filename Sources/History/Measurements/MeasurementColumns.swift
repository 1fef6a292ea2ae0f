internal import HRV
internal import HeartRate
internal import Stress

/// The columns of a stored measurement that depend only on the measurement, with their values. Every database that stores measurements
/// uses them.
package enum MeasurementColumns {
  /// The names, in the order of the positions.
  package static let names: [String] = all.map(\.name)

  /// The value of the column at `position` in ``names``.
  package static func value(_ position: Int, of sample: MeasurementSample) -> SQLValue {
    all[position].value(sample)
  }

  private static let all: [WrittenColumn] = values + boundValues + factorValues + qualityValues

  static func name(of factor: Confidence.Factor) -> String { "confidence_" + factor.rawValue }
  static func name(of quantity: WindowQuality.Quantity) -> String { "quality_" + quantity.rawValue }

  private typealias WrittenColumn = (name: String, value: @Sendable (MeasurementSample) -> SQLValue)

  private static let values: [WrittenColumn] =
    [
      ("ticks", { .integer($0.measurement.time.ticks) }),
      ("window_s", { .real($0.measurement.window) }),
      ("stress", { .real($0.measurement.score?.value) }),
      ("rmssd_ms", { .real($0.measurement.rmssd) }),
      ("sdnn_ms", { .real($0.measurement.sdnn) }),
      ("mean_nn_ms", { .real($0.measurement.nn.meanNN) }),
      ("mean_hr_bpm", { .real($0.measurement.nn.meanHeartRate) }),
      ("pnn50_percent", { .real($0.measurement.pNN50) }),
      ("beats", { .integer(Int64($0.measurement.beats)) }),
      ("normal_beats", { .integer(Int64($0.measurement.nn.count)) }),
      ("coverage", { .real($0.measurement.coverage) }),
      ("sensor_class", { $0.measurement.sensorClass.map { .text($0.rawValue) } ?? .null }),
      ("engine", { _ in .integer(Int64(StressEngine.version)) }),
      ("is_reading", { .integer($0.isReading ? 1 : 0) }),
      ("is_paced", { .integer($0.isPaced ? 1 : 0) }),
      ("confidence", { .real($0.measurement.confidence.value) }),
    ]

  private static let factorValues: [WrittenColumn] = Confidence.Factor.allCases.map { factor in
    (name: name(of: factor), value: { .real($0.measurement.confidence[factor]) })
  }

  private static let boundValues: [WrittenColumn] = StoredMeasurement.Bounds.allCases.flatMap { bounds in
    [
      (name: bounds.low, value: { @Sendable in .real($0.measurement[bounds]?.lowerBound) }),
      (name: bounds.high, value: { @Sendable in .real($0.measurement[bounds]?.upperBound) }),
    ]
  }

  private static let qualityValues: [WrittenColumn] = WindowQuality.Quantity.allCases.map { quantity in
    (name: name(of: quantity), value: { .real($0.measurement.quality[quantity]) })
  }
}
