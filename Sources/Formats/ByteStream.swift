import Platform

/// A source of chunks of bytes.
protocol ByteChunks {
  /// The next chunk; empty at the end.
  mutating func nextChunk() throws -> ArraySlice<UInt8>
}

/// Reads a file sequentially.
struct ByteStream: ByteChunks {
  let source: ByteSource
  /// Offset of the next byte.
  private(set) var offset = 0
  private var chunk: ArraySlice<UInt8> = []
  private var fetched = 0

  private static let chunkLength = 1 << 16

  init(_ source: ByteSource) { self.source = source }

  /// Reads the next byte.
  mutating func next() throws -> UInt8? {
    guard try fill(), let byte = chunk.popFirst() else { return nil }
    offset += 1
    return byte
  }

  /// The next `count` bytes; fewer at the end.
  mutating func read(_ count: Int) throws -> [UInt8] {
    var bytes: [UInt8] = []
    while bytes.count < count, try fill() {
      let part = chunk.prefix(count - bytes.count)
      bytes += part
      chunk = chunk.dropFirst(part.count)
    }
    offset += bytes.count
    return bytes
  }

  /// The rest of the buffer, or the next chunk; empty at the end.
  mutating func nextChunk() throws -> ArraySlice<UInt8> {
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
  /// The little-endian number in two bytes.
  func littleEndian16(at index: Int) -> UInt16 { UInt16(self[index]) | UInt16(self[index + 1]) << 8 }

  /// The little-endian number in four bytes.
  func littleEndian32(at index: Int) -> UInt32 {
    UInt32(littleEndian16(at: index)) | UInt32(littleEndian16(at: index + 2)) << 16
  }

  /// The big-endian number in two bytes.
  func bigEndian16(at index: Int) -> UInt16 { littleEndian16(at: index).byteSwapped }

  /// The big-endian number in four bytes.
  func bigEndian32(at index: Int) -> UInt32 { littleEndian32(at: index).byteSwapped }
}
