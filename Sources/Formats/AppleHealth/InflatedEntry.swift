import CZlib
import Platform

/// Decompresses a zip entry while it is read. Length and checksum are verified at the end.
@safe final class InflatedEntry: ByteChunks {
  private enum Method {
    static let stored: UInt16 = 0
    static let deflated: UInt16 = 8
  }

  private static let chunkLength = 1 << 18

  private let entry: ZipEntry
  // zlib stores the address of its state, so the state must not move.
  private let zlib: UnsafeMutablePointer<z_stream>
  private let input: UnsafeMutablePointer<UInt8>
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
    unsafe zlib = .allocate(capacity: 1)
    unsafe zlib.initialize(to: z_stream())
    unsafe input = .allocate(capacity: Self.chunkLength)
    if entry.method == Method.deflated, unsafe stressmon_inflate_begin(zlib) != Z_OK {
      throw ZipEntry.malformed("no memory for unpacking", at: start, entry.source)
    }
  }

  deinit {
    if entry.method == Method.deflated { unsafe inflateEnd(zlib) }
    unsafe zlib.deallocate()
    unsafe input.deallocate()
  }

  func nextChunk() throws -> ArraySlice<UInt8> {
    while !isOver {
      let chunk = entry.method == Method.stored ? try fetch(Self.chunkLength) : try inflated()
      isOver = isOver || (entry.method == Method.stored && chunk.isEmpty)
      written += chunk.count
      crc = unsafe chunk.withUnsafeBufferPointer { unsafe crc32(crc, $0.baseAddress, CUnsignedInt($0.count)) }
      if isOver { try check() }
      if !chunk.isEmpty { return chunk[...] }
    }
    return []
  }

  private func inflated() throws -> [UInt8] {
    if unsafe zlib.pointee.avail_in == 0 {
      let bytes = try fetch(Self.chunkLength)
      guard !bytes.isEmpty else { throw malformed("the packed data end early") }
      unsafe input.update(from: bytes, count: bytes.count)
      unsafe zlib.pointee.next_in = unsafe input
      unsafe zlib.pointee.avail_in = CUnsignedInt(bytes.count)
    }
    var code = Z_OK
    let chunk = unsafe [UInt8](unsafeUninitializedCapacity: Self.chunkLength) { output, count in
      unsafe zlib.pointee.next_out = output.baseAddress
      unsafe zlib.pointee.avail_out = CUnsignedInt(output.count)
      code = unsafe inflate(zlib, Z_NO_FLUSH)
      count = unsafe output.count - Int(zlib.pointee.avail_out)
    }
    guard code == Z_OK || code == Z_STREAM_END || code == Z_BUF_ERROR else {
      throw malformed("the packed data are damaged")
    }
    isOver = code == Z_STREAM_END
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
