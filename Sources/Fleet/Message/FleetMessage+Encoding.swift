internal import HeartRate
internal import JSONLines
internal import Recording
internal import SessionData

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
  /// The header without the name of the strap, which can contain that of its owner.
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
