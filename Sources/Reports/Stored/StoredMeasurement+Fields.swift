import HeartRate
package import History
package import JSONLines
import LiveSession
import Stress

extension StoredMeasurement: ListedRecord {
  private static let fields: [Field<StoredMeasurement>] = [
    ("id", { .integer($0.id) }),
    ("time", { .text($0.time.rfc3339) }),
    ("monotonic_s", { .seconds($0.at) }),
    ("session", { .text($0.session.text) }),
    ("profile", { .text($0.profile) }),
    ("window_s", { .number($0.window) }),
    ("beats", { .integer(Int64($0.normalBeats)) }),
    (MetricDefinition.meanNN.key, { .number($0.meanNN) }),
    (MetricDefinition.meanHeartRate.key, { .number($0.meanHeartRate) }),
    (MetricDefinition.sdnn.key, { .number($0.sdnn) }),
    (MetricDefinition.rmssd.key, { .number($0.rmssd) }),
    (MetricDefinition.pNN50.key, { .number($0.pNN50) }),
    (MetricDefinition.artefacts.key, { .number($0.artefactFraction * 100) }),
    (MetricDefinition.coverage.key, { .number($0.coverage) }),
    ("sensor_class", { .text($0.sensorClass?.rawValue) }),
    (MetricDefinition.stress.key, { .number($0.stress) }),
    ("category", { .text($0.category?.rawValue) }),
    (MetricDefinition.confidence.key, { .number($0.confidence.value) }),
  ]

  /// The bounds of the interval: after the stress value in JSON, in later columns of CSV.
  private static let intervalFields: [Field<StoredMeasurement>] = [
    (MetricDefinition.stressLow.key, { .number($0.interval?.lowerBound) }),
    (MetricDefinition.stressHigh.key, { .number($0.interval?.upperBound) }),
  ]

  /// The bounds of the ranges: after those of the interval in JSON, the last columns of CSV.
  private static let rangeFields: [Field<StoredMeasurement>] = [
    (MetricDefinition.stressRangeLow.key, { .number($0.range?.lowerBound) }),
    (MetricDefinition.stressRangeHigh.key, { .number($0.range?.upperBound) }),
    ("level_low", { .number($0.levelRange?.lowerBound) }),
    ("level_high", { .number($0.levelRange?.upperBound) }),
  ]

  /// The fields after the first factors of confidence. Their place keeps the positions of existing columns of CSV.
  private static let laterFields: [Field<StoredMeasurement>] = [
    ("engine", { .integer($0.engine.map { Int64($0) }) }),
    ("reading", { .truth($0.isReading) }),
    ("paced", { .truth($0.isPaced) }),
    ("usable", { .truth($0.isUsable) }),
  ]

  /// The last field of JSON, and the last column of CSV before ``rangeFields``.
  private static let simulatedField: Field<StoredMeasurement> = ("simulated", { .truth($0.isSimulated) })

  /// The number of factors whose columns of CSV precede ``laterFields``; the others follow all earlier columns.
  private static let firstFactors = 10

  package func put(into line: inout JSONLine) {
    for field in Self.fields {
      field.value(self).put(field.key, into: &line)
      guard field.key == MetricDefinition.stress.key else { continue }
      for bound in Self.intervalFields + Self.rangeFields { bound.value(self).put(bound.key, into: &line) }
    }
    line.put(confidence)
    for field in Self.laterFields + [Self.simulatedField] { field.value(self).put(field.key, into: &line) }
  }

  /// The columns of CSV. Columns are only ever appended.
  private static let columns: [Field<StoredMeasurement>] =
    fields + Confidence.Factor.allCases.prefix(firstFactors).map(factorField) + laterFields
    + intervalFields + Confidence.Factor.allCases.dropFirst(firstFactors).map(factorField) + [simulatedField]
    + rangeFields

  private static func factorField(_ factor: Confidence.Factor) -> Field<StoredMeasurement> {
    ("confidence_" + factor.rawValue, { .number($0.confidence[factor]) })
  }

  /// The keys of JSON; each factor of confidence is a column `confidence_FACTOR`.
  package static let csvHeading = columns.map(\.key).joined(separator: ",") + "\r\n"

  package var csv: String {
    Self.columns.map { $0.value(self).csv }.joined(separator: ",") + "\r\n"
  }
}
