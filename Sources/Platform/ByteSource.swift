import Glibc
import Synchronization
import SystemPackage

/// An open file that can be read from any offset. Standard input and pipes can only be read in order.
///
/// The first bytes are read once, when the file is opened, to detect its format without losing them.
package final class ByteSource: Sendable {
  package let path: String
  /// The first bytes: up to ``headLength``; of a pipe, at least the first line if it is shorter.
  package let head: [UInt8]
  /// Size in bytes. Unknown for standard input, pipes and devices.
  package let size: Int?
  /// The whole content, if it is kept in memory.
  package let kept: [UInt8]?
  private let descriptor: FileDescriptor
  private let ownsDescriptor: Bool
  /// The latest offset that was read.
  private let position = Atomic<Int>(0)

  /// Fraction of the file that was read, 0 to 1, if its size is known.
  package var progress: Double? {
    size.map { $0 > 0 ? min(1, Double(position.load(ordering: .relaxed)) / Double($0)) : 1 }
  }

  static let headLength = 4096
  private static let chunkLength = 1 << 16

  /// Opens `path`; `-` is standard input.
  /// - Parameter limit: a regular file of at most this number of bytes is read at once and kept.
  package init(path: String, keeping limit: Int = 0) throws(FileError) {
    let isNamed = path != "-"
    self.path = isNamed ? path : "standard input"
    ownsDescriptor = isNamed
    descriptor = try FileError.mapping(path: path) {
      path == "-"
        ? .standardInput
        : try FileDescriptor.open(
          FilePath(path), .readOnly, options: [.closeOnExec, .init(rawValue: O_NOCTTY)])
    }
    let status = try? descriptor.stat()
    // Another process may have read a part of a regular standard input, so it is treated as a pipe.
    size = status.flatMap { isNamed && $0.type == .regular ? Int($0.size) : nil }
    do throws(FileError) {
      head = try Self.readHead(descriptor, path: self.path)
      kept =
        try size.map { $0 > 0 && $0 <= limit } == true
        ? Self.content(descriptor, limit: limit, path: path) : nil
    } catch {
      if ownsDescriptor { try? descriptor.close() }
      throw error
    }
  }

  deinit { if ownsDescriptor { try? descriptor.close() } }

  /// Up to `count` bytes from `offset`; empty at the end. A pipe must be read in order.
  package func read(at offset: Int, count: Int) throws(FileError) -> [UInt8] {
    position.store(offset, ordering: .relaxed)
    if let kept { return offset < kept.count ? Array(kept[offset..<min(kept.count, offset + count)]) : [] }
    if size == nil, offset < head.count { return Array(head[offset..<min(head.count, offset + count)]) }
    return try Self.read(descriptor, count: count, at: size == nil ? nil : offset, path: path)
  }

  /// Reads all bytes, unless there are more than `limit`.
  package func readAll(limit: Int) throws(FileError) -> [UInt8]? {
    var bytes: [UInt8] = []
    while true {
      let more = try read(at: bytes.count, count: Self.chunkLength)
      if more.isEmpty { return bytes }
      bytes += more
      guard bytes.count <= limit else { return nil }
    }
  }

  /// The whole content; `nil` if the file has grown beyond the limit.
  private static func content(
    _ descriptor: FileDescriptor, limit: Int, path: String
  ) throws(FileError) -> [UInt8]? {
    var bytes: [UInt8] = []
    while bytes.count <= limit {
      let more = try read(descriptor, count: chunkLength, at: bytes.count, path: path)
      if more.isEmpty { return bytes }
      bytes += more
    }
    return nil
  }

  private static func readHead(_ descriptor: FileDescriptor, path: String) throws(FileError) -> [UInt8] {
    var head: [UInt8] = []
    // A pipe returns what is available: one line is enough to detect the format.
    while head.count < headLength, !head.contains(UInt8(ascii: "\n")) {
      let more = try read(descriptor, count: headLength - head.count, at: nil, path: path)
      if more.isEmpty { break }
      head += more
    }
    return head
  }

  /// Reads at `offset`, or at the current offset if it is nil.
  private static func read(
    _ descriptor: FileDescriptor, count: Int, at offset: Int?, path: String
  ) throws(FileError) -> [UInt8] {
    try FileError.mapping(path: path) {
      try unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
        let bytes = UnsafeMutableRawBufferPointer(buffer)
        filled =
          try unsafe offset.map {
            try unsafe descriptor.read(fromAbsoluteOffset: Int64($0), into: bytes)
          } ?? descriptor.read(into: bytes)
      }
    }
  }
}
