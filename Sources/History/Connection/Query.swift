internal import GRDB
internal import GRDBSQLite

/// A value on its way into a statement; nil is NULL.
enum SQLValue {
  case integer(Int64?)
  case real(Double?)
  case text(String?)
  case blob([UInt8])
}

/// A cached statement, bound and stepped through SQLite's own functions: a third of the cost of GRDB's
/// arguments, and text keeps its NUL characters. For use within one access to the database.
struct Query {
  private let database: Database
  private let statement: OpaquePointer

  init(_ database: Database, _ sql: String) throws {
    self.database = database
    statement = try database.cachedStatement(sql: sql).sqliteStatement
  }

  /// Executes once with `values`, dropping rows.
  func run(_ values: SQLValue...) throws { try run(values) }

  func run(_ values: [SQLValue]) throws {
    try bind(values)
    try runBound()
  }

  /// Binds one value, places counting from 1; it stays until another one is bound there.
  func bind(_ value: SQLValue, at place: CInt) throws {
    let code = code(binding: value, at: place)
    guard code == SQLITE_OK else { throw failure(code) }
  }

  /// Executes once with what is bound, dropping rows.
  func runBound() throws {
    defer { sqlite3_reset(statement) }
    while try step() {}
  }

  /// Hands each row to `body`.
  func forEach(_ values: SQLValue..., body: (Columns) throws -> Void) throws {
    try forEach(values, body: body)
  }

  func forEach(_ values: [SQLValue], body: (Columns) throws -> Void) throws {
    try bind(values)
    defer { sqlite3_reset(statement) }
    while try step() { try body(Columns(statement)) }
  }

  /// All rows, each made by `make`.
  func all<Element>(_ values: SQLValue..., make: (Columns) throws -> Element) throws -> [Element] {
    try all(values, make: make)
  }

  func all<Element>(_ values: [SQLValue], make: (Columns) throws -> Element) throws -> [Element] {
    try bind(values)
    defer { sqlite3_reset(statement) }
    var elements: [Element] = []
    while try step() { elements.append(try make(Columns(statement))) }
    return elements
  }

  /// The first row, made by `make`; nil without one.
  func first<Element>(_ values: SQLValue..., make: (Columns) throws -> Element) throws -> Element? {
    try first(values, make: make)
  }

  func first<Element>(_ values: [SQLValue], make: (Columns) throws -> Element) throws -> Element? {
    try bind(values)
    defer { sqlite3_reset(statement) }
    return try step() ? make(Columns(statement)) : nil
  }

  private func step() throws -> Bool {
    switch sqlite3_step(statement) {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    case let code: throw failure(code)
    }
  }

  private func bind(_ values: [SQLValue]) throws {
    for (place, value) in values.enumerated() { try bind(value, at: CInt(place + 1)) }
  }

  private func code(binding value: SQLValue, at place: CInt) -> CInt {
    switch value {
    case .integer(let integer?): return sqlite3_bind_int64(statement, place, integer)
    case .real(let real?): return sqlite3_bind_double(statement, place, real)
    case .text(let text?):
      return sqlite3_bind_text64(
        statement, place, text, UInt64(text.utf8.count), Self.copied, UInt8(SQLITE_UTF8))
    case .blob(let bytes):
      // The pointer to no bytes may be nil, which would bind NULL.
      guard !bytes.isEmpty else { return sqlite3_bind_zeroblob(statement, place, 0) }
      return sqlite3_bind_blob64(statement, place, bytes, UInt64(bytes.count), Self.copied)
    case .integer(nil), .real(nil), .text(nil):
      return sqlite3_bind_null(statement, place)
    }
  }

  private func failure(_ code: CInt) -> DatabaseError {
    DatabaseError(
      resultCode: ResultCode(rawValue: code),
      message: String(cString: sqlite3_errmsg(database.sqliteConnection)))
  }

  /// SQLITE_TRANSIENT, a cast that is not imported: SQLite copies what it is given.
  private static let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
}

/// One row of a ``Query``; columns count from 0.
struct Columns {
  private let statement: OpaquePointer

  fileprivate init(_ statement: OpaquePointer) { self.statement = statement }

  func isNull(_ column: CInt) -> Bool { sqlite3_column_type(statement, column) == SQLITE_NULL }
  func integer(_ column: CInt) -> Int64 { sqlite3_column_int64(statement, column) }
  func integerOrNil(_ column: CInt) -> Int64? { isNull(column) ? nil : integer(column) }
  func real(_ column: CInt) -> Double { sqlite3_column_double(statement, column) }
  func realOrNil(_ column: CInt) -> Double? { isNull(column) ? nil : real(column) }
  func textOrNil(_ column: CInt) -> String? { isNull(column) ? nil : text(column) }

  func text(_ column: CInt) -> String {
    guard let start = sqlite3_column_text(statement, column) else { return "" }
    let count = Int(sqlite3_column_bytes(statement, column))
    return String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
  }

  func bytes(_ column: CInt) -> [UInt8] {
    let count = Int(sqlite3_column_bytes(statement, column))
    guard count > 0, let start = sqlite3_column_blob(statement, column) else { return [] }
    return [UInt8](UnsafeRawBufferPointer(start: start, count: count))
  }

  /// The value whose raw text the column holds.
  func named<Value: RawRepresentable<String>>(_ column: CInt, as type: Value.Type) throws -> Value {
    let raw = text(column)
    guard let value = Value(rawValue: raw) else { throw MalformedRow("unknown \(type) '\(raw)'") }
    return value
  }
}
