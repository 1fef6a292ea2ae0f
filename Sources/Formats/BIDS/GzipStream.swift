import CZlib
import Platform

/// Compresses bytes to gzip (RFC 1952), without a file name and a time, so that equal contents give equal files.
@safe final class GzipEncoder {
  // zlib stores the address of its state, so the state must not move.
  private let zlib: UnsafeMutablePointer<z_stream>
  private static let chunkLength = 1 << 16

  init() {
    unsafe zlib = .allocate(capacity: 1)
    unsafe zlib.initialize(to: z_stream())
    // Fails only without memory, which also ends the program elsewhere.
    let code = unsafe stressmon_gzip_begin(zlib)
    precondition(code == Z_OK, "no memory for compression")
  }

  deinit {
    unsafe deflateEnd(zlib)
    unsafe zlib.deallocate()
  }

  /// Compresses `bytes` and passes the output that is ready to `sink`.
  func write(_ bytes: [UInt8], to sink: ByteSink) throws { try run(bytes, Z_NO_FLUSH, sink) }

  /// Passes the rest of the output to `sink`.
  func finish(to sink: ByteSink) throws { try run([], Z_FINISH, sink) }

  private func run(_ bytes: [UInt8], _ flush: CInt, _ sink: ByteSink) throws {
    var input = bytes
    let length = input.count
    var outputs: [[UInt8]] = []
    unsafe input.withUnsafeMutableBufferPointer { buffer in
      unsafe zlib.pointee.next_in = buffer.baseAddress
      unsafe zlib.pointee.avail_in = CUnsignedInt(length)
      repeat {
        outputs.append(next(flush))
      } while unsafe zlib.pointee.avail_out == 0
    }
    for output in outputs where !output.isEmpty { try sink(output) }
  }

  private func next(_ flush: CInt) -> [UInt8] {
    unsafe [UInt8](unsafeUninitializedCapacity: Self.chunkLength) { output, count in
      unsafe zlib.pointee.next_out = output.baseAddress
      unsafe zlib.pointee.avail_out = CUnsignedInt(output.count)
      _ = unsafe deflate(zlib, flush)
      count = unsafe output.count - Int(zlib.pointee.avail_out)
    }
  }
}

/// Decompresses a gzip file while it is read. Several members are read as one.
@safe final class GzipChunks: ByteChunks {
  static let magic: [UInt8] = [0x1F, 0x8B]
  private static let chunkLength = 1 << 16

  private let source: ByteSource
  private let format: FileFormat
  private let zlib: UnsafeMutablePointer<z_stream>
  private let input: UnsafeMutablePointer<UInt8>
  private var read = 0
  /// Whether the current member has ended.
  private var isComplete = false

  init(_ source: ByteSource, _ format: FileFormat) throws {
    (self.source, self.format) = (source, format)
    unsafe zlib = .allocate(capacity: 1)
    unsafe zlib.initialize(to: z_stream())
    unsafe input = .allocate(capacity: Self.chunkLength)
    guard unsafe stressmon_gunzip_begin(zlib) == Z_OK else {
      throw malformed("no memory for decompression")
    }
  }

  deinit {
    unsafe inflateEnd(zlib)
    unsafe zlib.deallocate()
    unsafe input.deallocate()
  }

  func nextChunk() throws -> ArraySlice<UInt8> {
    while true {
      if unsafe zlib.pointee.avail_in == 0, try !fill() {
        guard isComplete else { throw malformed("the compressed data end early") }
        return []
      }
      if isComplete {
        guard unsafe inflateReset(zlib) == Z_OK else { throw malformed("the compressed data are damaged") }
        isComplete = false
      }
      let chunk = try inflated()
      if !chunk.isEmpty { return chunk[...] }
    }
  }

  private func fill() throws -> Bool {
    let bytes = try source.read(at: read, count: Self.chunkLength)
    read += bytes.count
    unsafe input.update(from: bytes, count: bytes.count)
    unsafe zlib.pointee.next_in = unsafe input
    unsafe zlib.pointee.avail_in = CUnsignedInt(bytes.count)
    return !bytes.isEmpty
  }

  private func inflated() throws -> [UInt8] {
    var code = Z_OK
    let chunk = unsafe [UInt8](unsafeUninitializedCapacity: Self.chunkLength) { output, count in
      unsafe zlib.pointee.next_out = output.baseAddress
      unsafe zlib.pointee.avail_out = CUnsignedInt(output.count)
      code = unsafe inflate(zlib, Z_NO_FLUSH)
      count = unsafe output.count - Int(zlib.pointee.avail_out)
    }
    guard code == Z_OK || code == Z_STREAM_END || code == Z_BUF_ERROR else {
      throw malformed("the compressed data are damaged")
    }
    isComplete = code == Z_STREAM_END
    return chunk
  }

  private func malformed(_ why: String) -> FormatError {
    FormatError(.malformed(format, .byte(read), why), path: source.path)
  }
}
