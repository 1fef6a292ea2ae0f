import CZlib
import Platform

/// Compresses bytes to gzip (RFC 1952). Equal contents give equal files, because the header has no file name and no time.
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
