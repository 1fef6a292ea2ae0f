import HeartRate
package import History
package import JSONLines
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

  /// The fields after the factors of confidence, so that existing columns of CSV keep their positions.
  private static let laterFields: [Field<StoredMeasurement>] = [
    ("engine", { .integer($0.engine.map { Int64($0) }) }),
    ("reading", { .truth($0.isReading) }),
    ("paced", { .truth($0.isPaced) }),
    ("usable", { .truth($0.isUsable) }),
  ]

  package func put(into line: inout JSONLine) {
    for field in Self.fields { field.value(self).put(field.key, into: &line) }
    line.put("confidence_factors", confidence)
    for field in Self.laterFields { field.value(self).put(field.key, into: &line) }
  }

  /// The keys of JSON; each factor of confidence is a column `confidence_FACTOR`.
  package static let csvHeading =
    (fields.map(\.key) + Confidence.Factor.allCases.map { "confidence_" + $0.rawValue }
    + laterFields.map(\.key))
    .joined(separator: ",") + "\r\n"

  package var csv: String {
    let factors = Confidence.Factor.allCases.map { FieldValue.number(confidence[$0]).csv }
    let later = Self.laterFields.map { $0.value(self).csv }
    return (Self.fields.map { $0.value(self).csv } + factors + later).joined(separator: ",") + "\r\n"
  }
}
