import HeartRate
import History
import JSONLines
import Terminal

extension StoredBreathing: ListedRecord {
  private typealias Field<Record> = (key: String, value: @Sendable (Record) -> FieldValue)

  /// What is told of an exercise, under the names of docs/reference/json.md.
  private static let about: [Field<StoredBreathing>] = [
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

  /// Of each of those.
  private static let measured: [Field<Part>] = [
    ("rmssd_ms", { .number($0.rmssd) }),
    ("sdnn_ms", { .number($0.sdnn) }),
    ("mean_hr_bpm", { .number($0.heartRate) }),
    ("stress", { .number($0.stress) }),
    ("confidence", { .number($0.confidence) }),
  ]

  private static let found: [Field<StoredBreathing>] = [
    ("coherence", { .number($0.coherence) }),
    ("rsa_ms", { .number($0.amplitude) }),
    ("changed", { .truth($0.changed.isChange) }),
    ("rmssd_ratio", { .number($0.ratio?.value) }),
    ("rmssd_ratio_low", { .number($0.ratio?.low) }),
    ("rmssd_ratio_high", { .number($0.ratio?.high) }),
    ("smallest_detectable_ratio", { .number($0.smallestDetectableRatio) }),
    ("resonance_brpm", { .number($0.resonance?.value) }),
    ("resonance_low_brpm", { .number($0.resonance?.low) }),
    ("resonance_high_brpm", { .number($0.resonance?.high) }),
  ]

  func put(into line: inout JSONLine) {
    for field in Self.about { field.value(self).put(field.key, into: &line) }
    for (key, part) in Self.parts {
      line.put(key) { line in
        for field in Self.measured { field.value(part(self)).put(field.key, into: &line) }
      }
    }
    for field in Self.found { field.value(self).put(field.key, into: &line) }
  }

  /// As in JSON, with the name of its part before that of a value: `before_rmssd_ms`.
  static let csvHeading: String = {
    let values = parts.flatMap { part in measured.map { "\(part.key)_\($0.key)" } }
    return (about.map(\.key) + values + found.map(\.key)).joined(separator: ",") + "\r\n"
  }()

  var csv: String {
    let values = Self.parts.flatMap { part in Self.measured.map { $0.value(part.part(self)) } }
    let all = Self.about.map { $0.value(self) } + values + Self.found.map { $0.value(self) }
    return all.map(\.csv).joined(separator: ",") + "\r\n"
  }

  /// In one line: `breathing 4-7-8: 4 of 4 cycles; RMSSD 41.0 > 52.3 ms, changed: no`.
  var words: String {
    let findings = [heart, resonance.map { "resonance \($0.value.fixed(2)) breaths/min" }].compactMap(\.self)
    let said = findings.isEmpty ? ["no heartbeat"] : findings
    return
      "breathing \(pattern): \((["\(cycles) of \(counted(plannedCycles, "cycle"))"] + said).joined(separator: "; "))"
  }

  /// The rests where there were any, else what was measured while it went on; nil without a heartbeat.
  private var heart: String? {
    if before != Part() || after != Part() {
      return "RMSSD \(Self.text(before.rmssd)) > \(Self.text(after.rmssd)) ms, changed: \(changed.rawValue)"
    }
    return during.heartRate.map { "RMSSD \(Self.text(during.rmssd)) ms, \($0.fixed(0)) bpm during it" }
  }

  private static func text(_ value: Double?) -> String { value?.fixed(1) ?? "-" }
}
