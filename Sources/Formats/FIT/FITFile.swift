import HeartRate
import Platform
import SessionData

/// Reads the `hrv` messages of a FIT file or of a chain of FIT files.
///
///     header            records                                      CRC
///     +----+-----...-+  +------------+-----------+------+------...-+ +----+
///     | 12 or 14     |  | definition | data      | data | defin... | | 16 |
///     +----+-----...-+  +------------+-----------+------+------...-+ +----+
///
/// A definition lists the fields of one of 16 local message types with their lengths. Fields that are not needed are skipped
/// by their length.
///
/// Source: Garmin, Flexible and Interoperable Data Transfer (FIT) Protocol, rev. 2.
struct FITFile {
  static let mark = Array(".FIT".utf8)

  private var stream: ByteStream
  private var crc = FITChecksum()
  /// Remaining bytes of the records in the current file.
  private var left = 0
  private var definitions: [FITDefinition?] = []
  private let mode: SessionEvents.Mode
  private var activity: FITActivity

  init(_ stream: ByteStream, _ mode: SessionEvents.Mode) {
    (self.stream, self.mode, activity) = (stream, mode, FITActivity(mode))
  }

  /// Calls `body` with the session of each file in the chain after verifying its checksum.
  mutating func sessions(_ body: (FileSession) throws -> Void) throws {
    repeat {
      try header()
      definitions = Array(repeating: nil, count: 16)
      activity = FITActivity(mode)
      while left > 0 { try record() }
      try checkEnd()
      try body(activity.session)
    } while try !isAtEnd()
  }

  private mutating func header() throws {
    crc = FITChecksum()
    left = .max
    let start = stream.offset
    let length = Int(try read(1)[0])
    guard length == 12 || length == 14 else {
      throw malformed("a header of 12 or 14 bytes is expected, not of \(length)", at: start)
    }
    let header = try read(length - 1)
    guard header[7..<11].elementsEqual(Self.mark) else {
      throw malformed("a header with .FIT in it is expected", at: start)
    }
    guard header[0] < 0x30 else {
      throw malformed("version \(header[0] >> 4) of the protocol is not known", at: start)
    }
    left = Int(header.littleEndian32(at: 3))
  }

  private mutating func record() throws {
    let start = stream.offset
    let header = try read(1)[0]
    let isCompressed = header & 0x80 != 0
    let local = Int(isCompressed ? header >> 5 & 3 : header & 15)
    if !isCompressed, header & 0x40 != 0 {
      definitions[local] = try definition(hasDeveloperFields: header & 0x20 != 0)
      return
    }
    guard let definition = definitions[local] else {
      throw malformed("data of the local type \(local), which was not defined", at: start)
    }
    let data = try read(definition.length)
    if definition.isWanted { try activity.handle(definition, data) }
  }

  private mutating func definition(hasDeveloperFields: Bool) throws -> FITDefinition {
    let start = stream.offset
    let head = try read(5)
    guard head[1] <= 1 else {
      throw malformed("a byte order of 0 or 1 is expected, not \(head[1])", at: start + 1)
    }
    let isBig = head[1] == 1
    var definition = FITDefinition(
      message: isBig ? head.bigEndian16(at: 2) : head.littleEndian16(at: 2), isBigEndian: isBig)
    for _ in 0..<head[4] {
      let field = try read(3)
      definition.append(field: field[0], size: Int(field[1]))
    }
    if hasDeveloperFields {
      for _ in 0..<(try read(1)[0]) { definition.skip(size: Int(try read(3)[1])) }
    }
    return definition
  }

  private mutating func checkEnd() throws {
    let (offset, expected) = (stream.offset, crc.value)
    left = 2
    let written = try read(2).littleEndian16(at: 0)
    guard written == expected else {
      throw malformed("the checksum is \(written) and should be \(expected): the file is damaged", at: offset)
    }
  }

  private mutating func isAtEnd() throws -> Bool {
    var ahead = stream
    return try ahead.next() == nil
  }

  private mutating func read(_ count: Int) throws -> [UInt8] {
    let start = stream.offset
    guard count <= left else {
      throw malformed("a record is longer than the remaining \(left) bytes", at: start)
    }
    let bytes = try stream.read(count)
    guard bytes.count == count else {
      throw malformed("the file ends where \(count - bytes.count) bytes more are expected", at: stream.offset)
    }
    left -= count
    crc.update(bytes)
    return bytes
  }

  private func malformed(_ why: String, at offset: Int) -> FormatError {
    FormatError(.malformed(.fit, .byte(offset), why), path: stream.source.path)
  }
}

/// The layout of data messages of one local type.
struct FITDefinition {
  private struct Field {
    var number: UInt8
    var offset: Int
    var size: Int
  }

  /// Global message number.
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

  /// The elements of a field of 16-bit numbers; empty if the message has no such field.
  func words(_ number: UInt8, in data: [UInt8]) -> [UInt16] {
    guard let field = fields.first(where: { $0.number == number }) else { return [] }
    return stride(from: field.offset, to: field.offset + field.size - 1, by: 2).map {
      isBigEndian ? data.bigEndian16(at: $0) : data.littleEndian16(at: $0)
    }
  }

  /// The value of a 32-bit field, if the field is present and has one.
  func number(_ number: UInt8, in data: [UInt8]) -> UInt32? {
    guard let field = fields.first(where: { $0.number == number }), field.size == 4 else { return nil }
    let value = isBigEndian ? data.bigEndian32(at: field.offset) : data.littleEndian32(at: field.offset)
    return value == .max ? nil : value
  }
}

/// The CRC-16 of FIT: polynomial 0x8005, reflected, initial value 0.
struct FITChecksum {
  private(set) var value: UInt16 = 0

  private static let table: [UInt16] = (0..<256).map { byte in
    (0..<8).reduce(UInt16(byte)) { crc, _ in crc & 1 == 1 ? crc >> 1 ^ 0xA001 : crc >> 1 }
  }

  mutating func update(_ bytes: [UInt8]) {
    for byte in bytes { value = value >> 8 ^ Self.table[Int(UInt8(truncatingIfNeeded: value) ^ byte)] }
  }
}
