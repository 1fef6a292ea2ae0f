/// Splits received bytes into lines, in bounded memory.
package struct LineBuffer: Sendable {
  package struct Line: Equatable, Sendable {
    /// Without the line feed; empty if the line is too long.
    package var bytes: [UInt8]
    package var isTooLong: Bool
  }

  /// Longest line in bytes, far above a sensor frame in base64.
  package static let longestLine = 1 << 16

  private var bytes: [UInt8] = []
  private var start = 0
  private var isTooLong = false

  package init() {}

  /// Adds received bytes, at most ``longestLine``. Call it when ``next()`` has returned nil.
  package mutating func append(_ received: ArraySlice<UInt8>) {
    bytes.removeSubrange(..<start)
    start = 0
    bytes += received
  }

  /// The next complete line.
  package mutating func next() -> Line? {
    guard let feed = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) else {
      if bytes.count - start > Self.longestLine {
        isTooLong = true
        start = bytes.count
      }
      return nil
    }
    defer { (start, isTooLong) = (feed + 1, false) }
    return line(bytes[start..<feed])
  }

  /// The rest after the last line feed, at the end of the input.
  package mutating func rest() -> Line? {
    defer { start = bytes.count }
    return start < bytes.count || isTooLong ? line(bytes[start...]) : nil
  }

  private func line(_ content: ArraySlice<UInt8>) -> Line {
    let isTooLong = isTooLong || content.count > Self.longestLine
    return Line(bytes: isTooLong ? [] : Array(content), isTooLong: isTooLong)
  }
}
