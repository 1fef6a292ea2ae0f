import HeartRate
import History
import JSONLines
import Stress

/// A value of a record, as JSON and CSV write it.
enum FieldValue {
  case text(String?)
  case integer(Int64?)
  case number(Double?)
  case seconds(SessionTime)
  case truth(Bool?)

  func put(_ key: String, into line: inout JSONLine) {
    switch self {
    case .text(let text): line.put(key, text)
    case .integer(let integer): line.put(key, integer)
    case .number(let number): line.put(key, number)
    case .seconds(let time): line.put(key, seconds: time)
    case .truth(let truth): line.put(key, truth)
    }
  }

  /// A field of RFC 4180; empty where there is no value.
  var csv: String {
    switch self {
    case .text(let text): text.map(Self.quoted) ?? ""
    case .integer(let integer): integer.map { "\($0)" } ?? ""
    case .number(let number): number.flatMap { $0.isFinite ? $0.description : nil } ?? ""
    case .seconds(let time): time.seconds.description
    case .truth(let truth): truth.map(\.description) ?? ""
    }
  }

  /// Byte by byte: a combining mark behind a quote does not make it another character.
  private static func quoted(_ text: String) -> String {
    guard text.utf8.contains(where: { ",\"\r\n".utf8.contains($0) }) else { return text }
    let quote = UInt8(ascii: "\"")
    let doubled = text.utf8.flatMap { $0 == quote ? [quote, quote] : [$0] }
    return "\"" + String(decoding: doubled, as: UTF8.self) + "\""
  }
}

extension StoredMeasurement {
  /// What is told of a measurement, under the names of docs/reference/json.md.
  private static let fields: [(key: String, value: @Sendable (StoredMeasurement) -> FieldValue)] = [
    ("id", { .integer($0.id) }),
    ("time", { .text($0.time.rfc3339) }),
    ("monotonic_s", { .seconds($0.at) }),
    ("session", { .text($0.session.text) }),
    ("profile", { .text($0.profile) }),
    ("window_s", { .number($0.window) }),
    ("beats", { .integer(Int64($0.normalBeats)) }),
    ("mean_nn_ms", { .number($0.meanNN) }),
    ("mean_hr_bpm", { .number($0.meanHeartRate) }),
    ("sdnn_ms", { .number($0.sdnn) }),
    ("rmssd_ms", { .number($0.rmssd) }),
    ("pnn50_percent", { .number($0.pNN50) }),
    ("artefact_percent", { .number($0.artefactFraction * 100) }),
    ("coverage", { .number($0.coverage) }),
    ("sensor_class", { .text($0.sensorClass?.rawValue) }),
    ("stress", { .number($0.stress) }),
    ("category", { .text($0.category?.rawValue) }),
    ("confidence", { .number($0.confidence.value) }),
  ]

  /// The fields after the factors of confidence, so that existing columns of CSV keep their places.
  private static let laterFields: [(key: String, value: @Sendable (StoredMeasurement) -> FieldValue)] = [
    ("engine", { .integer($0.engine.map { Int64($0) }) }),
    ("reading", { .truth($0.isReading) }),
    ("paced", { .truth($0.isPaced) }),
    ("usable", { .truth($0.isUsable) }),
  ]

  /// The members of its JSON object.
  func put(into line: inout JSONLine) {
    for field in Self.fields { field.value(self).put(field.key, into: &line) }
    line.put("confidence_factors", confidence)
    for field in Self.laterFields { field.value(self).put(field.key, into: &line) }
  }

  /// The names of its columns in CSV: as in JSON, each factor of confidence under a name of its own.
  static let csvHeading =
    (fields.map(\.key) + Confidence.Factor.allCases.map { "confidence_" + $0.rawValue }
    + laterFields.map(\.key))
    .joined(separator: ",") + "\r\n"

  var csv: String {
    let factors = Confidence.Factor.allCases.map { FieldValue.number(confidence[$0]).csv }
    let later = Self.laterFields.map { $0.value(self).csv }
    return (Self.fields.map { $0.value(self).csv } + factors + later).joined(separator: ",") + "\r\n"
  }
}

/// What `history` lists beside measurements.
protocol ListedRecord {
  /// The names of its columns in CSV.
  static var csvHeading: String { get }
  var csv: String { get }
  /// Puts the members of its JSON object.
  func put(into line: inout JSONLine)
}

extension StoredSession: ListedRecord {
  private static let fields: [(key: String, value: @Sendable (StoredSession) -> FieldValue)] = [
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
  ]

  /// The members of its JSON object.
  func put(into line: inout JSONLine) {
    for field in Self.fields { field.value(self).put(field.key, into: &line) }
  }

  static let csvHeading = fields.map(\.key).joined(separator: ",") + "\r\n"

  var csv: String { Self.fields.map { $0.value(self).csv }.joined(separator: ",") + "\r\n" }
}

extension JournalEntry {
  /// The members of its JSON object.
  func put(into line: inout JSONLine) {
    line.put("id", id)
    line.put("time", time.rfc3339)
    line.put("profile", profile)
    line.put("session", session?.text)
    line.put("mood", mood?.rating)
    line.put("mood_word", mood?.word)
    line.put("triggers", texts: triggers)
    line.put("note", note)
  }

  /// In one line: `journal 3: mood 6, neutral; coffee, work; "before the meeting"`.
  var words: String {
    let mood = mood.map { "mood \($0.rating), \($0.word)" }
    let names = triggers.isEmpty ? nil : triggers.joined(separator: ", ")
    let said = [mood, names, note.map { "\"\($0)\"" }].compactMap(\.self).joined(separator: "; ")
    return "journal \(id): \(said)"
  }
}
