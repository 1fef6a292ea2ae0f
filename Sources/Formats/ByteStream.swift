import Platform

/// The bytes of a source, one after the other.
struct ByteStream {
  let source: ByteSource
  /// Of the next byte.
  private(set) var offset = 0
  private var chunk: ArraySlice<UInt8> = []
  private var fetched = 0

  private static let chunkLength = 1 << 16

  init(_ source: ByteSource) { self.source = source }

  /// Nil at the end.
  mutating func next() throws -> UInt8? {
    guard try fill(), let byte = chunk.popFirst() else { return nil }
    offset += 1
    return byte
  }

  /// The next `count` bytes; fewer at the end.
  mutating func take(_ count: Int) throws -> [UInt8] {
    var bytes: [UInt8] = []
    while bytes.count < count, try fill() {
      let part = chunk.prefix(count - bytes.count)
      bytes += part
      chunk = chunk.dropFirst(part.count)
    }
    offset += bytes.count
    return bytes
  }

  /// What was fetched and not taken yet, or the next piece; none at the end.
  mutating func takeChunk() throws -> ArraySlice<UInt8> {
    guard try fill() else { return [] }
    defer { chunk = [] }
    offset += chunk.count
    return chunk
  }

  private mutating func fill() throws -> Bool {
    if chunk.isEmpty {
      chunk = try source.read(at: fetched, count: Self.chunkLength)[...]
      fetched += chunk.count
    }
    return !chunk.isEmpty
  }
}

extension [UInt8] {
  /// The number in two bytes, the lowest first.
  func littleEndian16(at index: Int) -> UInt16 { UInt16(self[index]) | UInt16(self[index + 1]) << 8 }

  /// The number in four bytes, the lowest first.
  func littleEndian32(at index: Int) -> UInt32 {
    UInt32(littleEndian16(at: index)) | UInt32(littleEndian16(at: index + 2)) << 16
  }

  /// The number in two bytes, the highest first.
  func bigEndian16(at index: Int) -> UInt16 { littleEndian16(at: index).byteSwapped }

  /// The number in four bytes, the highest first.
  func bigEndian32(at index: Int) -> UInt32 { littleEndian32(at: index).byteSwapped }
}
