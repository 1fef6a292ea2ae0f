internal import HeartRate
internal import History
internal import SessionData

/// The content of several messages, grouped by session. A pure value: no database, no connection.
struct CollectedBatch {
  /// The content of one session of one receiver under one participant. Two groups of the same session are an error or a
  /// forgery, which only the stored session can resolve.
  struct Session {
    var id: SessionID
    var participant: FleetCode
    var receiver: FleetCode
    var strap: FleetCode
    /// The position of its first message in the stream.
    var first: StreamPosition
    /// Settings and baseline; of the first message that contains them.
    var header: CollectedHeader?
    var end: CollectedEnd?
    /// By sequence number, without duplicates.
    var events: [CollectedEvent] = []
    /// The sequence numbers of events that the receiver deleted before they were published.
    var deleted: [ClosedRange<Int64>] = []
  }

  private struct Key: Hashable {
    var session: SessionID
    var receiver: FleetCode
    var participant: FleetCode
  }

  /// A message of a later format, or without the key of its participant; it stays in the stream.
  struct Deferral: Equatable {
    var message: Int
    var format: Int
    /// The participant whose key is missing. A message of a later format has none.
    var missingKey: FleetCode?
  }

  /// A message that cannot be processed by any version.
  struct Rejection: Equatable {
    var message: Int
    var reason: String
  }

  private(set) var sessions: [Session] = []
  private(set) var rejections: [Rejection] = []
  private(set) var deferred: [Deferral] = []
  /// The position of each session in ``sessions``.
  private var index: [Key: Int] = [:]

  /// - Parameter opener: Decrypts the messages of participants with keys.
  init(_ messages: [CollectedMessage], study: FleetCode, opener: MessageOpener? = nil) {
    for (position, message) in messages.enumerated() {
      do throws(FleetMessageError) {
        try add(message, study, opener)
      } catch {
        switch error {
        case .newerFormat(let format):
          deferred.append(Deferral(message: position, format: format))
        case .missingKey(let participant):
          deferred.append(
            Deferral(message: position, format: FleetMessage.format, missingKey: participant))
        case .invalid: rejections.append(Rejection(message: position, reason: error.description))
        }
      }
    }
    for position in sessions.indices { sessions[position].sortEvents() }
  }

  private mutating func add(
    _ message: CollectedMessage, _ study: FleetCode, _ opener: MessageOpener?
  ) throws(FleetMessageError) {
    guard let subject = FleetSubject(message.subject), subject.study == study else {
      throw .invalid("its subject is not one of the study \(study)")
    }
    let body = try opener?.open(message, subject) ?? message.body
    let decoded = try FleetMessage(subject, header: { message.headers[$0] }, body: body[...])
    guard SessionDay.isStorable(decoded.session, at: message.published) else {
      throw .invalid(
        "the time of the session \(decoded.session) is in the future; correct the clock of the receiver")
    }
    let key = Key(
      session: decoded.session, receiver: subject.receiver, participant: subject.participant)
    let position = index[key] ?? sessions.count
    if position == sessions.count {
      index[key] = position
      sessions.append(
        Session(
          id: decoded.session, participant: subject.participant, receiver: subject.receiver,
          strap: subject.strap, first: message.position))
    }
    if message.position.precedes(sessions[position].first) { sessions[position].first = message.position }
    sessions[position].add(decoded, body)
  }
}

extension CollectedBatch {
  /// The messages that stay in the stream: those of erased participants are removed instead.
  func deferred(without erased: Set<FleetCode>, _ messages: [CollectedMessage]) -> [Deferral] {
    deferred.filter { part in messages[part.message].participant.map { !erased.contains($0) } ?? true }
  }
}

/// The header of a session, with the line that contains it.
struct CollectedHeader {
  var header: RecordingHeader
  var provenance: SessionProvenance
  var line: [UInt8]
}

struct CollectedEnd {
  var isFinished: Bool
  var ended: WallTime?
  var events: Int64
}

struct CollectedEvent: Equatable {
  var sequence: Int64
  var event: SessionEvent
}

extension CollectedBatch.Session {
  fileprivate mutating func add(_ message: FleetMessage, _ body: [UInt8]) {
    switch message.content {
    case .begin(let header, let provenance):
      setHeader(CollectedHeader(header: header, provenance: provenance, line: body))
    case .end(let header, let provenance, let count):
      setHeader(CollectedHeader(header: header, provenance: provenance, line: body))
      end = CollectedEnd(isFinished: provenance.isFinished ?? false, ended: provenance.ended, events: count)
    case .events(let received, let first):
      if let deletedFrom = message.deletedFrom { deleted.append(deletedFrom...first - 1) }
      for (offset, event) in received.enumerated() {
        events.append(CollectedEvent(sequence: first + Int64(offset), event: event))
      }
    }
  }

  private mutating func setHeader(_ new: CollectedHeader) { header = header ?? new }

  /// Of events with the same number, the first one counts. The sort is stable.
  fileprivate mutating func sortEvents() {
    let isSorted = zip(events, events.dropFirst()).allSatisfy { $0.sequence < $1.sequence }
    guard !isSorted else { return }
    events.sort { $0.sequence < $1.sequence }
    var last: Int64?
    events.removeAll { event in
      defer { last = event.sequence }
      return event.sequence == last
    }
  }
}

/// A message of the stream, independent of the connection that delivered it.
struct CollectedMessage {
  var subject: String
  var headers: [String: String]
  var body: [UInt8]
  /// Its position in the stream.
  var streamSequence: Int64
  /// The time at which the stream stored it.
  var published: WallTime

  static let headerNames = [
    FleetMessage.HeaderName.id, FleetMessage.HeaderName.format, FleetMessage.HeaderName.events,
    FleetMessage.HeaderName.deletedFrom, FleetMessage.HeaderName.key,
  ]

  var position: StreamPosition { StreamPosition(sequence: streamSequence, published: published) }

  /// The participant of the subject, if the subject is one of the fleet.
  var participant: FleetCode? { FleetSubject(subject)?.participant }
}
