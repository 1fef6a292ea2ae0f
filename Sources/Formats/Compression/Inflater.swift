import CZlib
package import Platform

/// Decompresses data that arrive in parts.
@safe final class Inflater {
  enum Container {
    /// A deflate stream without a header (RFC 1951), as in zip entries.
    case deflate
    /// A member of a gzip file (RFC 1952).
    case gzip
  }

  // zlib stores the address of its state, so the state must not move.
  private let zlib: UnsafeMutablePointer<z_stream>
  private let input: UnsafeMutablePointer<UInt8>
  /// The largest number of bytes of a part of the input, and of the output.
  let chunkLength: Int
  /// Whether the stream has ended.
  private(set) var isComplete = false
  /// Whether zlib can have more output than the last chunk contained.
  private var hasMore = false

  /// Fails if there is no memory.
  init?(_ container: Container, chunkLength: Int) {
    self.chunkLength = chunkLength
    unsafe zlib = .allocate(capacity: 1)
    unsafe zlib.initialize(to: z_stream())
    unsafe input = .allocate(capacity: chunkLength)
    let code =
      switch container {
      case .deflate: unsafe stressmon_inflate_begin(zlib)
      case .gzip: unsafe stressmon_gunzip_begin(zlib)
      }
    guard code == Z_OK else { return nil }
  }

  deinit {
    unsafe inflateEnd(zlib)
    unsafe zlib.deallocate()
    unsafe input.deallocate()
  }

  /// Whether `next` requires more input. Output can remain when all input is consumed.
  var needsInput: Bool { unsafe zlib.pointee.avail_in == 0 && !hasMore }

  /// Replaces the consumed input by at most `chunkLength` bytes.
  func supply(_ bytes: [UInt8]) {
    precondition(needsInput && bytes.count <= chunkLength)
    unsafe input.update(from: bytes, count: bytes.count)
    unsafe zlib.pointee.next_in = unsafe input
    unsafe zlib.pointee.avail_in = CUnsignedInt(bytes.count)
  }

  /// The next chunk of the output, which can be empty. Returns `nil` if the data are damaged.
  func next() -> [UInt8]? {
    var code = Z_OK
    let chunk = unsafe [UInt8](unsafeUninitializedCapacity: chunkLength) { output, count in
      unsafe zlib.pointee.next_out = output.baseAddress
      unsafe zlib.pointee.avail_out = CUnsignedInt(chunkLength)
      code = unsafe inflate(zlib, Z_NO_FLUSH)
      count = unsafe chunkLength - Int(zlib.pointee.avail_out)
    }
    guard code == Z_OK || code == Z_STREAM_END || code == Z_BUF_ERROR else { return nil }
    isComplete = code == Z_STREAM_END
    hasMore = !isComplete && chunk.count == chunkLength
    return chunk
  }

  /// Begins the next member of a gzip file after the end of the previous one.
  func beginNextMember() {
    unsafe inflateReset(zlib)
    isComplete = false
  }
}

extension LibraryVersion {
  package static var zlib: LibraryVersion { LibraryVersion("zlib", unsafe String(cString: zlibVersion())) }
}
