internal import Crypto
internal import HeartRate
internal import History
internal import SessionArchive
internal import SessionData

/// Creates the messages of sessions from the history. It has no state: memory does not depend on the length of a session.
struct SessionMessages {
  let reader: HistoryReader
  let study: FleetCode
  let participants: Participants
  let receiver: FleetCode
  let secrets: MessageSecrets
  /// By the name of the profile.
  let sealers: [String: MessageSealer]
  let repetitions: Repetitions

  struct Message {
    var subject: FleetSubject
    var part: PublishedPart
    var message: FleetMessage
    /// Encrypts the message, if the participant has a ticket.
    var sealer: MessageSealer?

    /// The headers and the body to send.
    var encoded: (headers: [(name: String, value: String)], body: [UInt8]) {
      sealer?.seal(message, subject) ?? (message.headers, message.body)
    }
  }

  /// Creates a message, unless the session or its events were deleted.
  func message(
    for request: PublishingSchedule.Request, of session: UnpublishedSession
  ) throws(HistoryError) -> Message? {
    guard let participant = participants.byProfile[session.profile]?.code else { return nil }
    let sealer = sealers[session.profile]
    let strap = session.strap.map { StrapIdentity(address: sealer?.ticket.alias(ofStrap: $0) ?? $0) }
    let subject = FleetSubject(
      study: study, receiver: receiver, participant: participant, strap: strap)
    let id = sealer?.ticket.alias(of: request.session) ?? request.session
    guard let (part, content) = try content(request, participant, id) else { return nil }
    var message = FleetMessage(session: id, secret: secrets.secret(of: request.session), content)
    message.repetition = repetitions.suffix(of: request.session)
    if case .events(let requested, _) = request.content, case .events(let range) = part,
      requested < range.lowerBound
    {
      message.deletedFrom = requested
    }
    return Message(subject: subject, part: part, message: message, sealer: sealer)
  }

  /// - Parameter id: The ID of the session in messages.
  private func content(
    _ request: PublishingSchedule.Request, _ participant: FleetCode, _ id: SessionID
  ) throws(HistoryError) -> (PublishedPart, FleetMessage.Content)? {
    switch request.content {
    case .begin, .end:
      guard let stored = try reader.session(beginningWith: request.session.text) else { return nil }
      var header = stored.recordingHeader
      (header.profile, header.session) = (participant.text, id.text)
      let provenance = try stored.provenance(reader)
      guard request.content == .end else { return (.begin, .begin(header, provenance)) }
      return (.end, .end(header, provenance, events: Int64(stored.events)))
    case .events(let first, let limit):
      let page = try reader.events(of: request.session, from: first, limit: limit)
      guard let start = page.first?.sequence else { return nil }
      let events = Self.consecutive(page)
      return (
        .events(start...start + Int64(events.count) - 1), .events(events, first: start)
      )
    }
  }

  /// The first events without a gap in their sequence numbers, up to the preferred size of a message.
  static func consecutive(_ page: [(sequence: Int64, event: SessionEvent)]) -> [SessionEvent] {
    var events: [SessionEvent] = []
    var size = 0
    for (index, row) in page.enumerated() {
      guard row.sequence == page[0].sequence + Int64(index), size < FleetMessage.preferredSize else { break }
      events.append(row.event)
      size += estimatedSize(row.event)
    }
    return events
  }

  /// The size of the line of an event in bytes: hexadecimal or Base64 text, keys and times.
  private static func estimatedSize(_ event: SessionEvent) -> Int {
    switch event.kind {
    case .notification(let payload), .sensorFrame(let payload): 80 + 2 * payload.count
    case .mark(let text): 80 + 2 * text.utf8.count
    default: 160
    }
  }
}

/// The random part of the message IDs of each session.
///
/// JetStream acknowledges a message as a duplicate, and discards it, if it stored one with the same ID within the last ten
/// minutes, whichever receiver sent that one. With predictable IDs, a receiver could suppress the messages of the others.
struct MessageSecrets: Sendable {
  private let key = SymmetricKey(size: .bits256)

  /// 16 hexadecimal digits, the same ones for the same session.
  func secret(of session: SessionID) -> String {
    HMAC<SHA256>.authenticationCode(for: Array(session.text.utf8), using: key).prefix(8).hexadecimal
  }
}
