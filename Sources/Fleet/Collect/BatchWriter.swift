internal import HeartRate
internal import History
internal import SessionData

/// Stores the sessions of one batch within a transaction, and processes the events that have become contiguous.
struct BatchWriter {
  private let lease: PartitionLease
  private(set) var cache: SessionCache
  /// A group of messages whose session is stored for another receiver, participant or partition.
  struct ForeignGroup {
    var group: CollectedBatch.Session
    /// Why it is rejected.
    var reason: String
    var conflict: SessionConflict?
  }

  private(set) var foreign: [ForeignGroup] = []
  /// The number of stored sessions that were rejected, because a message of another sender precedes them in the stream.
  private(set) var replaced = 0
  /// The sessions of the batch that are stored.
  private var pending: [(session: CollectedBatch.Session, entry: SessionCache.Entry)] = []

  init(_ lease: PartitionLease, _ cache: SessionCache) { (self.lease, self.cache) = (lease, cache) }

  /// Stores headers, ends and events. A session belongs to the sender of its first message in the stream, even if messages
  /// are processed in another order because they were delivered again.
  /// - Returns: The number of events that were not stored before.
  mutating func store(
    _ sessions: [CollectedBatch.Session], _ connection: PostgreSQLConnection
  ) throws(PostgreSQLError) -> Int {
    let known = try SessionTable.rows(
      sessions.map(\.id).filter { !cache.contains($0) }, study: lease.study, connection)
    var rows = FleetEventTable.newRows()
    var owners: [SessionID: SessionOwner] = [:]
    for session in sessions.sorted(by: { $0.first.sequence < $1.first.sequence }) {
      if let owner = owners[session.id] {
        reject(session, owner)
        continue
      }
      var entry = try entry(session, known[session.id], connection)
      let later = entry.owner.first.flatMap { session.first.precedes($0) ? $0 : nil }
      switch (entry.owner.sent(session, in: lease), later) {
      case (true, nil): break
      case (true, _?):
        try SessionTable.setFirst(session.first, number: entry.number, connection)
        entry.owner.first = session.first
      case (false, let later?): entry = try replace(entry, first: later, by: session, connection)
      case (false, nil):
        reject(session, entry.owner)
        cache.put(entry, for: session.id)
        continue
      }
      if let header = session.header, entry.progress == nil {
        try SessionTable.setHeader(header, number: entry.number, connection)
        entry.progress = try Self.progress(
          session.id, SessionTable.Row(entry, header: header.line), connection)
      }
      if let end = session.end { try SessionTable.setEnd(end, number: entry.number, connection) }
      let day = SessionDay.day(of: session.id)
      try DeletedRanges.insert(session.deleted, number: entry.number, connection)
      for event in session.events { rows.append(FleetEventTable.row(event, number: entry.number, day: day)) }
      owners[session.id] = entry.owner
      pending.append((session, entry))
    }
    return try FleetEventTable.insert(rows, connection)
  }

  /// Processes the events that follow the processed ones without a gap, and writes the results.
  /// - Returns: The number of rows.
  mutating func process(_ connection: PostgreSQLConnection) throws(PostgreSQLError) -> Int {
    let rows = ResultRows()
    var updates: [(number: Int64, next: Int64, highest: Int64, totals: SessionTotals)] = []
    for (session, before) in pending {
      var entry = before
      let isComplete = entry.highest == entry.next
      entry.highest = max(entry.highest, (session.events.last?.sequence ?? -1) + 1)
      if var progress = entry.progress {
        entry.progress = nil
        if isComplete, session.deleted.isEmpty, session.events.continues(progress.next) {
          for event in session.events where event.sequence >= progress.next {
            progress.update(event.event, rows)
          }
        } else {
          try Self.process(&progress, rows, connection)
        }
        entry.progress = progress
      }
      updates.append((entry.number, entry.next, entry.highest, entry.progress?.totals ?? SessionTotals()))
      cache.put(entry, for: session.id)
    }
    pending = []
    try ResultStore.update(updates, connection)
    return try ResultStore.insert(rows, connection)
  }

  private mutating func reject(_ group: CollectedBatch.Session, _ owner: SessionOwner) {
    foreign.append(
      ForeignGroup(
        group: group, reason: owner.reason(toReject: group.receiver.text, from: group.id),
        conflict: owner.conflict(with: group)))
  }

  /// Rejects a stored session, and inserts that of the sender whose message precedes it in the stream.
  private mutating func replace(
    _ claim: SessionCache.Entry, first: StreamPosition, by session: CollectedBatch.Session,
    _ connection: PostgreSQLConnection
  ) throws(PostgreSQLError) -> SessionCache.Entry {
    let owner = SessionOwner(participant: session.participant.text, receiver: session.receiver.text)
    try SessionTable.reject(
      claim.number, day: SessionDay.day(of: session.id), first: first,
      reason: owner.reason(toReject: claim.owner.receiver, from: session.id)
        + ", of whom an earlier message was processed later", connection)
    replaced += 1
    return try entry(session, nil, connection)
  }

  private mutating func entry(
    _ session: CollectedBatch.Session, _ known: SessionTable.Row?, _ connection: PostgreSQLConnection
  ) throws(PostgreSQLError) -> SessionCache.Entry {
    if let entry = cache.take(session.id) { return entry }
    let row: SessionTable.Row
    if let known { row = known } else { row = try SessionTable.insert(session, of: lease, connection) }
    let progress = try Self.progress(session.id, row, connection)
    return SessionCache.Entry(
      number: row.number, owner: row.owner, highest: row.highest, progress: progress)
  }

  /// Restores the engine of a session from its stored events, once its header was received.
  private static func progress(
    _ session: SessionID, _ row: SessionTable.Row, _ connection: PostgreSQLConnection
  ) throws(PostgreSQLError) -> SessionProgress? {
    guard let line = row.header else { return nil }
    let header = try SessionTable.header(line)
    let day = SessionDay.day(of: session)
    var progress = SessionProgress(
      number: row.number, day: day, started: header.started ?? SessionDay.start(day),
      settings: header.settings, baseline: header.baseline)
    try process(&progress, until: row.next, nil, connection)
    guard progress.next == row.next else {
      throw PostgreSQLError(
        state: PostgreSQLError.PrivateState.invalidStoredData,
        "stored events of the session \(session) are missing")
    }
    progress.totals = row.totals
    return progress
  }

  /// Processes stored events before the number `end`, up to the first missing one. Deleted events are skipped.
  private static func process(
    _ progress: inout SessionProgress, until end: Int64 = .max, _ rows: ResultRows?,
    _ connection: PostgreSQLConnection
  ) throws(PostgreSQLError) {
    while progress.next < end {
      let limit = min(FleetEventTable.pageSize, end - progress.next)
      let page = try FleetEventTable.page(
        day: progress.day, session: progress.number, from: progress.next, limit: limit, connection)
      for event in page where event.sequence < end {
        guard event.sequence == progress.next else { break }
        progress.update(event.event, rows)
      }
      if progress.next < end, page.count < limit || page.last?.sequence != progress.next - 1 {
        guard let last = try DeletedRanges.end(of: progress.next, number: progress.number, connection) else {
          return
        }
        progress.skip(to: last + 1)
      }
    }
  }
}

extension SessionTable.Row {
  /// A stored session whose header has just been received.
  fileprivate init(_ entry: SessionCache.Entry, header: [UInt8]) {
    self.init(
      number: entry.number, owner: entry.owner, next: 0, highest: entry.highest, totals: SessionTotals(),
      header: header)
  }
}

extension [CollectedEvent] {
  /// Whether the events include every number from `next` to the last one. Events that were processed before may precede them.
  fileprivate func continues(_ next: Int64) -> Bool {
    guard let first, let last else { return true }
    return first.sequence <= next && last.sequence - first.sequence + 1 == Int64(count)
  }
}
