internal import HeartRate

/// A parameter of a statement, sent in binary to preserve every bit of a number.
enum PostgreSQLValue {
  case integer(Int64?)
  case real(Double?)
  case text(String?)
  case bytes([UInt8]?)
  case boolean(Bool?)
  case time(WallTime?)
  case array(PostgreSQLArray)

  /// The OID of the type (PostgreSQL: src/include/catalog/pg_type.dat).
  var type: UInt32 {
    switch self {
    case .integer: PostgreSQLType.integer.rawValue
    case .real: PostgreSQLType.real.rawValue
    case .text: PostgreSQLType.text.rawValue
    case .bytes: PostgreSQLType.bytes.rawValue
    case .boolean: PostgreSQLType.boolean.rawValue
    case .time: PostgreSQLType.time.rawValue
    case .array(let array): array.type.array
    }
  }

  /// Appends the binary representation. Returns false for NULL.
  func append(to buffer: inout [UInt8]) -> Bool {
    switch self {
    case .integer(let value?): buffer.append(bigEndian: UInt64(bitPattern: value))
    case .real(let value?): buffer.append(bigEndian: value.bitPattern)
    case .text(let value?): buffer += value.withoutNUL.utf8
    case .bytes(let value?): buffer += value
    case .boolean(let value?): buffer.append(value ? 1 : 0)
    case .time(let value?): buffer.append(bigEndian: UInt64(bitPattern: value.postgreSQLMicroseconds))
    case .array(let array): array.append(to: &buffer)
    case .integer(nil), .real(nil), .text(nil), .bytes(nil), .boolean(nil), .time(nil): return false
    }
    return true
  }
}

/// The types of values, with their OIDs.
enum PostgreSQLType: UInt32 {
  case boolean = 16
  case bytes = 17
  case integer = 20
  case text = 25
  case real = 701
  case time = 1184

  /// The OID of an array of this type.
  var array: UInt32 {
    switch self {
    case .boolean: 1000
    case .bytes: 1001
    case .integer: 1016
    case .text: 1009
    case .real: 1022
    case .time: 1185
    }
  }
}

extension WallTime {
  /// 2000-01-01T00:00:00Z, from which PostgreSQL counts.
  private static let postgreSQLEpoch: Int64 = 946_684_800_000_000
  /// The range of `timestamptz`: the years 4713 BC to 294276.
  private static let postgreSQLRange: ClosedRange<Int64> =
    -210_866_803_200_000_000...9_223_371_331_199_999_999

  /// Microseconds since 2000-01-01; saturates at the range of `timestamptz`.
  var postgreSQLMicroseconds: Int64 {
    let (difference, overflows) = microseconds.subtractingReportingOverflow(Self.postgreSQLEpoch)
    let range = Self.postgreSQLRange
    return overflows ? range.lowerBound : min(max(difference, range.lowerBound), range.upperBound)
  }

  init(postgreSQLMicroseconds value: Int64) {
    let (sum, overflows) = value.addingReportingOverflow(Self.postgreSQLEpoch)
    self.init(microseconds: overflows ? .max : sum)
  }
}

extension String {
  /// PostgreSQL has no text with the character U+0000, which JSON permits; replaced by U+FFFD.
  var withoutNUL: String {
    utf8.contains(0)
      ? String(String.UnicodeScalarView(unicodeScalars.map { $0 == "\0" ? "\u{FFFD}" : $0 })) : self
  }
}

extension [UInt8] {
  mutating func append(bigEndian value: some FixedWidthInteger) {
    for shift in stride(from: value.bitWidth - 8, through: 0, by: -8) {
      append(UInt8(truncatingIfNeeded: value >> shift))
    }
  }

  mutating func replace(bigEndian value: Int32, at position: Int) {
    for offset in 0..<4 {
      self[position + offset] = UInt8(truncatingIfNeeded: value >> Int32(24 - 8 * offset))
    }
  }
}

/// A one-dimensional array in the binary format of PostgreSQL, for inserting many rows with `unnest`.
///
///     int32 dimensions (1) | int32 has NULL | int32 OID of the type | int32 count | int32 lower bound (1)
///     for each element: int32 length, -1 for NULL | bytes, most significant first
struct PostgreSQLArray {
  let type: PostgreSQLType
  private(set) var count = 0
  private var hasNull = false
  private var elements: [UInt8] = []

  init(_ type: PostgreSQLType) { self.type = type }

  /// Appends a value of ``type``.
  mutating func append(_ value: PostgreSQLValue) {
    precondition(value.type == type.rawValue)
    let start = elements.count
    elements.append(bigEndian: Int32(-1))
    if value.append(to: &elements) {
      elements.replace(bigEndian: Int32(elements.count - start - 4), at: start)
    } else {
      hasNull = true
    }
    count += 1
  }

  func append(to buffer: inout [UInt8]) {
    buffer.append(bigEndian: Int32(1))
    buffer.append(bigEndian: Int32(hasNull ? 1 : 0))
    buffer.append(bigEndian: type.rawValue)
    buffer.append(bigEndian: Int32(count))
    buffer.append(bigEndian: Int32(1))
    buffer += elements
  }
}

/// Rows for a bulk INSERT, stored as one array per column.
struct ColumnSet {
  private(set) var columns: [PostgreSQLArray]
  private(set) var count = 0

  init(_ types: [PostgreSQLType]) { columns = types.map { PostgreSQLArray($0) } }

  /// Appends a row with values of the types of the columns.
  mutating func append(_ row: [PostgreSQLValue]) {
    precondition(row.count == columns.count)
    for (index, value) in row.enumerated() { columns[index].append(value) }
    count += 1
  }

  var values: [PostgreSQLValue] { columns.map { .array($0) } }

  /// `$1::bigint[], $2::text[], ...`
  var parameters: String {
    columns.enumerated().map { "$\($0 + 1)::\($1.type.name)[]" }.joined(separator: ", ")
  }
}

extension PostgreSQLType {
  var name: String {
    switch self {
    case .boolean: "boolean"
    case .bytes: "bytea"
    case .integer: "bigint"
    case .text: "text"
    case .real: "double precision"
    case .time: "timestamptz"
    }
  }
}
