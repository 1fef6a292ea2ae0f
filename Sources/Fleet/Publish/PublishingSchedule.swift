internal import History

/// Decides what to send next, over all sessions. It contains no I/O: times are ns of the boot clock, and equal inputs give
/// equal outputs.
struct PublishingSchedule: Sendable {
  /// The greatest number of messages without acknowledgement. Bounds the memory, also in the connection.
  static let window = 64
  /// The part of the window that backlogs may use. The rest is reserved for live events, which do not wait for backlogs.
  static let backlogWindow = 48
  /// The time after which a message without acknowledgement is sent again, in ns.
  static let timeout: Int64 = 10_000_000_000

  struct Request: Equatable, Sendable {
    var session: SessionID
    var content: SessionRequest
  }

  private var sessions: [SessionID: SessionPublishing] = [:]
  /// Live sessions first.
  private var order: [SessionID] = []
  private var owners: [UInt64: SessionID] = [:]
  private var latestToken: UInt64 = 0
  /// The number of events that are not acknowledged, of all sessions of the history.
  private(set) var behind: Int64 = 0
  /// The number of events that were acknowledged.
  private(set) var delivered: Int64 = 0

  /// Messages without acknowledgement.
  var inFlight: Int { sessions.values.reduce(0) { $0 + $1.inFlight } }
  /// Whether a message waits for another attempt.
  var hasFailures: Bool { sessions.values.contains(where: \.hasFailed) }
  /// Whether all that the history contained at the latest update was acknowledged.
  var isDone: Bool { order.allSatisfy { isDone($0) } }

  private func isDone(_ id: SessionID) -> Bool {
    guard let session = sessions[id] else { return true }
    return session.inFlight == 0 && session.behind == 0 && session.position.hasBegun
      && (session.isLive || session.position.isComplete)
  }

  /// The profile and the strap of a session.
  func session(_ id: SessionID) -> UnpublishedSession? { sessions[id]?.session }

  /// Adopts what the history contains. Its positions may be older than those of this value, which are stored later.
  mutating func update(_ unpublished: Unpublished) {
    behind = unpublished.events
    var kept: [SessionID: SessionPublishing] = [:]
    for new in unpublished.sessions {
      let id = new.position.session
      if var known = sessions[id] {
        known.update(new)
        behind -= max(0, known.position.next - new.position.next)
        kept[id] = known
      } else {
        kept[id] = SessionPublishing(new)
      }
    }
    for (id, session) in sessions where kept[id] == nil && (session.inFlight > 0 || session.hasNewPosition) {
      kept[id] = session
    }
    sessions = kept
    order = unpublished.sessions.map(\.position.session)
    order += kept.keys.filter { !order.contains($0) }.sorted()
  }

  /// The next message to send, unless the window is full, or all messages were sent or are delayed.
  mutating func next(at now: Int64) -> Request? {
    let count = inFlight
    guard count < Self.window else { return nil }
    for (index, id) in order.enumerated() {
      guard let session = sessions[id], let content = session.request(at: now) else { continue }
      if count >= Self.backlogWindow, session.isBacklog(content) { continue }
      rotate(index, isLive: session.isLive)
      return Request(session: id, content: content)
    }
    return nil
  }

  /// Moves a live session behind the others: all of them progress in turn.
  private mutating func rotate(_ index: Int, isLive: Bool) {
    guard isLive else { return }
    let live = order.firstIndex { sessions[$0]?.isLive != true } ?? order.count
    guard index < live else { return }
    order.insert(order.remove(at: index), at: live - 1)
  }

  /// Records that a message was sent. Returns its token.
  mutating func sent(_ part: PublishedPart, of id: SessionID, at now: Int64) -> UInt64 {
    latestToken += 1
    owners[latestToken] = id
    sessions[id]?.sent(part, token: latestToken, at: now)
    return latestToken
  }

  mutating func skipDeletedEvents(of id: SessionID) { sessions[id]?.skipDeletedEvents() }

  /// The session was deleted.
  mutating func remove(_ id: SessionID) {
    sessions[id] = nil
    order.removeAll { $0 == id }
  }

  /// Records an answer. An answer to a message that was given up has no effect.
  /// - Returns: The session of the message.
  @discardableResult
  mutating func receive(_ result: PublishResult, at now: Int64) -> SessionID? {
    guard let id = owners.removeValue(forKey: result.token) else { return nil }
    switch result.outcome {
    case .stored:
      let advance = sessions[id]?.acknowledged(result.token) ?? 0
      delivered += advance
      behind = max(0, behind - advance)
    case .rejected, .unstoredDuplicate: fail(id, at: now)
    }
    return id
  }

  /// Gives up the messages of `id` that have no acknowledgement, and sends them again later.
  mutating func fail(_ id: SessionID, at now: Int64) {
    sessions[id]?.failed(at: now)
    owners = owners.filter { $0.value != id }
  }

  /// Gives up all messages that have no acknowledgement, and sends them again later.
  mutating func failAll(at now: Int64) {
    for (id, session) in sessions where session.inFlight > 0 { fail(id, at: now) }
  }

  /// Gives up messages that have no acknowledgement within ``timeout``. Returns whether there were any.
  mutating func expire(at now: Int64) -> Bool {
    let expired = sessions.filter { $0.value.hasExpired(before: now - Self.timeout) }.keys
    for id in expired { fail(id, at: now) }
    return !expired.isEmpty
  }

  /// The connection was interrupted, and with it all messages without acknowledgement.
  mutating func interrupted() {
    owners = [:]
    for id in sessions.keys { sessions[id]?.rewind() }
  }

  /// The positions that were not stored yet.
  var newPositions: [PublishingPosition] {
    sessions.values.filter(\.hasNewPosition).map(\.position).sorted { $0.session < $1.session }
  }

  mutating func positionsWereStored() {
    for id in sessions.keys { sessions[id]?.positionWasStored() }
  }
}
