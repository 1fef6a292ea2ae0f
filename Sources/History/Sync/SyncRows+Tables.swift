internal import GRDB

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
  /// - Returns: Its number; nil if a value is missing, has another type or violates a constraint, as those of a later version may.
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

  /// Runs `body` in a savepoint. Nil if it violates a constraint.
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

  /// The values as arguments; nil if one has another type. A session that is not stored is NULL.
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

  /// Nil for text that is not of the type of the column.
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
