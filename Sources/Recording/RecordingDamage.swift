import Platform

/// A place in a recording that could not be read as it was meant. What lies before and after it is kept.
package struct RecordingDamage: Error, Equatable, Sendable, CustomStringConvertible {
  package enum Reason: Equatable, Sendable {
    /// The last line was cut in the middle, as power loss or a full disk leaves it.
    case tornLastLine
    /// The last line lacks its line feed, but it is whole and was kept.
    case unterminatedLastLine
    /// That many bytes of zero, as power loss leaves them; what follows on the same line was still tried.
    case zeros(Int)
    /// A line longer than any that is written.
    case lineTooLong(limit: Int)
    /// Not one JSON object: what was expected, and at which byte of the line.
    case notJSON(expected: String, offset: Int)
    /// A type of line that this version of the format does not have.
    case unknownType(String?)
    /// A member that is missing or of no use.
    case badMember(String)
    /// An earlier time than the line before; the event was kept, at the time of the line before.
    case timeBackwards
    /// Another header: two recordings in one file. Nothing is read from here on.
    case secondHeader
    /// A line after the one that ends the session.
    case afterEnd
    /// A setting in the header that is of no use; the default stands in.
    case badSetting(String)
    /// Reading failed; what follows is not known.
    case unreadable(String)
  }

  /// The line, from 1 on; the header is line 1.
  package var line: Int
  package var reason: Reason

  package init(line: Int, _ reason: Reason) {
    self.line = line
    self.reason = reason
  }

  package var description: String {
    "line \(line): " + (isKept ? "" : "skipped: ") + what
  }

  private var isKept: Bool {
    switch reason {
    case .unterminatedLastLine, .timeBackwards, .badSetting, .zeros, .unreadable, .secondHeader: true
    default: false
    }
  }

  private var what: String {
    switch reason {
    case .tornLastLine: "the last line was cut off in the middle"
    case .unterminatedLastLine: "the last line has no line feed; it is whole and was kept"
    case .zeros(let count): "\(count) bytes of zero, as power loss leaves them"
    case .lineTooLong(let limit): "longer than \(limit) bytes"
    case .notJSON(let expected, let offset): "not a JSON object: expected \(expected) at byte \(offset)"
    case .unknownType(let type):
      type.map { "unknown type of line \"\($0.withoutControlCharacters)\"" } ?? "no type of line"
    case .badMember(let name): "\"\(name)\" is missing or cannot be used"
    case .timeBackwards: "its time is before that of the line before it, and was moved up to it"
    case .secondHeader: "another recording begins here; split the file there to read it"
    case .afterEnd: "it comes after the end of the session"
    case .badSetting(let name): "\"\(name)\" cannot be used; the default stands in"
    case .unreadable(let why): "reading failed, nothing is known of what follows: \(why)"
    }
  }
}
