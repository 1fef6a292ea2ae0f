import Glibc

/// The lines of a byte source, one at a time, in constant memory.
struct LineSplitter {
  /// One line without its line feed.
  struct Line {
    var number: Int
    var bytes: [UInt8] = []
    var isTerminated = false
    /// Bytes of zero that stood before it and are left out.
    var zeros = 0
    /// Whether bytes beyond the limit were dropped.
    var isTooLong = false
  }

  /// No line that is written comes near to it.
  static let longestLine = 1 << 20
  private static let chunkLength = 1 << 16

  private let source: ByteSource
  private var chunk: ArraySlice<UInt8> = []
  private var offset = 0
  private(set) var number = 0

  init(_ source: ByteSource) { self.source = source }

  /// Nil at the end.
  mutating func next() throws(RecordingError) -> Line? {
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

  private mutating func fill() throws(RecordingError) -> Bool {
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
    withUnsafeBytes { buffer in
      guard let base = buffer.baseAddress, let found = memchr(base, 0x0A, buffer.count) else { return nil }
      return startIndex + (UnsafeRawPointer(found) - base)
    }
  }
}
