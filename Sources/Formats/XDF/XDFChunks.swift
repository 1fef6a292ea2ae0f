import Platform

/// Reads the chunks of an XDF file.
///
///     length of the length   length        tag         content
///     +------------------+   +---------+   +--------+  +------...
///     | 8: 1, 4 or 8     |   | 8/32/64 |   | 16     |  |
///     +------------------+   +---------+   +--------+  +------...
///
/// All numbers are little-endian. The length includes the tag.
///
/// Source: Swartz Center for Computational Neuroscience, Extensible Data Format, specification 1.0.
struct XDFChunks {
  enum Tag: Int {
    case fileHeader = 1
    case streamHeader, samples, clockOffset, boundary, streamFooter
  }

  static let magic = Array("XDF:".utf8)
  private static let skipLength = 1 << 16

  private var stream: ByteStream
  /// Remaining bytes of the current chunk.
  private(set) var left = 0

  init(_ source: ByteSource) throws {
    stream = ByteStream(source)
    guard try stream.read(4) == Self.magic else { throw malformed("the mark XDF: is expected") }
  }

  var offset: Int { stream.offset }

  /// Skips the rest of the current chunk, and returns the tag of the next one, if there is one.
  mutating func next() throws -> Int? {
    try skip()
    guard let size = try stream.next() else { return nil }
    left = .max
    let length = try number(bytes: Int(size))
    guard length >= 2 else { throw malformed("a chunk of \(length) bytes") }
    left = length
    return try number(bytes: 2)
  }

  mutating func skip() throws {
    while left > 0 { _ = try read(min(left, Self.skipLength)) }
  }

  /// An unsigned number of 1, 2, 4 or 8 bytes.
  mutating func number(bytes count: Int) throws -> Int {
    guard [1, 2, 4, 8].contains(count) else {
      throw malformed("a length field of \(count) bytes instead of 1, 4 or 8")
    }
    let value = try read(count).reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    return Int(clamping: value)
  }

  /// A length field: its own length in one byte, then the number.
  mutating func variableLength() throws -> Int { try number(bytes: number(bytes: 1)) }

  mutating func double() throws -> Double {
    Double(bitPattern: try read(8).reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
  }

  /// The next bytes of the chunk.
  mutating func read(_ count: Int) throws -> [UInt8] {
    guard count >= 0, count <= left else {
      throw malformed("\(count) bytes are expected, but the chunk has only \(left) more")
    }
    let bytes = try stream.read(count)
    guard bytes.count == count else { throw malformed("the file ends within a chunk") }
    left -= count
    return bytes
  }

  func malformed(_ why: String) -> FormatError {
    FormatError(.malformed(.xdf, .byte(stream.offset), why), path: stream.source.path)
  }
}
