import Platform

/// Decompresses a gzip file while it is read. Several members are read as one.
final class GzipChunks: ByteChunks {
  static let magic: [UInt8] = [0x1F, 0x8B]
  private static let chunkLength = 1 << 16

  private let source: ByteSource
  private let format: FileFormat
  private let inflater: Inflater
  private var read = 0
  private var written = 0

  /// Limit of the decompressed bytes per compressed byte, from ``freeLength`` bytes on. Tables of beats have less than 20.
  private static let mostBytesPerByte = 100
  private static let freeLength = 1 << 24

  init(_ source: ByteSource, _ format: FileFormat) throws {
    (self.source, self.format) = (source, format)
    guard let inflater = Inflater(.gzip, chunkLength: Self.chunkLength) else {
      throw FormatError(.malformed(format, .byte(0), "no memory for decompression"), path: source.path)
    }
    self.inflater = inflater
  }

  func nextChunk() throws -> ArraySlice<UInt8> {
    while try hasData() {
      if inflater.isComplete { inflater.beginNextMember() }
      guard let chunk = inflater.next() else { throw malformed("the compressed data are damaged") }
      written += chunk.count
      guard written <= Self.freeLength || written / Self.mostBytesPerByte <= read else {
        throw malformed(
          "the data are more than \(Self.mostBytesPerByte) times as long as the file, and no table of beats")
      }
      if !chunk.isEmpty { return chunk[...] }
    }
    guard inflater.isComplete else { throw malformed("the compressed data end early") }
    return []
  }

  /// Reads the next part of the file if the previous one is decompressed. False at the end of the file.
  private func hasData() throws -> Bool {
    guard inflater.needsInput else { return true }
    let bytes = try source.read(at: read, count: inflater.chunkLength)
    read += bytes.count
    inflater.supply(bytes)
    return !bytes.isEmpty
  }

  private func malformed(_ why: String) -> FormatError {
    FormatError(.malformed(format, .byte(read), why), path: source.path)
  }
}
