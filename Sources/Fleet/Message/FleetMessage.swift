package import HeartRate
package import History
package import SessionData

/// A message of a session.
///
/// The text is the lines of `stressmon export --format jsonl`, with the code of the participant as the profile. Identical messages have
/// identical IDs, so that JetStream discards one that is sent twice within its time window. PostgreSQL discards older ones by session
/// and sequence number.
package struct FleetMessage: Sendable {
  package enum Content: Sendable {
    /// Settings and baseline of the session, before its first event.
    case begin(RecordingHeader, SessionProvenance)
    /// Consecutive events, with the sequence number of the first one.
    case events([SessionEvent], first: Int64)
    /// The end of the session, which has `events` events in total.
    case end(RecordingHeader, SessionProvenance, events: Int64)
  }

  package var session: SessionID
  /// The receiver that recorded the session.
  package var receiver: FleetCode
  package var content: Content
  /// Distinguishes a message that is published again, so that the stream does not discard it; nil the first time.
  package var repetition: Int64?

  /// The user deleted the events from this number up to the first one of ``content``; nil if they were published.
  package var deletedFrom: Int64?

  /// The greatest number of events of a message.
  package static let largestCount = 256
  /// The size in bytes from which a message gets no further event.
  package static let preferredSize = 64 * 1024
  /// The version of this format.
  package static let format = 1

  package init(session: SessionID, receiver: FleetCode, _ content: Content) {
    (self.session, self.receiver, self.content) = (session, receiver, content)
  }

  /// The value of `Nats-Msg-Id`: `SESSION/SEQUENCE`, `SESSION/FIRST-LAST`, `SESSION/begin` or `SESSION/end`, followed by
  /// `/REPETITION` if the message is published again.
  package var id: String { "\(session)/\(part)" + (repetition.map { "/\($0)" } ?? "") }

  private var part: String {
    switch content {
    case .begin: "begin"
    case .end: "end"
    case .events(let events, let first) where events.count == 1: "\(first)"
    case .events(let events, let first): "\(first)-\(first + Int64(events.count) - 1)"
    }
  }
}
