import HeartRate
package import History
package import JSONLines
import LiveSession
package import Localization
import Platform
package import Stress

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

extension StoredSession: FieldRecord {
  package static let fields: [Field<StoredSession>] = [
    ("session", { .text($0.info.id.text) }),
    ("profile", { .text($0.info.profile) }),
    ("time", { .text($0.info.started.rfc3339) }),
    ("zone", { .text($0.info.zone) }),
    ("duration_s", { .seconds($0.length) }),
    ("source", { .text($0.info.source.rawValue) }),
    ("strap", { .text($0.strap?.address) }),
    ("strap_name", { .text($0.strap?.name) }),
    ("events", { .integer(Int64($0.events)) }),
    ("measurements", { .integer(Int64($0.measurements)) }),
    ("outcome", { .text($0.outcome?.rawValue) }),
    ("ended", { .text($0.ended?.rfc3339) }),
    ("engine", { .integer($0.info.engine.map { Int64($0) }) }),
    ("file", { .text($0.file) }),
  ]
}

extension JournalEntry {
  /// Adds the members of the entry's JSON object.
  package func put(into line: inout JSONLine) {
    line.put("id", id)
    line.put("time", time.rfc3339)
    line.put("profile", profile)
    line.put("session", session?.text)
    line.put("mood", mood?.rating)
    line.put("mood_word", mood?.word)
    line.put("triggers", texts: triggers)
    line.put("note", note)
  }
}

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

extension StressPrompt.Answer {
  /// The label of a button.
  package var label: Phrase {
    switch self {
    case .yes: Phrase("Yes, because ...")
    case .no: Phrase("No")
    case .breathe: Phrase("Breathe")
    case .notToday: Phrase("Not today")
    }
  }
}

extension StoredPrompt {
  /// The journal entry of the answer "yes": what was measured, with the cause if it is known.
  /// - Parameter note: Precedes the measured values, which are left out if the text would be too long.
  package func journalEntry(triggers: [String] = [], note: String? = nil) -> JournalEntry {
    let (rmssd, low, high) = (
      measurement.rmssd.fixed(0), measurement.normal.lowerBound.fixed(0),
      measurement.normal.upperBound.fixed(0)
    )
    let place = "prompt \(id), RMSSD \(rmssd) ms, normal \(low)-\(high) ms"
    let text = note.map { "\($0) (\(place))" } ?? place
    return JournalEntry(
      profile: profile, time: measurement.time,
      utcOffset: LocalCalendar.system.utcOffset(measurement.time), session: session, triggers: triggers,
      note: JournalEntry.isTooLong(note: text) ? note : text)
  }

  /// Adds the members of the prompt.
  package func put(into line: inout JSONLine) {
    line.put("type", "prompt")
    line.put("id", id)
    line.put("time", measurement.time.rfc3339)
    line.put("profile", profile)
    line.put("session", session.text)
    line.put("stress", measurement.stress)
    line.put("confidence", measurement.confidence)
    line.put("rmssd_ms", measurement.rmssd)
    line.put("normal_low_ms", measurement.normal.lowerBound)
    line.put("normal_high_ms", measurement.normal.upperBound)
    line.put("answer", answer?.rawValue)
    line.put("answered", answered?.rfc3339)
    line.put("entry", entry)
  }
}

extension PromptAgreement {
  /// How often the person agreed.
  package var sentence: Phrase {
    answered == 0
      ? Phrase("No prompt has been answered with yes or no yet.")
      : Phrase("You agreed \(agreed) of \(answered).")
  }
}
