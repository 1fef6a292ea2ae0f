import CZlib
import Platform

/// Decompresses a zip entry while it is read. Length and checksum are verified at the end.
final class InflatedEntry: ByteChunks {
  private enum Method {
    static let stored: UInt16 = 0
    static let deflated: UInt16 = 8
  }

  private static let chunkLength = 1 << 18

  private let entry: ZipEntry
  /// A stored entry needs none.
  private let inflater: Inflater?
  private let start: Int
  private var read = 0
  private var written = 0
  private var crc: UInt = 0
  private var isOver = false

  init(_ entry: ZipEntry) throws {
    self.entry = entry
    start = try entry.dataOffset()
    guard entry.method == Method.deflated || entry.method == Method.stored else {
      throw ZipEntry.malformed(
        "method \(entry.method) of compression is not known; unpack the archive and give the document",
        at: start, entry.source)
    }
    guard !entry.isEncrypted else {
      throw ZipEntry.malformed(
        "the archive is encrypted; unpack it and give the document", at: start, entry.source)
    }
    inflater = entry.method == Method.deflated ? Inflater(.deflate, chunkLength: Self.chunkLength) : nil
    guard inflater != nil || entry.method == Method.stored else {
      throw ZipEntry.malformed("no memory for unpacking", at: start, entry.source)
    }
  }

  func nextChunk() throws -> ArraySlice<UInt8> {
    while !isOver {
      let chunk = try inflater.map(inflated) ?? fetch(Self.chunkLength)
      isOver = inflater?.isComplete ?? chunk.isEmpty
      written += chunk.count
      crc = unsafe chunk.withUnsafeBufferPointer { unsafe crc32(crc, $0.baseAddress, CUnsignedInt($0.count)) }
      if isOver { try check() }
      if !chunk.isEmpty { return chunk[...] }
    }
    return []
  }

  private func inflated(_ inflater: Inflater) throws -> [UInt8] {
    if inflater.needsInput {
      let bytes = try fetch(Self.chunkLength)
      guard !bytes.isEmpty else { throw malformed("the packed data end early") }
      inflater.supply(bytes)
    }
    guard let chunk = inflater.next() else { throw malformed("the packed data are damaged") }
    return chunk
  }

  private func fetch(_ count: Int) throws -> [UInt8] {
    let bytes = try entry.source.read(at: start + read, count: min(count, entry.compressedSize - read))
    read += bytes.count
    return bytes
  }

  private func check() throws {
    guard written == entry.size, UInt32(truncatingIfNeeded: crc) == entry.crc else {
      throw malformed("length or checksum of the unpacked data differ from the directory")
    }
  }

  private func malformed(_ why: String) -> FormatError {
    ZipEntry.malformed(why, at: start + read, entry.source)
  }
}
