import JSONLines
package import LiveSession

/// One line of a session, without its line feed.
package struct FeedLine: Equatable, Sendable {
  package let session: String
  /// Position of the line among the lines of the session, from 1.
  package let number: Int
  package let bytes: [UInt8]
  /// The decoded line, if it is part of a session.
  package let content: SessionLine?

  package init(session: String, number: Int, bytes: [UInt8]) {
    (self.session, self.number, self.bytes) = (session, number, bytes)
    content = SessionLine(bytes)
  }

  /// A line that is already decoded, of the session that it names.
  package init(_ content: SessionLine, number: Int, bytes: [UInt8]) {
    (session, self.number, self.bytes) = (content.session ?? "", number, bytes)
    self.content = content
  }

  package var text: String { String(decoding: bytes, as: UTF8.self) }
}

/// What a ``FeedReader`` receives from the live sessions.
package enum FeedEvent: Equatable, Sendable {
  /// The reader is connected to a session. The number of its next line is `lines + 1`.
  case began(FeedHello)
  case line(FeedLine)
  /// The connection to a session ended.
  case ended(session: String, End)

  package enum End: Equatable, Sendable {
    /// The session ended.
    case finished
    /// The connection ended without an end line: the process of the session was killed, or the session ended while the reader
    /// was disconnected from it.
    case lost
    /// The session disconnected the reader. A reader that fell behind connects again; ``lost`` follows if the session has ended.
    case disconnected(FeedDisconnection)
  }
}

/// Why a session disconnected a reader: the last line of such a connection.
package enum FeedDisconnection: String, Sendable, CaseIterable {
  /// The reader did not read in time, and its queue was full.
  case behind
  /// The session has the maximum number of readers.
  case tooManyReaders = "too-many-readers"

  static let type = "disconnect"

  /// The line with its line feed.
  var line: [UInt8] {
    var line = JSONLine()
    line.line { line in
      line.put("type", Self.type)
      line.put("reason", rawValue)
    }
    return line.bytes
  }

  /// Decodes the line of a disconnection. Fails for lines of other types.
  init?(_ object: JSONObject) {
    guard object.text("type") == Self.type, let reason = object.text("reason")
    else { return nil }
    self.init(rawValue: reason)
  }
}
