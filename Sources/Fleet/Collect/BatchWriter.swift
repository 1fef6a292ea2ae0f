internal import HeartRate
internal import History
internal import SessionData

/// Stores the sessions of one batch within a transaction, and processes the events that have become contiguous.
struct BatchWriter {
  private let study: Int64
  private(set) var cache: SessionCache
  /// Sessions that another participant has already.
  private(set) var foreign: [SessionID] = []
  /// The sessions of the batch that are stored.
  private var pending: [(session: CollectedBatch.Session, entry: SessionCache.Entry)] = []

  init(study: Int64, _ cache: SessionCache) { (self.study, self.cache) = (study, cache) }

  /// Stores headers, ends and events.
  /// - Returns: The number of events that were not stored before.
  mutating func store(
    _ sessions: [CollectedBatch.Session], _ connection: PostgreSQLConnection
  ) throws(PostgreSQLError) -> Int {
    let known = try SessionTable.rows(
      sessions.map(\.id).filter { !cache.contains($0) }, study: study, connection)
    var rows = EventStore.newRows()
    for session in sessions {
      var entry = try entry(session, known[session.id], connection)
      guard entry.participant == session.participant.text else {
        cache.put(entry, for: session.id)
        foreign.append(session.id)
        continue
      }
      if let header = session.header, entry.progress == nil {
        try SessionTable.setHeader(header, number: entry.number, connection)
        entry.progress = try Self.progress(
          session.id, SessionTable.Row(entry, header: header.line), connection)
      }
      if let end = session.end { try SessionTable.setEnd(end, number: entry.number, connection) }
      let day = SessionDay.day(of: session.id)
      for event in session.events { rows.append(EventStore.row(event, number: entry.number, day: day)) }
      pending.append((session, entry))
    }
    return try EventStore.insert(rows, connection)
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
        if isComplete, session.events.continues(progress.next) {
          for event in session.events where event.sequence >= progress.next {
            progress.update(event.event, rows)
          }
        } else {
          try Self.continueStored(&progress, rows, connection)
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

  private mutating func entry(
    _ session: CollectedBatch.Session, _ known: SessionTable.Row?, _ connection: PostgreSQLConnection
  ) throws(PostgreSQLError) -> SessionCache.Entry {
    if let entry = cache.take(session.id) { return entry }
    let row: SessionTable.Row
    if let known { row = known } else { row = try SessionTable.insert(session, study: study, connection) }
    let progress = try Self.progress(session.id, row, connection)
    return SessionCache.Entry(
      number: row.number, participant: row.participant, highest: row.highest, progress: progress)
  }

  /// Restores the engine of a session from its stored events; nil without a header.
  private static func progress(
    _ session: SessionID, _ row: SessionTable.Row, _ connection: PostgreSQLConnection
  ) throws(PostgreSQLError) -> SessionProgress? {
    guard let line = row.header else { return nil }
    let header = try SessionTable.header(line)
    let day = SessionDay.day(of: session)
    var progress = SessionProgress(
      number: row.number, day: day, started: header.started ?? WallTime(microseconds: day * 86_400_000_000),
      settings: header.settings, baseline: header.baseline)
    while progress.next < row.next {
      let limit = min(EventStore.pageSize, row.next - progress.next)
      let page = try EventStore.page(
        day: day, session: row.number, from: progress.next, limit: limit, connection)
      guard page.last?.sequence == progress.next + limit - 1 else {
        throw PostgreSQLError(state: "SM003", "stored events of the session \(session) are missing")
      }
      for event in page { progress.update(event.event, nil) }
    }
    progress.totals = row.totals
    return progress
  }

  /// Processes stored events up to the first gap.
  private static func continueStored(
    _ progress: inout SessionProgress, _ rows: ResultRows, _ connection: PostgreSQLConnection
  ) throws(PostgreSQLError) {
    while true {
      let page = try EventStore.page(
        day: progress.day, session: progress.number, from: progress.next, connection)
      for event in page {
        guard event.sequence == progress.next else { return }
        progress.update(event.event, rows)
      }
      guard page.count == Int(EventStore.pageSize) else { return }
    }
  }
}

extension SessionTable.Row {
  /// A stored session whose header has just been received.
  fileprivate init(_ entry: SessionCache.Entry, header: [UInt8]) {
    self.init(
      number: entry.number, participant: entry.participant, next: 0, highest: entry.highest,
      totals: SessionTotals(), header: header)
  }
}

extension [CollectedEvent] {
  /// Whether the events include every number from `next` to the last one. Events that were processed before may precede them.
  fileprivate func continues(_ next: Int64) -> Bool {
    guard let first, let last else { return true }
    return first.sequence <= next && last.sequence - first.sequence + 1 == Int64(count)
  }
}
