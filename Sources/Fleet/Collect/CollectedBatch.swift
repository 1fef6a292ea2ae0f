internal import HeartRate
internal import History
internal import SessionData

/// The content of several messages, grouped by session. A pure value: no database, no connection.
struct CollectedBatch {
  /// The content of one session of one receiver under one participant. Two groups of the same session are an error or a forgery, which
  /// only the stored session can resolve.
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
    /// The sequence numbers of events that the receiver deleted before they were published.
    var deleted: [ClosedRange<Int64>] = []
  }

  private struct Key: Hashable {
    var session: SessionID
    var receiver: FleetCode
    var participant: FleetCode
  }

  /// A message of a later format; it stays in the stream.
  struct Newer: Equatable {
    var message: Int
    var format: Int
  }

  /// A message that cannot be processed by any version.
  struct Rejection: Equatable {
    var message: Int
    var reason: String
  }

  private(set) var sessions: [Session] = []
  private(set) var rejections: [Rejection] = []
  private(set) var newer: [Newer] = []
  /// The position of each session in ``sessions``.
  private var index: [Key: Int] = [:]

  init(_ messages: [CollectedMessage], study: FleetCode) {
    for (position, message) in messages.enumerated() {
      do throws(FleetMessageError) {
        try add(message, study)
      } catch {
        switch error {
        case .newerFormat(let format):
          newer.append(Newer(message: position, format: format))
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
          strap: subject.strap))
    }
    sessions[position].add(decoded, message.body)
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
