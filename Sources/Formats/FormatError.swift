/// The content of a file cannot be read: the reason and the remedy.
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
    /// Several sessions in a file that must contain one.
    case severalSessions(FileFormat, Int)
    /// A backup of a history instead of a session.
    case wholeHistory
    /// More beats in one session than are read.
    case tooManyBeats(limit: Int)
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
      "\(path) has an unknown format; list the supported formats with: stressmon import --help"
    case .badLine(let line): "\(path): \(line); \(line.remedy(path: path))"
    case .noIntervals:
      "\(path) contains no RR interval; expected one per line, or a table with a column of intervals, in ms or s"
    case .malformed(let format, let place, let why):
      "\(path): \(place): \(why); the file was read as \(format.name)"
    case .noBeats(let format): "\(path) contains no RR interval; the file was read as \(format.name)"
    case .severalSessions(let format, let count):
      "\(path), a \(format.name), contains \(count) sessions, but one is required; import them with: stressmon import "
        + "\(path), then select one with: stressmon replay --session ID"
    case .wholeHistory:
      "\(path) is the database of a history; show it with: stressmon history --db \(path)"
    case .tooManyBeats(let limit):
      "a session in \(path) has more than \(limit) beats, the limit; split the file"
    case .tooLarge(let limit):
      "\(path) is larger than \(limit >> 20) MiB, the limit for a list of RR intervals"
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
