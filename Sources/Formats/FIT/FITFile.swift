import HeartRate
import Platform
import SessionData

/// A FIT file, or several in a chain, read for its `hrv` messages.
///
///     header            records                                      CRC
///     +----+-----...-+  +------------+-----------+------+------...-+ +----+
///     | 12 or 14     |  | definition | data      | data | defin... | | 16 |
///     +----+-----...-+  +------------+-----------+------+------...-+ +----+
///
/// A definition says of one of 16 local types which fields its data have, and how long each is; everything but the
/// few fields that matter here is passed over by its length.
///
/// Source: Garmin, Flexible and Interoperable Data Transfer (FIT) Protocol, rev. 2.
struct FITFile {
  static let mark = Array(".FIT".utf8)

  private var stream: ByteStream
  private var crc = FITChecksum()
  /// Bytes of records that are left of the file at hand.
  private var left = 0
  private var definitions: [FITDefinition?] = []
  private var activity = FITActivity()

  init(_ stream: ByteStream) { self.stream = stream }

  /// Hands on the session of each file in the chain, once its checksum was found right.
  mutating func sessions(_ body: (FileSession) throws -> Void) throws {
    repeat {
      try header()
      definitions = Array(repeating: nil, count: 16)
      activity = FITActivity()
      while left > 0 { try record() }
      try checkEnd()
      try body(activity.session)
    } while try !isAtEnd()
  }

  private mutating func header() throws {
    crc = FITChecksum()
    left = .max
    let start = stream.offset
    let length = Int(try take(1)[0])
    guard length == 12 || length == 14 else {
      throw flaw("a header of 12 or 14 bytes is expected, not of \(length)", at: start)
    }
    let header = try take(length - 1)
    guard header[7..<11].elementsEqual(Self.mark) else {
      throw flaw("a header with .FIT in it is expected", at: start)
    }
    guard header[0] < 0x30 else {
      throw flaw("version \(header[0] >> 4) of the protocol is not known", at: start)
    }
    left = Int(header.littleEndian32(at: 3))
  }

  private mutating func record() throws {
    let start = stream.offset
    let header = try take(1)[0]
    let isCompressed = header & 0x80 != 0
    let local = Int(isCompressed ? header >> 5 & 3 : header & 15)
    if !isCompressed, header & 0x40 != 0 {
      definitions[local] = try definition(hasDeveloperFields: header & 0x20 != 0)
      return
    }
    guard let definition = definitions[local] else {
      throw flaw("data of the local type \(local), which was not defined", at: start)
    }
    let data = try take(definition.length)
    if definition.isWanted { activity.take(definition, data) }
  }

  private mutating func definition(hasDeveloperFields: Bool) throws -> FITDefinition {
    let start = stream.offset
    let head = try take(5)
    guard head[1] <= 1 else {
      throw flaw("a byte order of 0 or 1 is expected, not \(head[1])", at: start + 1)
    }
    let isBig = head[1] == 1
    var definition = FITDefinition(
      message: isBig ? head.bigEndian16(at: 2) : head.littleEndian16(at: 2), isBigEndian: isBig)
    for _ in 0..<head[4] {
      let field = try take(3)
      definition.append(field: field[0], size: Int(field[1]))
    }
    if hasDeveloperFields {
      for _ in 0..<(try take(1)[0]) { definition.skip(size: Int(try take(3)[1])) }
    }
    return definition
  }

  private mutating func checkEnd() throws {
    let (offset, expected) = (stream.offset, crc.value)
    left = 2
    let written = try take(2).littleEndian16(at: 0)
    guard written == expected else {
      throw flaw("the checksum is \(written) and should be \(expected): the file is damaged", at: offset)
    }
  }

  private mutating func isAtEnd() throws -> Bool {
    var ahead = stream
    return try ahead.next() == nil
  }

  private mutating func take(_ count: Int) throws -> [UInt8] {
    let start = stream.offset
    guard count <= left else { throw flaw("a record goes beyond the \(left) bytes that are left", at: start) }
    let bytes = try stream.take(count)
    guard bytes.count == count else {
      throw flaw("the file ends where \(count - bytes.count) bytes more are expected", at: stream.offset)
    }
    left -= count
    crc.update(bytes)
    return bytes
  }

  private func flaw(_ why: String, at offset: Int) -> FormatError {
    FormatError(.malformed(.fit, .byte(offset), why), path: stream.source.path)
  }
}

/// What data of one local type look like.
struct FITDefinition {
  private struct Field {
    var number: UInt8
    var offset: Int
    var size: Int
  }

  /// The global number of the message.
  let message: UInt16
  let isBigEndian: Bool
  private(set) var length = 0
  private var fields: [Field] = []

  init(message: UInt16, isBigEndian: Bool) {
    self.message = message
    self.isBigEndian = isBigEndian
  }

  var isWanted: Bool { !fields.isEmpty }

  mutating func append(field number: UInt8, size: Int) {
    if FITActivity.wants(message, number) { fields.append(Field(number: number, offset: length, size: size)) }
    length += size
  }

  mutating func skip(size: Int) { length += size }

  /// The elements of a field of 16-bit numbers; none where the message has no such field.
  func words(_ number: UInt8, in data: [UInt8]) -> [UInt16] {
    guard let field = fields.first(where: { $0.number == number }) else { return [] }
    return stride(from: field.offset, to: field.offset + field.size - 1, by: 2).map {
      isBigEndian ? data.bigEndian16(at: $0) : data.littleEndian16(at: $0)
    }
  }

  /// A field of one 32-bit number; nil where the message has none, or its value stands for none.
  func number(_ number: UInt8, in data: [UInt8]) -> UInt32? {
    guard let field = fields.first(where: { $0.number == number }), field.size == 4 else { return nil }
    let value = isBigEndian ? data.bigEndian32(at: field.offset) : data.littleEndian32(at: field.offset)
    return value == .max ? nil : value
  }
}

/// The 16-bit cyclic redundancy check of FIT: polynomial 0x8005, reflected, from 0.
struct FITChecksum {
  private(set) var value: UInt16 = 0

  private static let table: [UInt16] = (0..<256).map { byte in
    (0..<8).reduce(UInt16(byte)) { crc, _ in crc & 1 == 1 ? crc >> 1 ^ 0xA001 : crc >> 1 }
  }

  mutating func update(_ bytes: [UInt8]) {
    for byte in bytes { value = value >> 8 ^ Self.table[Int(UInt8(truncatingIfNeeded: value) ^ byte)] }
  }
}
