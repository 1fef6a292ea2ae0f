import Platform

/// Splits JSON text into its outermost objects: one object, an array of objects, or one object per line.
///
/// Memory is bounded by the length of an object. The objects themselves are not validated here.
struct JSONObjects<Chunks: ByteChunks> {
  enum Problem: Error {
    case tooLong
    case unexpected(UInt8)
    case incomplete
  }

  /// Limit of an object in bytes.
  static var longest: Int { 1 << 20 }

  private var chunks: Chunks
  private var rest: ArraySlice<UInt8> = []
  /// Offset of the next byte.
  private(set) var offset = 0

  init(_ chunks: Chunks) { self.chunks = chunks }

  /// Reads the next object, and returns it with its offset.
  mutating func next() throws -> (bytes: [UInt8], offset: Int)? {
    var bytes: [UInt8] = []
    var (depth, start) = (0, 0)
    var (isText, isEscaped) = (false, false)
    while let byte = try nextByte() {
      if depth == 0 {
        if byte == UInt8(ascii: "{") {
          (depth, start) = (1, offset - 1)
          bytes = [byte]
        } else if byte > 0x20, !Array("[],".utf8).contains(byte), byte < 0x80 {
          throw Problem.unexpected(byte)
        }
        continue
      }
      bytes.append(byte)
      guard bytes.count <= Self.longest else { throw Problem.tooLong }
      if isText {
        isText = isEscaped || byte != UInt8(ascii: "\"")
        isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
      } else if byte == UInt8(ascii: "\"") {
        isText = true
      } else if byte == UInt8(ascii: "{") {
        depth += 1
      } else if byte == UInt8(ascii: "}") {
        depth -= 1
        if depth == 0 { return (bytes, start) }
      }
    }
    if depth > 0 { throw Problem.incomplete }
    return nil
  }

  private mutating func nextByte() throws -> UInt8? {
    if rest.isEmpty { rest = try chunks.nextChunk() }
    guard let byte = rest.popFirst() else { return nil }
    offset += 1
    return byte
  }
}
