import Glibc
import Synchronization

/// An open file that can be read from any offset. Standard input and pipes can only be read in order.
///
/// The first bytes are read once, when the file is opened, so that its format can be detected without losing them.
package final class ByteSource: Sendable {
  package let path: String
  /// The first bytes: up to ``headLength``; of a pipe, at least the first line if it is shorter.
  package let head: [UInt8]
  /// Size in bytes; nil for standard input, pipes and devices.
  package let size: Int?
  private let descriptor: CInt
  private let ownsDescriptor: Bool
  /// The latest offset that was read.
  private let position = Atomic<Int>(0)

  /// Fraction of the file that was read, 0 to 1; nil if its size is unknown.
  package var progress: Double? {
    size.map { $0 > 0 ? min(1, Double(position.load(ordering: .relaxed)) / Double($0)) : 1 }
  }

  static let headLength = 4096
  private static let chunkLength = 1 << 16

  /// Opens `path`; `-` is standard input.
  package init(path: String) throws(FileError) {
    self.path = path == "-" ? "standard input" : path
    ownsDescriptor = path != "-"
    descriptor = unsafe ownsDescriptor ? open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY) : STDIN_FILENO
    guard descriptor >= 0 else { throw FileError(errno: errno, path: path) }
    var status = stat()
    let isKnown = unsafe fstat(descriptor, &status) == 0
    let isRegular = isKnown && status.st_mode & S_IFMT == S_IFREG
    // Another process may have read a part of a regular standard input, so it is treated as a pipe.
    size = isRegular && ownsDescriptor ? Int(status.st_size) : nil
    do throws(FileError) {
      head = try Self.readHead(descriptor, path: self.path)
    } catch {
      if ownsDescriptor { close(descriptor) }
      throw error
    }
  }

  deinit { if ownsDescriptor { close(descriptor) } }

  /// Up to `count` bytes from `offset`; empty at the end. A pipe must be read in order.
  package func read(at offset: Int, count: Int) throws(FileError) -> [UInt8] {
    position.store(offset, ordering: .relaxed)
    if size == nil, offset < head.count { return Array(head[offset..<min(head.count, offset + count)]) }
    return try Self.read(descriptor, count: count, at: size == nil ? nil : offset, path: path)
  }

  /// All bytes, at most `limit`; nil if there are more.
  package func readAll(limit: Int) throws(FileError) -> [UInt8]? {
    var bytes: [UInt8] = []
    while true {
      let more = try read(at: bytes.count, count: Self.chunkLength)
      if more.isEmpty { return bytes }
      bytes += more
      guard bytes.count <= limit else { return nil }
    }
  }

  private static func readHead(_ descriptor: CInt, path: String) throws(FileError) -> [UInt8] {
    var head: [UInt8] = []
    // A pipe returns what is available: one line is enough to detect the format.
    while head.count < headLength, !head.contains(UInt8(ascii: "\n")) {
      let more = try read(descriptor, count: headLength - head.count, at: nil, path: path)
      if more.isEmpty { break }
      head += more
    }
    return head
  }

  private static func read(
    _ descriptor: CInt, count: Int, at offset: Int?, path: String
  ) throws(FileError) -> [UInt8] {
    var failure: CInt?
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      var result = -1
      repeat {
        result =
          unsafe offset.map { unsafe pread(descriptor, buffer.baseAddress, count, $0) }
          ?? Glibc.read(descriptor, buffer.baseAddress, count)
      } while result < 0 && errno == EINTR
      if result < 0 { failure = errno }
      filled = max(0, result)
    }
    if let failure { throw FileError(errno: failure, path: path) }
    return bytes
  }
}
