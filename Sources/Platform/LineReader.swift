import Glibc

/// Reads the lines of a file, one at a time, in constant memory.
package struct LineReader: Sendable {
  /// One line without its line feed.
  package struct Line: Sendable {
    package fileprivate(set) var number: Int
    package fileprivate(set) var bytes: [UInt8] = []
    package fileprivate(set) var isTerminated = false
    /// Number of zero bytes before the line, which are not part of ``bytes``.
    package fileprivate(set) var zeros = 0
    /// Whether bytes beyond ``longestLine`` were dropped.
    package fileprivate(set) var isTooLong = false
  }

  /// Limit in bytes, far above the longest line that stressmon writes.
  package static let longestLine = 1 << 20
  private static let chunkLength = 1 << 16

  private let source: ByteSource
  private var chunk: ArraySlice<UInt8> = []
  private var offset = 0
  /// Number of the latest line, from 1.
  package private(set) var number = 0

  package init(_ source: ByteSource) { self.source = source }

  /// Reads the next line.
  package mutating func next() throws(FileError) -> Line? {
    number += 1
    var line = Line(number: number)
    var isEmpty = true
    while try fill() {
      isEmpty = false
      if line.bytes.isEmpty { dropZeros(&line) }
      guard let feed = chunk.indexOfLineFeed else {
        append(chunk, to: &line)
        chunk = []
        continue
      }
      append(chunk[..<feed], to: &line)
      chunk = chunk[(feed + 1)...]
      line.isTerminated = true
      return line
    }
    return isEmpty ? nil : line
  }

  private mutating func fill() throws(FileError) -> Bool {
    if chunk.isEmpty {
      chunk = try source.read(at: offset, count: Self.chunkLength)[...]
      offset += chunk.count
    }
    return !chunk.isEmpty
  }

  private mutating func dropZeros(_ line: inout Line) {
    let rest = chunk.drop { $0 == 0 }
    line.zeros += chunk.count - rest.count
    chunk = rest
  }

  private func append(_ bytes: ArraySlice<UInt8>, to line: inout Line) {
    let room = Self.longestLine - line.bytes.count
    line.isTooLong = line.isTooLong || bytes.count > room
    line.bytes += bytes.prefix(room)
  }
}

extension ArraySlice<UInt8> {
  fileprivate var indexOfLineFeed: Int? {
    unsafe withUnsafeBytes { buffer in
      guard let base = buffer.baseAddress, let found = unsafe memchr(base, 0x0A, buffer.count) else {
        return nil
      }
      return unsafe startIndex + (UnsafeRawPointer(found) - base)
    }
  }
}

/// Identifies the content of a file: its inode, size and times. Equal versions of a path mean that the file was neither changed
/// nor replaced in between.
package struct FileVersion: Equatable, Sendable {
  private let device: dev_t
  private let inode: ino_t
  private let size: off_t
  /// Of the content, and of the inode. The latter cannot be set back, unlike the former.
  private let (modified, changed): (Int64, Int64)

  /// Fails without an error if the file does not exist.
  package init?(_ path: String) {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { return nil }
    (device, inode, size) = (status.st_dev, status.st_ino, status.st_size)
    (modified, changed) = (Self.nanoseconds(status.st_mtim), Self.nanoseconds(status.st_ctim))
  }

  /// Wraps around for times that no clock shows.
  private static func nanoseconds(_ time: timespec) -> Int64 {
    Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
  }
}
