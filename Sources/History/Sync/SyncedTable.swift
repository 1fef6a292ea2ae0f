internal import GRDB

/// A table whose rows are shared records: one field per column.
///
/// Values are texts: integers and reals in decimal digits that give the same bits again, sessions as the lower-case text of their
/// ID, profiles as their number in this history, and triggers as lines. NULL is an absent value.
package struct SyncedTable: Sendable {
  /// The kind of the records.
  package let kind: String
  /// The names of all fields.
  package var fields: [String] { columns.map(\.name) + (hasTriggers ? [Self.triggers] : []) }
  /// The fields without which a row cannot be inserted.
  package var required: [String] { columns.filter(\.isRequired).map(\.name) }

  let table: String
  let columns: [Column]
  /// Whether the table `journal_trigger` belongs to it.
  let hasTriggers: Bool

  package static let triggers = "triggers"

  struct Column: Sendable {
    enum Content { case integer, real, text, profile, session }

    let name: String
    let content: Content
    var isRequired = false

    /// The value as text, of the row `r`.
    var selection: String {
      content == .session ? "(SELECT lower(id) FROM session WHERE number = r.session)" : "r.\(name)"
    }
  }

  package static let journal = SyncedTable(
    kind: "journal", table: "journal_entry", hasTriggers: true,
    columns: [
      Column(name: "profile", content: .profile, isRequired: true),
      Column(name: "session", content: .session),
      Column(name: "time_us", content: .integer, isRequired: true),
      Column(name: "utc_offset_s", content: .integer, isRequired: true),
      Column(name: "mood", content: .integer), Column(name: "note", content: .text),
    ])

  package static let breathing = SyncedTable(
    kind: "breathing", table: "breathing", hasTriggers: false,
    columns: [
      Column(name: "session", content: .session, isRequired: true),
      Column(name: "time_us", content: .integer, isRequired: true),
      Column(name: "pattern", content: .text, isRequired: true),
      Column(name: "cycles", content: .integer, isRequired: true),
      Column(name: "planned_cycles", content: .integer, isRequired: true),
      Column(name: "during_s", content: .real, isRequired: true),
      Column(name: "changed", content: .text, isRequired: true),
    ]
      + ["before", "during", "after"].flatMap { part in
        ["rmssd_ms", "sdnn_ms", "hr_bpm", "stress", "confidence"].map { "\(part)_\($0)" }
      }.map { Column(name: $0, content: .real) }
      + [
        "coherence", "rsa_ms", "rmssd_ratio", "rmssd_ratio_low", "rmssd_ratio_high",
        "smallest_detectable_ratio",
        "resonance_brpm", "resonance_low_brpm", "resonance_high_brpm",
      ].map { Column(name: $0, content: .real) })

  package static let mornings = SyncedTable(
    kind: "morning", table: "morning_reading", hasTriggers: false,
    columns: [
      Column(name: "session", content: .session, isRequired: true),
      Column(name: "part", content: .integer, isRequired: true),
      Column(name: "time_us", content: .integer, isRequired: true),
      Column(name: "day", content: .integer, isRequired: true),
      Column(name: "posture", content: .text, isRequired: true),
      Column(name: "duration_s", content: .real, isRequired: true),
      Column(name: "beats", content: .integer, isRequired: true),
      Column(name: "normal_beats", content: .integer, isRequired: true),
    ] + ["rmssd_ms", "sdnn_ms", "hr_bpm", "confidence"].map { Column(name: $0, content: .real) }
      + [Column(name: "refusal", content: .text)])

  package static let all = [journal, breathing, mornings]

  private init(kind: String, table: String, hasTriggers: Bool, columns: [Column]) {
    (self.kind, self.table, self.hasTriggers, self.columns) = (kind, table, hasTriggers, columns)
  }
}
