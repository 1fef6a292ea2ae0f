internal import History
internal import Platform

/// A part of a session that is one message.
enum PublishedPart: Equatable, Sendable {
  case begin
  case events(ClosedRange<Int64>)
  case end
}

/// What to send next of a session.
enum SessionRequest: Equatable, Sendable {
  case begin
  /// The events from a sequence number on, up to a number of them.
  case events(from: Int64, limit: Int)
  case end
}

/// The publication of one session.
///
/// A failure of a message discards the messages after it as well: they are sent again, in order, with the same IDs, by which
/// the stream recognizes those that it stores. Times are ns of the boot clock.
struct SessionPublishing: Sendable {
  /// Events that are published one by one, because a live event must not wait for another. A longer backlog is published in
  /// batches.
  static let liveLimit: Int64 = 8

  private struct Sent: Sendable {
    var token: UInt64
    var part: PublishedPart
    var at: Int64
    var isAcknowledged = false
  }

  /// The latest state in the history. Its position is that of ``position``.
  private(set) var session: UnpublishedSession
  private(set) var position: PublishingPosition
  /// Whether ``position`` was not stored yet.
  private(set) var hasNewPosition = false
  /// The first event that was not sent.
  private var next: Int64
  /// In the order in which they were sent; the first one has no acknowledgement.
  private var sent: [Sent] = []
  private var backoff = Backoff()
  private var retryAt: Int64?

  init(_ session: UnpublishedSession) {
    (self.session, position, next) = (session, session.position, session.position.next)
  }

  var inFlight: Int { sent.count }
  /// Whether a message failed, and none was acknowledged since.
  var hasFailed: Bool { retryAt != nil }
  var isLive: Bool { !session.hasEnded }
  /// The number of events that are not acknowledged.
  var behind: Int64 { max(0, session.stored - position.next) }

  mutating func update(_ new: UnpublishedSession) { session = new }

  /// The next message, unless all messages were sent or are delayed.
  func request(at now: Int64) -> SessionRequest? {
    if let retryAt {
      // After a failure, one message is sent as a probe; the others wait for its acknowledgement.
      guard now >= retryAt, sent.isEmpty else { return nil }
    }
    if !position.hasBegun { return sent.isEmpty ? .begin : nil }
    if next < session.stored {
      let waiting = session.stored - next
      let isSingle = isLive && waiting <= Self.liveLimit
      return .events(from: next, limit: isSingle ? 1 : Int(min(waiting, Int64(FleetMessage.largestCount))))
    }
    return session.hasEnded && !position.isComplete && sent.isEmpty ? .end : nil
  }

  /// Whether ``request(at:)`` is part of a backlog rather than a live event.
  func isBacklog(_ request: SessionRequest) -> Bool {
    if case .events(_, let limit) = request { limit > 1 || !isLive } else { false }
  }

  mutating func sent(_ part: PublishedPart, token: UInt64, at now: Int64) {
    if case .events(let range) = part { next = range.upperBound + 1 }
    sent.append(Sent(token: token, part: part, at: now))
  }

  /// The events from `next` on were deleted.
  mutating func skipDeletedEvents() {
    next = session.stored
    if sent.isEmpty { advance(to: next) }
  }

  /// Records an acknowledgement. Returns the number of events by which the position advanced.
  mutating func acknowledged(_ token: UInt64) -> Int64 {
    guard let index = sent.firstIndex(where: { $0.token == token }) else { return 0 }
    sent[index].isAcknowledged = true
    retryAt = nil
    backoff.reset()
    let before = position.next
    while let first = sent.first, first.isAcknowledged {
      sent.removeFirst()
      switch first.part {
      case .begin: position.hasBegun = true
      case .events(let range): position.next = range.upperBound + 1
      case .end: position.isComplete = true
      }
      hasNewPosition = true
    }
    // Deleted events after the last acknowledged one have nothing to wait for.
    if sent.isEmpty, next > position.next { advance(to: next) }
    return position.next - before
  }

  /// Records a failure: all messages without acknowledgement are sent again after a delay that doubles up to 30 s.
  mutating func failed(at now: Int64) {
    retryAt = backoff.failed(at: now)
    rewind()
  }

  /// The connection was interrupted: all messages without acknowledgement are sent again.
  mutating func rewind() {
    sent = []
    next = position.next
  }

  /// Whether a message was sent before `deadline` and has no acknowledgement.
  func hasExpired(before deadline: Int64) -> Bool { sent.first.map { $0.at < deadline } ?? false }

  mutating func positionWasStored() { hasNewPosition = false }

  private mutating func advance(to sequence: Int64) {
    position.next = sequence
    hasNewPosition = true
  }
}
