internal import GRDB
internal import GRDBSQLite

/// A value to bind; nil binds NULL, as does a real that is NaN.
package enum SQLValue: Equatable, Sendable {
  case integer(Int64?)
  case real(Double?)
  case text(String)
  case blob([UInt8])

  package static let null = SQLValue.integer(nil)
}

/// A cached statement that is bound and stepped through SQLite's own functions, for rows that are written or read in bulk:
/// events, measurements, and for reading quarter hours and resting windows.
///
/// GRDB's records take several times as long. CPU time for 100,000 rows (release build):
///
///                           SQLite    record
///     events, written        62 ms    510 ms
///     events, read           18 ms    117 ms
///     measurements, written 242 ms   1294 ms
///     measurements, read     74 ms    478 ms
///     resting windows, read  13 ms     73 ms
///
/// Use it within one access to the database.
@safe struct RawStatement {
  private let database: Database
  private let statement: OpaquePointer

  /// A statement whose parameters (`?`) are set with ``bind(_:at:)``.
  init(_ database: Database, _ sql: String) throws {
    self.database = database
    unsafe statement = unsafe try database.cachedStatement(sql: sql).sqliteStatement
  }

  /// A statement with `arguments` bound to its named parameters.
  init(_ database: Database, _ sql: String, _ arguments: NamedArguments) throws {
    self.database = database
    unsafe statement = unsafe try database.statement(sql, arguments).sqliteStatement
  }

  /// Binds a value to the parameter `position`, counted from 1, until another value is bound.
  func bind(_ value: SQLValue, at position: CInt) throws {
    let code = code(binding: value, at: position)
    guard code == SQLITE_OK else { throw failure(code) }
  }

  /// Executes the statement once and ignores its rows.
  func run() throws {
    defer { unsafe sqlite3_reset(statement) }
    while try step() {}
  }

  /// All rows, each converted by `make`.
  func all<Element>(_ make: (RawRow) throws -> Element) throws -> [Element] {
    try reduce(into: []) { $0.append(try make($1)) }
  }

  /// Updates `result` with each row.
  func reduce<Result>(into result: Result, _ update: (inout Result, RawRow) throws -> Void) throws -> Result {
    defer { unsafe sqlite3_reset(statement) }
    var result = result
    while try step() { unsafe try update(&result, RawRow(statement)) }
    return result
  }

  private func step() throws -> Bool {
    switch unsafe sqlite3_step(statement) {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    case let code: throw failure(code)
    }
  }

  private func code(binding value: SQLValue, at position: CInt) -> CInt {
    switch value {
    case .integer(let integer?): return unsafe sqlite3_bind_int64(statement, position, integer)
    case .real(let real?): return unsafe sqlite3_bind_double(statement, position, real)
    case .integer(nil), .real(nil): return unsafe sqlite3_bind_null(statement, position)
    case .text(let text): return unsafe SQLiteText.bind(text, to: statement, at: position)
    case .blob(let bytes):
      // The pointer of an empty array may be nil, which would bind NULL.
      guard !bytes.isEmpty else { return unsafe sqlite3_bind_zeroblob(statement, position, 0) }
      return unsafe sqlite3_bind_blob64(statement, position, bytes, UInt64(bytes.count), SQLiteText.transient)
    }
  }

  private func failure(_ code: CInt) -> DatabaseError {
    unsafe DatabaseError(
      resultCode: ResultCode(rawValue: code),
      message: String(cString: sqlite3_errmsg(database.sqliteConnection)))
  }
}

/// The current row of a ``RawStatement``. Columns are cases of an enum whose raw values are the positions in the SELECT.
@safe struct RawRow {
  private let statement: OpaquePointer

  fileprivate init(_ statement: OpaquePointer) { unsafe self.statement = unsafe statement }

  func isNull(_ column: some RawRepresentable<CInt>) -> Bool {
    unsafe sqlite3_column_type(statement, column.rawValue) == SQLITE_NULL
  }

  /// The value of an integer column; 0 for NULL.
  func integer(_ column: some RawRepresentable<CInt>) -> Int64 {
    unsafe sqlite3_column_int64(statement, column.rawValue)
  }

  func integerOrNil(_ column: some RawRepresentable<CInt>) -> Int64? {
    isNull(column) ? nil : integer(column)
  }

  /// The value of a real column; 0 for NULL.
  func real(_ column: some RawRepresentable<CInt>) -> Double {
    unsafe sqlite3_column_double(statement, column.rawValue)
  }

  func realOrNil(_ column: some RawRepresentable<CInt>) -> Double? { isNull(column) ? nil : real(column) }

  /// The value of a text column; empty for NULL.
  func text(_ column: some RawRepresentable<CInt>) -> String {
    unsafe SQLiteText.column(column.rawValue, of: statement) ?? ""
  }

  func textOrNil(_ column: some RawRepresentable<CInt>) -> String? { isNull(column) ? nil : text(column) }

  /// The value of a blob column; empty for NULL.
  func bytes(_ column: some RawRepresentable<CInt>) -> [UInt8] {
    let count = unsafe Int(sqlite3_column_bytes(statement, column.rawValue))
    guard count > 0, let start = unsafe sqlite3_column_blob(statement, column.rawValue) else { return [] }
    return unsafe [UInt8](UnsafeRawBufferPointer(start: start, count: count))
  }
}
