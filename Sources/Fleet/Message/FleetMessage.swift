package import HeartRate
package import History
internal import JSONLines
internal import Recording
package import SessionData

/// A message of a session.
///
/// The text is the lines of `stressmon export --format jsonl`, with the code of the participant as the profile. The subject
/// identifies the receiver (``FleetSubject``). Duplicates are discarded twice: a message that the same program sends again
/// has the same ID, by which JetStream recognizes it within its time window, and PostgreSQL compares session and sequence
/// number.
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
  /// The part of ``id`` that other receivers cannot predict; see ``MessageSecrets``.
  package var secret: String
  package var content: Content
  /// Distinguishes a message that is published again. Without it, the stream would discard the message as a duplicate.
  package var repetition: Int64?

  /// The user deleted the events from this number up to the first one of ``content`` before they were published.
  package var deletedFrom: Int64?

  /// The greatest number of events of a message.
  package static let largestCount = 256
  /// The size in bytes from which a message gets no further event.
  package static let preferredSize = 64 * 1024
  /// The latest version of the format, whose body is encrypted to the participant (``MessageCipher``).
  package static let format = 3
  /// The version of messages of participants without a key, whose body is plain text. Version 1 had the receiver in a header,
  /// which every receiver could forge.
  package static let plainFormat = 2
  /// Later formats up to this distance can be those of a newer version of the program.
  static let plausibleFormats = 16

  package init(session: SessionID, secret: String, _ content: Content) {
    (self.session, self.secret, self.content) = (session, secret, content)
  }

  /// The value of `Nats-Msg-Id`: `SESSION/PART/SECRET`, followed by `/REPETITION` if the message is published again. `PART` is
  /// `SEQUENCE`, `FIRST-LAST`, `begin` or `end`.
  package var id: String { "\(session)/\(part)/\(secret)" + (repetition.map { "/\($0)" } ?? "") }

  private var part: String {
    switch content {
    case .begin: "begin"
    case .end: "end"
    case .events(let events, let first) where events.count == 1: "\(first)"
    case .events(let events, let first): "\(first)-\(first + Int64(events.count) - 1)"
    }
  }
}

extension FleetMessage {
  /// The names of the headers.
  enum HeaderName {
    static let id = "Nats-Msg-Id"
    static let format = "Stressmon-Format"
    static let events = "Stressmon-Events"
    static let deletedFrom = "Stressmon-Deleted-From"
    /// The public key of the receiver; see ``MessageCipher``.
    static let key = "Stressmon-Key"

    /// The headers that the encryption of a body authenticates.
    static let authenticated = [id, format, events, deletedFrom]
  }

  /// The headers of an unencrypted message.
  package var headers: [(name: String, value: String)] { headers(format: Self.plainFormat) }

  /// The headers, in the order in which they are sent.
  func headers(format: Int) -> [(name: String, value: String)] {
    var headers = [(name: HeaderName.id, value: id), (name: HeaderName.format, value: "\(format)")]
    if case .end(_, _, let events) = content {
      headers.append((name: HeaderName.events, value: "\(events)"))
    }
    if let deletedFrom { headers.append((name: HeaderName.deletedFrom, value: "\(deletedFrom)")) }
    return headers
  }

  /// The bytes of the message: a header, or one line per event. Names of straps are omitted.
  package var body: [UInt8] {
    var line = JSONLine()
    switch content {
    case .begin(let header, let provenance), .end(let header, let provenance, _):
      SessionLines.write(header.withoutNames, provenance, to: &line)
    case .events(let events, _):
      for event in events { SessionLines.write(event.withoutNames, to: &line) }
    }
    return line.bytes
  }
}

extension RecordingHeader {
  /// The header without the name of the strap: such a name often contains the name of the wearer.
  fileprivate var withoutNames: RecordingHeader {
    var header = self
    header.strap?.name = nil
    return header
  }
}

extension SessionEvent {
  /// The event without the name of the strap and the reason of the system, which are free text.
  fileprivate var withoutNames: SessionEvent {
    guard case .link(var change) = kind else { return self }
    change.strap?.name = nil
    change.reason = nil
    return SessionEvent(at: at, wall: wall, .link(change))
  }
}
