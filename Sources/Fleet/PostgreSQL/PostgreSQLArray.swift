internal import HeartRate

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

  mutating func append(_ value: Int64?) {
    precondition(type == .integer)
    append(bits: value.map { UInt64(bitPattern: $0) })
  }

  mutating func append(_ value: Double?) {
    precondition(type == .real)
    append(bits: value?.bitPattern)
  }

  mutating func append(_ value: WallTime?) {
    precondition(type == .time)
    append(bits: value.map { UInt64(bitPattern: $0.postgreSQLMicroseconds) })
  }

  mutating func append(_ value: String?) {
    precondition(type == .text)
    guard let value = value?.withoutNUL else { return appendNull() }
    append(bytes: value.utf8, count: value.utf8.count)
  }

  mutating func append(_ value: [UInt8]?) {
    precondition(type == .bytes)
    guard let value else { return appendNull() }
    append(bytes: value, count: value.count)
  }

  mutating func append(_ value: Bool?) {
    precondition(type == .boolean)
    guard let value else { return appendNull() }
    append(bytes: CollectionOfOne(value ? 1 : 0), count: 1)
  }

  func append(to buffer: inout [UInt8]) {
    buffer.append(bigEndian: Int32(1))
    buffer.append(bigEndian: Int32(hasNull ? 1 : 0))
    buffer.append(bigEndian: type.rawValue)
    buffer.append(bigEndian: Int32(count))
    buffer.append(bigEndian: Int32(1))
    buffer += elements
  }

  private mutating func append(bits: UInt64?) {
    guard let bits else { return appendNull() }
    elements.append(bigEndian: Int32(8))
    elements.append(bigEndian: bits)
    count += 1
  }

  private mutating func append(bytes: some Sequence<UInt8>, count length: Int) {
    elements.append(bigEndian: Int32(length))
    elements += bytes
    count += 1
  }

  private mutating func appendNull() {
    elements.append(bigEndian: Int32(-1))
    hasNull = true
    count += 1
  }
}
