internal import GRDB
internal import HeartRate
package import Stress

/// A table whose rows are shared records: one field per column.
///
/// Values are texts: integers and reals in decimal digits that give the same bits again, sessions as the lower-case text of their
/// ID, profiles as their number in this history, and triggers as lines. NULL is an absent value.
package struct SyncedTable: Sendable {
  /// The kind of the records.
  package let kind: String
  /// The names of all fields.
  package var fields: [String] { columns.map(\.name) }

  let table: String
  /// The column with the number of the row that the record refers to.
  var number = "id"
  let columns: [Column]
  /// Whether the column `id` numbers the rows. A strap is identified by its profile and its address.
  var isNumbered: Bool { number == "id" }

  struct Column: Sendable {
    /// Triggers are stored in the table `journal_trigger`.
    enum Content { case integer, real, text, profile, session, triggers }

    let name: String
    let content: Content
    /// Whether a row cannot be inserted without the field.
    let isRequired: Bool

    /// The value of the row `r`.
    var selection: String {
      switch content {
      case .integer, .real, .text, .profile: "r.\(name)"
      case .session: "(SELECT lower(id) FROM session WHERE number = r.session)"
      case .triggers:
        """
        (SELECT coalesce(group_concat(name || char(10), ''), '')
          FROM (SELECT name FROM journal_trigger WHERE entry = r.id ORDER BY name))
        """
      }
    }
  }

  package static let journal = SyncedTable(
    kind: "journal", table: "journal_entry",
    columns: required(.profile, "profile") + required(.integer, "time_us", "utc_offset_s")
      + optional(.session, "session") + optional(.integer, "mood") + optional(.text, "note")
      + optional(.triggers, "triggers"))

  package static let breathing = SyncedTable(
    kind: "breathing", table: "breathing",
    columns: required(.session, "session") + required(.integer, "time_us", "cycles", "planned_cycles")
      + required(.text, "pattern", "changed") + required(.real, "during_s")
      + ["before", "during", "after"].flatMap { part in
        optional(.real, "rmssd_ms", "sdnn_ms", "hr_bpm", "stress", "confidence", prefix: part + "_")
      }
      + optional(.real, "coherence", "rsa_ms", "rmssd_ratio", "rmssd_ratio_low", "rmssd_ratio_high")
      + optional(.real, "smallest_detectable_ratio")
      + optional(.real, "resonance_brpm", "resonance_low_brpm", "resonance_high_brpm"))

  package static let mornings = SyncedTable(
    kind: "morning", table: "morning_reading",
    columns: required(.session, "session")
      + required(.integer, "part", "time_us", "day", "beats", "normal_beats")
      + required(.text, "posture") + required(.real, "duration_s")
      + optional(.real, "rmssd_ms", "sdnn_ms", "hr_bpm", "confidence") + optional(.text, "refusal"))

  package static let nights = SyncedTable(
    kind: "night", table: "night",
    columns: required(.session, "session")
      + required(
        .integer, "part", "time_us", "day", "start_low_us", "start_high_us", "end_low_us", "end_high_us")
      + required(.integer, "begins_with_data", "ends_with_data", "beats", "normal_beats")
      + required(.real, "duration_s", "coverage", "confidence")
      + optional(.real, "rmssd_ms", "hr_bpm", "lowest_hr_bpm", "respiration_brpm")
      + optional(.integer, "lowest_us", "wake_min") + optional(.text, "refusal"))

  /// The remembered straps. The number of a row is that of its profile.
  package static let straps = SyncedTable(
    kind: "strap", table: "strap", number: "profile",
    columns: required(.profile, "profile") + required(.text, "address")
      + required(.integer, "last_used_us") + optional(.text, "name") + optional(.integer, "body_location"))

  /// The tables with a column `id`.
  package static let numbered = [journal, breathing, mornings, nights]

  private static func required(_ content: Column.Content, _ names: String...) -> [Column] {
    names.map { Column(name: $0, content: content, isRequired: true) }
  }

  private static func optional(_ content: Column.Content, _ names: String..., prefix: String = "") -> [Column]
  {
    names.map { Column(name: prefix + $0, content: content, isRequired: false) }
  }
}

extension SyncRows {
  /// The rows of `table` with their numbers and their values by field.
  package func rows(of table: SyncedTable) throws -> [(number: Int64, values: [String: String])] {
    let columns = table.columns.map(\.selection).joined(separator: ", ")
    let cursor = try Row.fetchCursor(
      database.statement("SELECT r.\(table.number), \(columns) FROM \(table.table) r ORDER BY 1"))
    var rows: [(number: Int64, values: [String: String])] = []
    while let row = try cursor.next() {
      var values: [String: String] = [:]
      for (index, column) in table.columns.enumerated() { values[column.name] = column.text(row, index + 1) }
      rows.append((row[0], values))
    }
    return rows
  }

  /// Inserts a row, or replaces the values of the strap with the same address.
  /// - Returns: Its number, or `nil` if a value is missing, has another type or violates a constraint. A later version can
  ///   write such values.
  package func insert(_ values: [String: String], into table: SyncedTable) throws -> Int64? {
    guard let arguments = try arguments(values, table) else { return nil }
    let names = arguments.keys.sorted()
    let (columns, parameters) = (
      names.joined(separator: ", "), names.map { ":" + $0 }.joined(separator: ", ")
    )
    let verb = table.isNumbered ? "INSERT" : "INSERT OR REPLACE"
    return try unlessConstrained {
      try database.run("\(verb) INTO \(table.table) (\(columns)) VALUES (\(parameters))", arguments)
      let number = database.lastInsertedRowID
      try setTriggers(values, of: number, in: table)
      return number
    }
  }

  /// Replaces the values of a row. If a value is not accepted, see ``insert(_:into:)``, the row is unchanged.
  package func update(_ number: Int64, _ values: [String: String], in table: SyncedTable) throws {
    guard var arguments = try arguments(values, table) else { return }
    let assignments = arguments.keys.sorted().map { "\($0) = :\($0)" }.joined(separator: ", ")
    arguments["id"] = number
    _ = try unlessConstrained {
      try database.run("UPDATE \(table.table) SET \(assignments) WHERE id = :id", arguments)
      try setTriggers(values, of: number, in: table)
    }
  }

  /// Deletes a row; its bytes are overwritten after the transaction.
  package func delete(_ number: Int64, from table: SyncedTable) throws {
    try database.run("DELETE FROM \(table.table) WHERE id = :id", ["id": number])
    try SecureErase.begin(database)
  }

  private func setTriggers(_ values: [String: String], of entry: Int64, in table: SyncedTable) throws {
    for column in table.columns where column.content == .triggers {
      let names = values[column.name]?.split(separator: "\n") ?? []
      try JournalRecord.setTriggers(database, names.map(String.init), of: entry)
    }
  }

  /// Runs `body` in a savepoint, and rolls back if it violates a constraint.
  private func unlessConstrained<T>(_ body: () throws -> T) throws -> T? {
    do {
      var result: T?
      try database.inSavepoint {
        result = try body()
        return .commit
      }
      return result
    } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {
      return nil
    }
  }

  /// The values of the columns of the table, or `nil` if one is missing or has another type. A session that is not stored is NULL.
  private func arguments(_ values: [String: String], _ table: SyncedTable) throws -> NamedArguments? {
    var arguments: NamedArguments = [:]
    for column in table.columns where column.content != .triggers {
      guard let text = values[column.name] else {
        guard !column.isRequired else { return nil }
        arguments.updateValue(nil, forKey: column.name)
        continue
      }
      guard let value = try column.value(text, database) else { return nil }
      arguments[column.name] = .some(value.databaseValue)
    }
    return arguments
  }
}

extension SyncedTable.Column {
  fileprivate func text(_ row: Row, _ index: Int) -> String? {
    switch content {
    case .integer, .profile: (row[index] as Int64?).map { "\($0)" }
    case .real: (row[index] as Double?).map { "\($0)" }
    case .text, .session, .triggers: (row[index] as FreeText?)?.text
    }
  }

  /// Converts text to the type of the column, if possible.
  fileprivate func value(_ text: String, _ database: Database) throws -> (any DatabaseValueConvertible)? {
    switch content {
    case .integer, .profile: Int64(text)
    case .real: Double(text).flatMap { $0.isFinite ? $0 : nil }
    case .text, .triggers: FreeText(text)
    case .session:
      try SessionRecord.number(database, of: SessionID(stored: text.uppercased())) ?? DatabaseValue.null
    }
  }
}

// MARK: - Profiles

/// A profile with the settings of its person.
package struct SyncProfileRow: Decodable, Equatable, Sendable {
  package var number: Int64
  @FreeText package var name: String
  /// The baseline if it was set manually.
  package var baseline: Baseline?
  /// The time of the latest reset of the baseline, in microseconds since 1970.
  package var learnsSince: Int64?

  private enum CodingKeys: String, CodingKey {
    case number, name
    case learnsSince = "learns_since_us"
  }
}

extension SyncProfileRow: FetchableRecord {}

extension SyncRows {
  /// All profiles, in the order of their creation.
  package func profiles() throws -> [SyncProfileRow] {
    try SyncProfileRow.fetchAll(database.statement("SELECT * FROM profile ORDER BY number")).map { profile in
      var profile = profile
      let baseline = try BaselineRecord.baseline(database, of: profile.name)
      profile.baseline = baseline?.origin == .manual ? baseline : nil
      return profile
    }
  }

  /// The number of the profile `name`, which is created if it does not exist.
  package func profile(creating name: String) throws -> Int64 {
    try ProfileTable.number(database, creating: name)
  }

  /// Renames a profile. No other profile may have the name.
  package func renameProfile(_ number: Int64, to name: String) throws {
    try database.run(
      "UPDATE profile SET name = :name WHERE number = :number", ["name": FreeText(name), "number": number])
  }

  /// Deletes a profile unless it has sessions or journal entries.
  /// - Returns: False if it has some.
  package func deleteEmptyProfile(_ number: Int64) throws -> Bool {
    try database.run(
      """
      DELETE FROM profile WHERE number = :number
        AND NOT EXISTS (SELECT 1 FROM session WHERE profile = :number)
        AND NOT EXISTS (SELECT 1 FROM journal_entry WHERE profile = :number)
      """, ["number": number])
    guard database.changesCount > 0 else { return false }
    // The profile `me` must always exist.
    try ProfileTable.create(database, "me")
    try SecureErase.begin(database)
    return true
  }

  /// Changes the settings of a profile from `old` to `new`.
  /// - Parameter time: In microseconds since 1970.
  package func changeSettings(from old: SyncProfileRow, to new: SyncProfileRow, at time: Int64) throws {
    if new.learnsSince != old.learnsSince {
      try RestingWindowRecord.setStart(
        database, old.name, new.learnsSince.map { WallTime(microseconds: $0) })
    }
    guard new.baseline != old.baseline else { return }
    if let baseline = new.baseline {
      try BaselineRecord.set(database, baseline, of: old.name, at: WallTime(microseconds: time))
    } else {
      try BaselineRecord.remove(database, of: old.name)
    }
  }

  /// Removes a remembered strap of a profile.
  package func removeStrap(_ address: String, of profile: Int64) throws {
    try database.run(
      "DELETE FROM strap WHERE profile = :profile AND address = :address",
      ["profile": profile, "address": address])
  }
}
