internal import GRDB
internal import HeartRate
internal import Platform
package import Stress

extension SyncRows {
  private enum TriggerColumn: CInt { case entry, name }

  /// The rows of `table` by number, with their values by field.
  package func rows(of table: SyncedTable) throws -> [Int64: [String: String]] {
    let columns = table.columns.map(\.selection).joined(separator: ", ")
    var rows = try RawStatement(database, "SELECT r.id, \(columns) FROM \(table.table) r", [:])
      .reduce(into: [Int64: [String: String]]()) { rows, row in
        var values: [String: String] = [:]
        for (index, column) in table.columns.enumerated() {
          values[column.name] = column.text(row, SyncColumn(rawValue: CInt(index + 1)))
        }
        rows[row.integer(SyncColumn(rawValue: 0))] = values
      }
    guard table.hasTriggers else { return rows }
    for number in rows.keys { rows[number]?[SyncedTable.triggers] = TriggerList.text([]) }
    for (entry, names) in try triggers() { rows[entry]?[SyncedTable.triggers] = TriggerList.text(names) }
    return rows
  }

  private func triggers() throws -> [Int64: [String]] {
    try RawStatement(database, "SELECT entry, name FROM journal_trigger ORDER BY entry, name", [:])
      .reduce(into: [:]) {
        $0[$1.integer(TriggerColumn.entry), default: []].append($1.text(TriggerColumn.name))
      }
  }

  /// Inserts a row.
  /// - Returns: Its number, or `nil` if a value is missing, has another type or violates a constraint. A later version can
  ///   write such values.
  package func insert(_ values: [String: String], into table: SyncedTable) throws -> Int64? {
    guard table.required.allSatisfy({ values[$0] != nil }), let arguments = try arguments(values, table)
    else { return nil }
    let names = table.columns.map(\.name)
    return try unlessConstrained {
      try database.run(
        "INSERT INTO \(table.table) (\(names.joined(separator: ", "))) VALUES (\(names.map { ":" + $0 }.joined(separator: ", ")))",
        arguments)
      let number = database.lastInsertedRowID
      try setTriggers(values, of: number, in: table)
      return number
    }
  }

  /// Replaces the values of a row.
  /// - Returns: False if a value is not accepted, see ``insert(_:into:)``; the row is unchanged.
  package func update(_ number: Int64, _ values: [String: String], in table: SyncedTable) throws -> Bool {
    guard table.required.allSatisfy({ values[$0] != nil }), var arguments = try arguments(values, table)
    else { return false }
    arguments["id"] = number
    let result: Void? = try unlessConstrained {
      try database.run(
        "UPDATE \(table.table) SET \(table.columns.map { "\($0.name) = :\($0.name)" }.joined(separator: ", ")) WHERE id = :id",
        arguments)
      try setTriggers(values, of: number, in: table)
    }
    return result != nil
  }

  /// Deletes a row; its bytes are overwritten after the transaction.
  package func delete(_ number: Int64, from table: SyncedTable) throws {
    try database.run("DELETE FROM \(table.table) WHERE id = :id", ["id": number])
    try SecureErase.begin(database)
  }

  private func setTriggers(_ values: [String: String], of entry: Int64, in table: SyncedTable) throws {
    guard table.hasTriggers else { return }
    try database.run("DELETE FROM journal_trigger WHERE entry = :entry", ["entry": entry])
    for name in TriggerList.names(values[SyncedTable.triggers] ?? "") {
      try database.run(
        "INSERT INTO journal_trigger (entry, name) VALUES (:entry, :name) ON CONFLICT DO NOTHING",
        ["entry": entry, "name": FreeText(name)])
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

  /// The values as arguments, or `nil` if one has another type. A session that is not stored is NULL.
  private func arguments(_ values: [String: String], _ table: SyncedTable) throws -> NamedArguments? {
    var arguments: NamedArguments = [:]
    for column in table.columns {
      guard let text = values[column.name] else {
        arguments.updateValue(nil, forKey: column.name)
        continue
      }
      guard let value = try column.value(text, database) else { return nil }
      arguments[column.name] = .some(value.databaseValue)
    }
    return arguments
  }
}

/// A column by its number, for statements whose columns depend on the table.
private struct SyncColumn: RawRepresentable { let rawValue: CInt }

extension SyncedTable.Column {
  fileprivate func text(_ row: RawRow, _ column: SyncColumn) -> String? {
    guard !row.isNull(column) else { return nil }
    switch content {
    case .integer, .profile: return "\(row.integer(column))"
    case .real: return "\(row.real(column))"
    case .text, .session: return row.text(column)
    }
  }

  /// Converts text to the type of the column, if possible.
  fileprivate func value(_ text: String, _ database: Database) throws -> (any DatabaseValueConvertible)? {
    switch content {
    case .integer, .profile: return Int64(text)
    case .real: return Double(text).flatMap { $0.isFinite ? $0 : nil }
    case .text: return FreeText(text)
    case .session:
      return try SessionRecord.number(database, of: SessionID(stored: text.uppercased()))
        ?? DatabaseValue.null
    }
  }
}

/// The names of triggers as text: each followed by a line feed. Names contain none.
enum TriggerList {
  static func text(_ names: [String]) -> String { names.map { $0 + "\n" }.joined() }

  static func names(_ text: String) -> [String] { text.split(separator: "\n").map(String.init) }
}

// MARK: - Profiles

/// A profile with the settings of its person.
package struct SyncProfileRow: Equatable, Sendable {
  package var number: Int64
  package var name: String
  /// The baseline if it was set manually.
  package var baseline: Baseline?
  /// The time of the latest reset of the baseline, in microseconds since 1970.
  package var learnsSince: Int64?
}

/// A remembered strap.
package struct SyncStrapRow: Equatable, Sendable {
  /// The number of the profile.
  package var profile: Int64
  package var address: String
  package var name: String?
  package var bodyLocation: Int64?
  /// In microseconds since 1970.
  package var lastUsed: Int64

  package init(profile: Int64, address: String, name: String?, bodyLocation: Int64?, lastUsed: Int64) {
    (self.profile, self.address, self.name) = (profile, address, name)
    (self.bodyLocation, self.lastUsed) = (bodyLocation, lastUsed)
  }
}

extension SyncRows {
  private enum ProfileColumn: CInt { case number, name, since }

  /// All profiles, in the order of their creation.
  package func profiles() throws -> [SyncProfileRow] {
    let profiles = try RawStatement(
      database, "SELECT number, name, learns_since_us FROM profile ORDER BY number", [:]
    ).all { row in
      SyncProfileRow(
        number: row.integer(ProfileColumn.number), name: row.text(ProfileColumn.name), baseline: nil,
        learnsSince: row.integerOrNil(ProfileColumn.since))
    }
    return try profiles.map { profile in
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
    let content = try database.statement(
      """
      SELECT EXISTS (SELECT 1 FROM session WHERE profile = :number)
        OR EXISTS (SELECT 1 FROM journal_entry WHERE profile = :number)
      """, ["number": number])
    guard try Int.fetchOne(content) == 0 else { return false }
    try database.run("DELETE FROM profile WHERE number = :number", ["number": number])
    // The profile `me` must always exist.
    try ProfileTable.create(database, "me")
    try SecureErase.begin(database)
    return true
  }

  /// Sets or removes a manual baseline.
  /// - Parameter time: In microseconds since 1970.
  package func setBaseline(_ baseline: Baseline?, of profile: String, at time: Int64) throws {
    if let baseline {
      try BaselineRecord.set(database, baseline, of: profile, at: WallTime(microseconds: time))
    } else {
      try BaselineRecord.remove(database, of: profile)
    }
  }

  /// Sets the time from which sessions count for the baseline, in microseconds since 1970.
  package func setStart(_ time: Int64?, of profile: String) throws {
    try RestingWindowRecord.setStart(database, profile, time.map { WallTime(microseconds: $0) })
  }

  // MARK: - Straps

  private enum StrapColumn: CInt { case profile, address, name, bodyLocation, lastUsed }

  package func straps() throws -> [SyncStrapRow] {
    try RawStatement(database, "SELECT profile, address, name, body_location, last_used_us FROM strap", [:])
      .all { row in
        SyncStrapRow(
          profile: row.integer(StrapColumn.profile), address: row.text(StrapColumn.address),
          name: row.textOrNil(StrapColumn.name), bodyLocation: row.integerOrNil(StrapColumn.bodyLocation),
          lastUsed: row.integer(StrapColumn.lastUsed))
      }
  }

  /// Inserts the strap or replaces its values.
  package func save(_ strap: SyncStrapRow) throws {
    try database.run(
      """
      INSERT INTO strap (profile, address, name, body_location, last_used_us)
      VALUES (:profile, :address, :name, :location, :used)
      ON CONFLICT DO UPDATE SET name = excluded.name, body_location = excluded.body_location,
        last_used_us = excluded.last_used_us
      """,
      [
        "profile": strap.profile, "address": FreeText(strap.address),
        "name": (strap.name?.asStrapName).map(FreeText.init),
        "location": strap.bodyLocation, "used": strap.lastUsed,
      ])
  }

  package func removeStrap(_ address: String, of profile: Int64) throws {
    try database.run(
      "DELETE FROM strap WHERE profile = :profile AND address = :address",
      ["profile": profile, "address": address])
  }
}
