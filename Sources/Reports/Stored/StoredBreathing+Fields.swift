import HeartRate
package import History
package import JSONLines

extension StoredBreathing: ListedRecord {
  private static let description: [Field<StoredBreathing>] = [
    ("session", { .text($0.session.text) }),
    ("profile", { .text($0.profile) }),
    ("time", { .text($0.time.rfc3339) }),
    ("pattern", { .text($0.pattern) }),
    ("cycles", { .integer(Int64($0.cycles)) }),
    ("planned_cycles", { .integer(Int64($0.plannedCycles)) }),
    ("duration_s", { .number($0.seconds) }),
  ]

  private static let parts: [(key: String, part: @Sendable (StoredBreathing) -> Part)] = [
    ("before", \.before), ("during", \.during), ("after", \.after),
  ]

  /// The fields of each part.
  private static let measured: [Field<Part>] = [
    (MetricDefinition.rmssd.key, { .number($0.rmssd) }),
    (MetricDefinition.sdnn.key, { .number($0.sdnn) }),
    (MetricDefinition.meanHeartRate.key, { .number($0.heartRate) }),
    (MetricDefinition.stress.key, { .number($0.stress) }),
    (MetricDefinition.confidence.key, { .number($0.confidence) }),
  ]

  private static let outcome: [Field<StoredBreathing>] = [
    (MetricDefinition.coherence.key, { .number($0.coherence) }),
    (MetricDefinition.sinusArrhythmia.key, { .number($0.amplitude) }),
    ("changed", { .truth($0.changed.isChange) }),
    (MetricDefinition.rmssdRatio.key, { .number($0.ratio?.value) }),
    (MetricDefinition.rmssdRatio.key(of: "low"), { .number($0.ratio?.low) }),
    (MetricDefinition.rmssdRatio.key(of: "high"), { .number($0.ratio?.high) }),
    (MetricDefinition.detectableRatio.key, { .number($0.smallestDetectableRatio) }),
    (MetricDefinition.resonance.key, { .number($0.resonance?.value) }),
    (MetricDefinition.resonance.key(of: "low"), { .number($0.resonance?.low) }),
    (MetricDefinition.resonance.key(of: "high"), { .number($0.resonance?.high) }),
    ("simulated", { .truth($0.isSimulated) }),
  ]

  package func put(into line: inout JSONLine) {
    for field in Self.description { field.value(self).put(field.key, into: &line) }
    for (key, part) in Self.parts {
      line.put(key) { line in
        for field in Self.measured { field.value(part(self)).put(field.key, into: &line) }
      }
    }
    for field in Self.outcome { field.value(self).put(field.key, into: &line) }
  }

  /// The keys of JSON; a field of a part is a column `PART_KEY`, for example `before_rmssd_ms`.
  package static let csvHeading: String = {
    let values = parts.flatMap { part in measured.map { "\(part.key)_\($0.key)" } }
    return (description.map(\.key) + values + outcome.map(\.key)).joined(separator: ",") + "\r\n"
  }()

  package var csv: String {
    let values = Self.parts.flatMap { part in Self.measured.map { $0.value(part.part(self)) } }
    let all = Self.description.map { $0.value(self) } + values + Self.outcome.map { $0.value(self) }
    return all.map(\.csv).joined(separator: ",") + "\r\n"
  }
}
