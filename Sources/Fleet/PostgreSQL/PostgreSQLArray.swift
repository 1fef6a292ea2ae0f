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
