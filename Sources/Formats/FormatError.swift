/// Content of a file that cannot be read: why, and what to type next.
package struct FormatError: Error, Equatable, Sendable, CustomStringConvertible {
  package enum Code: Equatable, Sendable {
    /// Bytes that are neither text nor the beginning of a known format.
    case binary
    case badLine(RRText.BadLine)
    /// RR text without an interval.
    case noIntervals
    /// A place that violates the format, and why.
    case malformed(FileFormat, FilePlace, String)
    /// A file without an RR interval.
    case noBeats(FileFormat)
    /// Several sessions, where one is required.
    case severalSessions(FileFormat, Int)
    /// A backup of a history, where a session is required.
    case wholeHistory
    /// More bytes than are read into memory.
    case tooLarge(limit: Int)
  }

  package var code: Code
  package var path: String

  package init(_ code: Code, path: String) {
    self.code = code
    self.path = path
  }

  package var description: String {
    switch code {
    case .binary:
      "\(path) is in none of the formats that can be read; see which they are with: stressmon import --help"
    case .badLine(let line) where line.reason != .noInterval:
      "\(path): \(line); choose the one to read with: --column NAME or --column N"
    case .badLine(let line):
      "\(path): \(line); mend the line, or add --skip-bad-lines to leave out such lines"
    case .noIntervals:
      "\(path) holds no RR interval: one per line or a table with a column of them is expected, in ms or s"
    case .malformed(let format, let place, let why):
      "\(path): \(place): \(why); it was read as \(format.name)"
    case .noBeats(let format): "\(path) holds no RR interval; it was read as \(format.name)"
    case .severalSessions(let format, let count):
      "\(path), a \(format.name), holds \(count) sessions, and one is wanted; store them with: stressmon import "
        + "\(path), then name one with: stressmon replay --session ID"
    case .wholeHistory:
      "\(path) is the database of a history; look into it with: stressmon history --db \(path)"
    case .tooLarge(let limit):
      "\(path) is larger than \(limit >> 20) MiB, too much for a list of RR intervals"
    }
  }
}

/// A position in a file.
package enum FilePlace: Equatable, Sendable, CustomStringConvertible {
  /// From 1.
  case line(Int)
  /// From 0.
  case byte(Int)

  package var description: String {
    switch self {
    case .line(let number): "line \(number)"
    case .byte(let offset): "byte \(offset)"
    }
  }
}
