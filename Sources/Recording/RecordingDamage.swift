import Platform

/// A line of a recording that could not be read as written. Lines before and after it are read.
package struct RecordingDamage: Error, Equatable, Sendable, CustomStringConvertible {
  package enum Reason: Equatable, Sendable {
    /// The last line is incomplete, after power loss or on a full disk.
    case tornLastLine
    /// The last line is complete but has no line feed; it is used.
    case unterminatedLastLine
    /// Number of zero bytes, as after power loss; the rest of the line is used if it is valid.
    case zeros(Int)
    /// A line longer than `limit` bytes.
    case lineTooLong(limit: Int)
    /// A syntax error in JSON: what was expected at which byte of the line.
    case notJSON(expected: String, offset: Int)
    /// A line type that this version of the format does not define.
    case unknownType(String?)
    /// A member that is missing or has an invalid value.
    case badMember(String)
    /// A member of the line protocol that is missing or has an invalid value, and the value that was expected.
    case unexpected(member: String, expected: String)
    /// An earlier time than the previous line; the event is used with the time of the previous line.
    case timeBackwards
    /// A second header: two recordings in one file. Reading stops here.
    case secondHeader
    /// A line after the end of the session.
    case afterEnd
    /// More beats than the limit. Reading stops here.
    case tooManyBeats(limit: Int)
    /// An invalid setting in the header; the default is used.
    case badSetting(String)
    /// A read error; the rest of the file is not read.
    case unreadable(String)
  }

  /// Line number from 1; the header is line 1.
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
    case .unterminatedLastLine, .timeBackwards, .badSetting, .zeros, .unreadable, .secondHeader,
      .tooManyBeats:
      true
    default: false
    }
  }

  private var what: String {
    switch reason {
    case .tornLastLine: "the last line is incomplete"
    case .unterminatedLastLine: "the last line has no line feed; it is complete and was kept"
    case .zeros(let count): "\(count) zero bytes, as after power loss"
    case .lineTooLong(let limit): "longer than \(limit) bytes"
    case .notJSON(let expected, let offset): "not a JSON object: expected \(expected) at byte \(offset)"
    case .unknownType(let type):
      type.map { "unknown line type \"\($0.withoutControlCharacters)\"" } ?? "no line type"
    case .badMember(let name): "\"\(name)\" is missing or invalid"
    case .unexpected(let name, let expected): "\"\(name)\": expected \(expected)"
    case .timeBackwards: "its time is earlier than that of the previous line, which is used instead"
    case .secondHeader: "another recording begins here; split the file there to read it"
    case .afterEnd: "it follows the end of the session"
    case .tooManyBeats(let limit): "the session has more than \(limit) beats, the limit; the rest is not read"
    case .badSetting(let name): "\"\(name)\" is invalid; the default is used"
    case .unreadable(let why): "reading failed; the rest of the file is unknown: \(why)"
    }
  }
}
