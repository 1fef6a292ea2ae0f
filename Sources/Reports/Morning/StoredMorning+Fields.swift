import HeartRate
package import History
package import JSONLines
import Stress

extension StoredMorning: ListedRecord {
  private static let fields: [Field<StoredMorning>] = [
    ("session", { .text($0.session.text) }),
    ("profile", { .text($0.profile) }),
    ("time", { .text($0.time.rfc3339) }),
    ("day", { .text(TrendPeriod.date(Int64($0.day))) }),
    ("posture", { .text($0.posture.rawValue) }),
    ("standing_part", { .truth($0.isStandingPart) }),
    ("duration_s", { .number($0.seconds) }),
    ("beats", { .integer(Int64($0.normalBeats)) }),
    (MetricDefinition.rmssd.key, { .number($0.rmssd) }),
    (MetricDefinition.lnRMSSD.key, { .number($0.lnRMSSD) }),
    (MetricDefinition.sdnn.key, { .number($0.sdnn) }),
    (MetricDefinition.meanHeartRate.key, { .number($0.heartRate) }),
    (MetricDefinition.artefacts.key, { .number($0.artefactFraction.map { $0 * 100 }) }),
    (MetricDefinition.confidence.key, { .number($0.confidence) }),
    ("counted", { .truth($0.counts) }),
    ("refusal", { .text($0.refusal?.rawValue) }),
    ("simulated", { .truth($0.isSimulated) }),
  ]

  package func put(into line: inout JSONLine) {
    for field in Self.fields { field.value(self).put(field.key, into: &line) }
  }

  package static let csvHeading = fields.map(\.key).joined(separator: ",") + "\r\n"

  package var csv: String { Self.fields.map { $0.value(self).csv }.joined(separator: ",") + "\r\n" }
}
