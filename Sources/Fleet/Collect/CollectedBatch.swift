internal import HeartRate
internal import History
internal import SessionData

/// The content of several messages, grouped by session. A pure value: no database, no connection.
struct CollectedBatch {
  /// The content of one session.
  struct Session {
    var id: SessionID
    var participant: FleetCode
    var receiver: FleetCode
    var strap: FleetCode
    /// Settings and baseline; of the first message that contains them.
    var header: CollectedHeader?
    var end: CollectedEnd?
    /// By sequence number, without duplicates.
    var events: [CollectedEvent] = []
  }

  /// A message that cannot be processed by any version.
  struct Rejection: Equatable {
    var message: Int
    var reason: String
  }

  private(set) var sessions: [Session] = []
  private(set) var rejections: [Rejection] = []
  /// Positions of messages of a later format, with the reason; they stay in the stream.
  private(set) var newer: [(message: Int, reason: String)] = []
  /// For each position of a session in ``sessions``, the number of its messages.
  private var index: [SessionID: Int] = [:]

  init(_ messages: [CollectedMessage], study: FleetCode) {
    for (position, message) in messages.enumerated() {
      do throws(FleetMessageError) {
        try add(message, study)
      } catch {
        switch error {
        case .newerFormat: newer.append((position, error.description))
        case .invalid: rejections.append(Rejection(message: position, reason: error.description))
        }
      }
    }
    for position in sessions.indices { sessions[position].sortEvents() }
  }

  private mutating func add(_ message: CollectedMessage, _ study: FleetCode) throws(FleetMessageError) {
    guard let subject = FleetSubject(message.subject), subject.study == study else {
      throw .invalid("its subject is not one of the study \(study)")
    }
    let decoded = try FleetMessage(subject, header: { message.headers[$0] }, body: message.body[...])
    guard SessionDay.isStorable(decoded.session) else {
      throw .invalid("the time of the session \(decoded.session) is after the year 9999")
    }
    let position = index[decoded.session] ?? sessions.count
    if position == sessions.count {
      index[decoded.session] = position
      sessions.append(
        Session(
          id: decoded.session, participant: subject.participant, receiver: decoded.receiver,
          strap: subject.strap))
    }
    guard sessions[position].participant == subject.participant else {
      throw .invalid("the session \(decoded.session) belongs to another participant")
    }
    sessions[position].add(decoded.content, message.body)
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
  fileprivate mutating func add(_ content: FleetMessage.Content, _ body: [UInt8]) {
    switch content {
    case .begin(let header, let provenance):
      setHeader(CollectedHeader(header: header, provenance: provenance, line: body))
    case .end(let header, let provenance, let count):
      setHeader(CollectedHeader(header: header, provenance: provenance, line: body))
      end = CollectedEnd(isFinished: provenance.isFinished ?? false, ended: provenance.ended, events: count)
    case .events(let received, let first):
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
