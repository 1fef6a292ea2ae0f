internal import HeartRate
internal import History
internal import SessionData

/// Stores the sessions of one batch within a transaction, and processes the events that have become contiguous.
struct BatchWriter {
  private let lease: PartitionLease
  private(set) var cache: SessionCache
  /// The groups of messages whose session is stored for another receiver, participant or partition, with the reason of their rejection.
  private(set) var foreign: [(group: CollectedBatch.Session, reason: String)] = []
  /// The sessions of the batch that are stored.
  private var pending: [(session: CollectedBatch.Session, entry: SessionCache.Entry)] = []

  init(_ lease: PartitionLease, _ cache: SessionCache) { (self.lease, self.cache) = (lease, cache) }

  /// Stores headers, ends and events.
  /// - Returns: The number of events that were not stored before.
  mutating func store(
    _ sessions: [CollectedBatch.Session], _ connection: PostgreSQLConnection
  ) throws(PostgreSQLError) -> Int {
    let known = try SessionTable.rows(
      sessions.map(\.id).filter { !cache.contains($0) }, study: lease.study, connection)
    var rows = EventTable.newRows()
    var owners: [SessionID: CollectedBatch.Session] = [:]
    for session in sessions {
      if let owner = owners[session.id] {
        foreign.append((session, Self.reason(session, receiver: owner.receiver.text)))
        continue
      }
      var entry = try entry(session, known[session.id], connection)
      guard entry.receiver == session.receiver.text, entry.participant == session.participant.text,
        entry.partition ?? Int64(lease.partition) == Int64(lease.partition)
      else {
        cache.put(entry, for: session.id)
        foreign.append((session, Self.reason(session, receiver: entry.receiver)))
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
      for event in session.events { rows.append(EventTable.row(event, number: entry.number, day: day)) }
      owners[session.id] = session
      pending.append((session, entry))
    }
    return try EventTable.insert(rows, connection)
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

  /// Why a group of messages does not belong to a stored session.
  /// - Parameter receiver: The first receiver of the session, the only one that may add to it.
  private static func reason(_ group: CollectedBatch.Session, receiver: String) -> String {
    group.receiver.text == receiver
      ? "the session \(group.id) belongs to another participant or partition"
      : "the session \(group.id) belongs to the receiver \(receiver)"
  }

  private mutating func entry(
    _ session: CollectedBatch.Session, _ known: SessionTable.Row?, _ connection: PostgreSQLConnection
  ) throws(PostgreSQLError) -> SessionCache.Entry {
    if let entry = cache.take(session.id) { return entry }
    let row: SessionTable.Row
    if let known { row = known } else { row = try SessionTable.insert(session, of: lease, connection) }
    let progress = try Self.progress(session.id, row, connection)
    return SessionCache.Entry(
      number: row.number, participant: row.participant, receiver: row.receiver, partition: row.partition,
      highest: row.highest, progress: progress)
  }

  /// Restores the engine of a session from its stored events; nil without a header.
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
      let limit = min(EventTable.pageSize, end - progress.next)
      let page = try EventTable.page(
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
      number: entry.number, participant: entry.participant, receiver: entry.receiver,
      partition: entry.partition, next: 0, highest: entry.highest, totals: SessionTotals(), header: header)
  }
}

extension [CollectedEvent] {
  /// Whether the events include every number from `next` to the last one. Events that were processed before may precede them.
  fileprivate func continues(_ next: Int64) -> Bool {
    guard let first, let last else { return true }
    return first.sequence <= next && last.sequence - first.sequence + 1 == Int64(count)
  }
}
