internal import GRDB
internal import GRDBSQLite

/// The values of named parameters (`:name`), by name.
typealias NamedArguments = [String: (any DatabaseValueConvertible)?]

/// A condition for a WHERE clause, with the values of its parameters.
struct SQLCondition {
  private(set) var sql: String
  private(set) var arguments: NamedArguments

  init(_ sql: String, _ arguments: NamedArguments = [:]) {
    self.sql = sql
    self.arguments = arguments
  }

  /// Adds a condition that must hold as well. Equal names must have equal values.
  mutating func and(_ other: SQLCondition) {
    sql += " AND " + other.sql
    arguments.merge(other.arguments) { _, new in new }
  }

  mutating func and(_ sql: String, _ arguments: NamedArguments = [:]) { and(SQLCondition(sql, arguments)) }

  /// The arguments, with those of the rest of the statement.
  func arguments(with others: NamedArguments) -> NamedArguments {
    arguments.merging(others) { _, new in new }
  }
}

extension Database {
  /// A cached statement with `arguments` bound to its named parameters.
  ///
  /// GRDB binds text as a C string, which ends at the first NUL character. Text that contains NUL characters is therefore
  /// bound again, with its length.
  func statement(_ sql: String, _ arguments: NamedArguments = [:]) throws -> Statement {
    let statement = try cachedStatement(sql: sql)
    try statement.setArguments(StatementArguments(arguments))
    for (name, value) in arguments {
      guard case .string(let text)? = value?.databaseValue.storage, text.utf8.contains(0) else { continue }
      let position = unsafe sqlite3_bind_parameter_index(statement.sqliteStatement, ":" + name)
      let code = unsafe SQLiteText.bind(text, to: statement.sqliteStatement, at: position)
      guard code == SQLITE_OK else { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
    }
    return statement
  }

  /// Executes a statement once and ignores its rows.
  func run(_ sql: String, _ arguments: NamedArguments = [:]) throws {
    try statement(sql, arguments).execute()
  }
}

extension PersistableRecord {
  /// Inserts the record with all characters of its texts, see ``GRDB/Database/statement(_:_:)``.
  /// - Parameter clause: The upsert clause, for example `ON CONFLICT DO NOTHING`.
  func store(in db: Database, _ clause: String = "") throws {
    let values = try databaseDictionary
    let columns = values.keys.sorted()
    let parameters = columns.map { ":" + $0 }
    try db.run(
      """
      INSERT INTO \(Self.databaseTableName) (\(columns.joined(separator: ", ")))
      VALUES (\(parameters.joined(separator: ", "))) \(clause)
      """, values)
  }

  /// Inserts the record, or replaces the values of the row with the same key.
  func storeReplacing(in db: Database) throws {
    let assignments = try databaseDictionary.keys.sorted().map { "\($0) = excluded.\($0)" }
    try store(in: db, "ON CONFLICT DO UPDATE SET " + assignments.joined(separator: ", "))
  }

  /// Deletes the rows that equal the record.
  func remove(from db: Database) throws {
    let values = try databaseDictionary
    let conditions = values.keys.sorted().map { "\($0) IS :\($0)" }
    try db.run("DELETE FROM \(Self.databaseTableName) WHERE \(conditions.joined(separator: " AND "))", values)
  }
}

/// Text of a column, with all its characters. GRDB reads a `String` as a C string, which ends at the first NUL character.
///
///     struct TriggerRecord: Codable, FetchableRecord {
///       @FreeText var name: String
///       var note: FreeText?
///     }
@propertyWrapper package struct FreeText: Codable, Hashable, Sendable {
  package var text: String

  package init(_ text: String) { self.text = text }

  package var wrappedValue: String {
    get { text }
    set { text = newValue }
  }
}

extension FreeText: DatabaseValueConvertible, StatementColumnConvertible {
  init(sqliteStatement: SQLiteStatement, index: CInt) {
    text = unsafe SQLiteText.column(index, of: sqliteStatement) ?? ""
  }

  var databaseValue: DatabaseValue { text.databaseValue }

  static func fromDatabaseValue(_ value: DatabaseValue) -> FreeText? {
    String.fromDatabaseValue(value).map(FreeText.init)
  }
}

/// Text in SQLite's own functions, with its length in bytes.
enum SQLiteText {
  /// SQLITE_TRANSIENT, which Swift cannot import because it is a cast: SQLite copies the value.
  static let transient = unsafe unsafeBitCast(-1, to: sqlite3_destructor_type.self)

  /// - Returns: The result code of SQLite.
  static func bind(_ text: String, to statement: OpaquePointer, at position: CInt) -> CInt {
    unsafe sqlite3_bind_text64(
      statement, position, text, UInt64(text.utf8.count), transient, UInt8(SQLITE_UTF8))
  }

  /// The text of a column. NULL gives `nil`.
  static func column(_ column: CInt, of statement: OpaquePointer) -> String? {
    guard let start = unsafe sqlite3_column_text(statement, column) else { return nil }
    let count = unsafe Int(sqlite3_column_bytes(statement, column))
    return unsafe String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
  }
}

extension RawRepresentable<String> {
  /// The value with the raw value `raw`, the text of a column.
  /// - Throws: ``MalformedRow`` for text that the program does not write.
  init(stored raw: String) throws(MalformedRow) {
    guard let value = Self(rawValue: raw) else { throw MalformedRow("unknown \(Self.self) '\(raw)'") }
    self = value
  }
}
