internal import CPQ
package import Platform

/// A connection to PostgreSQL, which is used by one thread at a time.
///
/// libpq: "One thread restriction is that no two threads attempt to manipulate the same PGconn object at the same time"
/// (PostgreSQL 15, section 34.20). The class is not Sendable.
@safe final class PostgreSQLConnection {
  private let pointer: OpaquePointer
  /// Names of prepared statements by their text.
  private var prepared: [String: String] = [:]

  /// How long a connection attempt to one host, and an unanswered connection, may take.
  private static let defaults = [
    (name: "connect_timeout", value: "5"), (name: "keepalives_idle", value: "5"),
    (name: "keepalives_interval", value: "2"), (name: "keepalives_count", value: "3"),
    (name: "tcp_user_timeout", value: "10000"), (name: "application_name", value: "stressmon"),
  ]

  /// Connects to the first host of the URL that accepts writes, such as a promoted standby.
  /// - Parameters:
  ///   - readOnly: Connects to any host.
  ///   - settings: Parameters of the session, such as `synchronous_commit`.
  init(
    _ url: PostgreSQLURL, readOnly: Bool = false, settings: [(name: String, value: String)] = []
  ) throws(PostgreSQLError) {
    let forced = [
      (name: "target_session_attrs", value: readOnly ? "any" : "read-write"),
      (name: "client_encoding", value: "UTF8"),
    ]
    // The URL overrides the parameters before it.
    let parameters = Self.defaults + [(name: "dbname", value: url.text)] + forced
    let created = unsafe withCStrings(parameters.map(\.name)) { names in
      unsafe withCStrings(parameters.map(\.value)) { values in unsafe PQconnectdbParams(names, values, 1) }
    }
    guard let created = unsafe created else { throw PostgreSQLError("out of memory", isConnectionBad: true) }
    unsafe pointer = created
    if !isUsable { try connectAgain() }
    // Notices would be written to standard error.
    unsafe PQsetNoticeProcessor(pointer, { _, _ in }, nil)
    for setting in settings {
      try run("SELECT set_config($1, $2, false)", [.text(setting.name), .text(setting.value)])
    }
  }

  deinit { unsafe PQfinish(pointer) }

  /// Repeats a failed connection attempt.
  ///
  /// libpq 15 gives the SQLSTATE of a failed attempt in the text of the error only, and only if the connection is verbose, which
  /// cannot be requested before the first attempt.
  private func connectAgain() throws(PostgreSQLError) {
    let message = unsafe String(cString: PQerrorMessage(pointer)).singleLineMessage
    unsafe PQsetErrorVerbosity(pointer, PQERRORS_VERBOSE)
    unsafe PQreset(pointer)
    guard isUsable else {
      let isPasswordMissing = unsafe PQconnectionNeedsPassword(pointer) == 1
      let verbose = unsafe String(cString: PQerrorMessage(pointer))
      let state = isPasswordMissing ? "28P01" : PostgreSQLError.state(ofVerbose: verbose)
      throw PostgreSQLError(state: state, message, isConnectionBad: true)
    }
    unsafe PQsetErrorVerbosity(pointer, PQERRORS_DEFAULT)
  }

  /// Whether the last operation left the connection usable.
  var isUsable: Bool { unsafe PQstatus(pointer) == CONNECTION_OK }

  /// Runs one statement with parameters `$1`, `$2`, ... The statement is prepared once per connection.
  @discardableResult
  func run(_ sql: String, _ values: [PostgreSQLValue] = []) throws(PostgreSQLError) -> PostgreSQLResult {
    let name = try statement(sql, values)
    var buffer: [UInt8] = []
    let ranges = values.map { value -> Range<Int>? in
      let start = buffer.count
      return value.append(to: &buffer) ? start..<buffer.count : nil
    }
    // An empty buffer has no address, but an empty text is not NULL.
    buffer.append(0)
    let lengths = ranges.map { CInt($0?.count ?? 0) }
    let formats = [CInt](repeating: 1, count: values.count)
    let result = unsafe buffer.withUnsafeBytes { bytes in
      let start = unsafe bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
      let pointers = unsafe ranges.map { range in
        unsafe range.flatMap { unsafe start?.advanced(by: $0.lowerBound) }
      }
      return unsafe PQexecPrepared(pointer, name, CInt(values.count), pointers, lengths, formats, 1)
    }
    return try unsafe checked(result)
  }

  /// Runs statements without parameters, separated by semicolons, in one transaction unless they contain one.
  func execute(_ sql: String) throws(PostgreSQLError) {
    _ = try unsafe checked(PQexec(pointer, sql))
  }

  /// Runs `body` in a transaction, which is rolled back if `body` throws.
  ///
  /// If COMMIT fails because the connection ended, it is not known whether the transaction was committed.
  func transaction<Value>(_ body: () throws(PostgreSQLError) -> Value) throws(PostgreSQLError) -> Value {
    try execute("BEGIN")
    let value: Value
    do throws(PostgreSQLError) {
      value = try body()
    } catch {
      if isUsable { try? execute("ROLLBACK") }
      throw error
    }
    // COMMIT of a transaction that failed reports success with the tag ROLLBACK.
    guard try unsafe checked(PQexec(pointer, "COMMIT")).tag == "COMMIT" else {
      throw PostgreSQLError(state: "25P02", "the transaction was rolled back")
    }
    return value
  }

  private func statement(_ sql: String, _ values: [PostgreSQLValue]) throws(PostgreSQLError) -> String {
    if let name = prepared[sql] { return name }
    let name = "s\(prepared.count)"
    _ = try unsafe checked(PQprepare(pointer, name, sql, CInt(values.count), values.map(\.type)))
    prepared[sql] = name
    return name
  }

  private func checked(_ result: OpaquePointer?) throws(PostgreSQLError) -> PostgreSQLResult {
    guard let result = unsafe result else {
      throw PostgreSQLError(
        unsafe String(cString: PQerrorMessage(pointer)).singleLineMessage, isConnectionBad: true)
    }
    let owned = unsafe PostgreSQLResult(result)
    switch unsafe PQresultStatus(result) {
    case PGRES_COMMAND_OK, PGRES_TUPLES_OK, PGRES_EMPTY_QUERY: return owned
    default:
      let state = unsafe Self.field("C", of: result)
      let primary =
        unsafe Self.field("M", of: result) ?? String(cString: PQresultErrorMessage(result)).singleLineMessage
      let detail = unsafe Self.field("D", of: result).map { " (\($0))" } ?? ""
      withExtendedLifetime(owned) {}
      throw PostgreSQLError(state: state, primary + detail, isConnectionBad: !isUsable)
    }
  }

  /// A field of an error: C is SQLSTATE, M the message, D the detail (PQresultErrorField).
  private static func field(_ code: Unicode.Scalar, of result: OpaquePointer) -> String? {
    unsafe PQresultErrorField(result, CInt(code.value)).map { unsafe String(cString: $0) }
  }
}

/// Calls `body` with an array of C strings that ends with NULL.
private func withCStrings<Result>(
  _ strings: [String], _ body: (UnsafePointer<UnsafePointer<CChar>?>?) -> Result
) -> Result {
  var bytes: [CChar] = []
  let offsets = strings.map { string in
    defer { bytes += string.utf8CString }
    return bytes.count
  }
  return unsafe bytes.withUnsafeBufferPointer { buffer in
    var pointers = unsafe offsets.map { unsafe buffer.baseAddress?.advanced(by: $0) }
    unsafe pointers.append(nil)
    return unsafe pointers.withUnsafeBufferPointer { unsafe body($0.baseAddress) }
  }
}

extension LibraryVersion {
  /// PostgreSQL numbers its versions as MAJOR × 10,000 + MINOR.
  package static var libpq: LibraryVersion {
    let number = PQlibVersion()
    return LibraryVersion("libpq", "\(number / 10_000).\(number % 10_000)")
  }
}
