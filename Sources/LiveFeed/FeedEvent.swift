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
