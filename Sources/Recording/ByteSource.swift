import Glibc
import Synchronization

/// An open file, read from any offset; what cannot be sought (standard input, a pipe) is read on.
///
/// Its first bytes are read once, at opening, so that its kind can be told without losing them.
final class ByteSource: Sendable {
  let path: String
  let head: [UInt8]
  /// Size in bytes where the file has one.
  let size: Int?
  private let descriptor: CInt
  private let owns: Bool
  /// How far it was read.
  private let position = Atomic<Int>(0)

  /// How much of it was read, 0 to 1; nil where its size is not known.
  var progress: Double? {
    size.map { $0 > 0 ? min(1, Double(position.load(ordering: .relaxed)) / Double($0)) : 1 }
  }

  static let headLength = 4096

  /// Opens `path`; `-` is standard input.
  init(path: String) throws(RecordingError) {
    self.path = path == "-" ? "standard input" : path
    owns = path != "-"
    descriptor = owns ? open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY) : STDIN_FILENO
    guard descriptor >= 0 else { throw RecordingError(errno: errno, path: path) }
    var status = stat()
    let isKnown = fstat(descriptor, &status) == 0
    let isRegular = isKnown && status.st_mode & S_IFMT == S_IFREG
    // A regular standard input may have been read from already: then it is treated as a pipe.
    size = isRegular && owns ? Int(status.st_size) : nil
    do throws(RecordingError) {
      head = try Self.readHead(descriptor, path: self.path)
    } catch {
      if owns { close(descriptor) }
      throw error
    }
  }

  deinit { if owns { close(descriptor) } }

  /// Up to `count` bytes from `offset` on; none at the end. A source that cannot be sought must be read in order.
  func read(at offset: Int, count: Int) throws(RecordingError) -> [UInt8] {
    position.store(offset, ordering: .relaxed)
    if size == nil, offset < head.count { return Array(head[offset..<min(head.count, offset + count)]) }
    return try Self.read(descriptor, count: count, at: size == nil ? nil : offset, path: path)
  }

  private static func readHead(_ descriptor: CInt, path: String) throws(RecordingError) -> [UInt8] {
    var head: [UInt8] = []
    // A pipe hands out what has come so far: a line is enough to tell what it is.
    while head.count < headLength, !head.contains(UInt8(ascii: "\n")) {
      let more = try read(descriptor, count: headLength - head.count, at: nil, path: path)
      if more.isEmpty { break }
      head += more
    }
    return head
  }

  private static func read(
    _ descriptor: CInt, count: Int, at offset: Int?, path: String
  ) throws(RecordingError) -> [UInt8] {
    var failure: CInt?
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      var result = -1
      repeat {
        result =
          offset.map { pread(descriptor, buffer.baseAddress, count, $0) }
          ?? Glibc.read(descriptor, buffer.baseAddress, count)
      } while result < 0 && errno == EINTR
      if result < 0 { failure = errno }
      filled = max(0, result)
    }
    if let failure { throw RecordingError(errno: failure, path: path) }
    return bytes
  }
}
