internal import CPQ
internal import HeartRate

/// The rows of a statement, in binary.
@safe final class PostgreSQLResult {
  private let pointer: OpaquePointer

  /// Takes the ownership of `pointer`.
  init(_ pointer: OpaquePointer) { unsafe self.pointer = pointer }

  deinit { unsafe PQclear(pointer) }

  var count: Int { Int(unsafe PQntuples(pointer)) }

  /// The command tag, such as `COMMIT`.
  var tag: String { unsafe PQcmdStatus(pointer).map { unsafe String(cString: $0) } ?? "" }

  /// Number of rows that an INSERT, UPDATE or DELETE changed.
  var changedRows: Int {
    guard let text = unsafe PQcmdTuples(pointer) else { return 0 }
    return unsafe Int(String(cString: text)) ?? 0
  }

  func isNull(_ row: Int, _ column: Int) -> Bool { unsafe PQgetisnull(pointer, CInt(row), CInt(column)) == 1 }

  /// A value of the type `smallint`, `integer` or `bigint`.
  func integer(_ row: Int, _ column: Int) -> Int64 {
    let bytes = span(row, column)
    var value: Int64 = bytes.first.map { $0 >= 0x80 ? -1 : 0 } ?? 0
    for byte in bytes { value = value << 8 | Int64(byte) }
    return value
  }

  func integerOrNil(_ row: Int, _ column: Int) -> Int64? { isNull(row, column) ? nil : integer(row, column) }

  /// A value of the type `double precision`.
  func real(_ row: Int, _ column: Int) -> Double {
    Double(bitPattern: UInt64(bitPattern: integer(row, column)))
  }

  func boolean(_ row: Int, _ column: Int) -> Bool { bytes(row, column) == [1] }

  func text(_ row: Int, _ column: Int) -> String { String(decoding: bytes(row, column), as: UTF8.self) }

  func textOrNil(_ row: Int, _ column: Int) -> String? { isNull(row, column) ? nil : text(row, column) }

  /// A value of the type `timestamptz`.
  func time(_ row: Int, _ column: Int) -> WallTime { WallTime(postgreSQLMicroseconds: integer(row, column)) }

  func timeOrNil(_ row: Int, _ column: Int) -> WallTime? { isNull(row, column) ? nil : time(row, column) }

  func bytes(_ row: Int, _ column: Int) -> [UInt8] { span(row, column) }

  private func span(_ row: Int, _ column: Int) -> [UInt8] {
    let length = Int(unsafe PQgetlength(pointer, CInt(row), CInt(column)))
    let start = unsafe UnsafeRawPointer(PQgetvalue(pointer, CInt(row), CInt(column)))
    return unsafe Array(UnsafeRawBufferPointer(start: start, count: length))
  }
}
