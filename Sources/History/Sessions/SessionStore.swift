internal import GRDB
internal import HeartRate

/// Events and measurements of a session that are not stored yet.
struct SessionBatch: Sendable {
  var events: [SessionEvent] = []
  var measurements: [MeasurementSample] = []
  var motion = PendingMotion()
}

/// Writes batches of a session to the disk and keeps those that could not be written. Used by ``SessionWriter`` on its queue.
struct SessionStore {
  private let info: SessionInfo
  private let location: StoreLocation
  private let companions: [SessionID]
  private var open: OpenSession?
  /// Not durable yet. Its first event has the sequence number `storedEvents`, its first measurement is number
  /// `storedMeasurements` of the session.
  private var pending = SessionBatch()
  private var storedEvents = 0
  private var storedMeasurements = 0
  private var savedUpTo = SessionTime.zero
  private var end: SessionEnd?
  private var failure: HistoryError?
  private var isClosed = false
  /// Whether the history contains the session.
  private(set) var hasSession = false

  /// Short, because a failed commit is retried.
  private static let lockTimeout = Duration.seconds(1)

  init(_ info: SessionInfo, _ location: StoreLocation, _ companions: [SessionID] = []) {
    self.info = info
    self.location = location
    self.companions = companions
  }

  /// Adds `batch` to the pending data and writes all of them in one transaction. Keeps them if that fails.
  mutating func commit(_ batch: SessionBatch, _ end: SessionEnd?) -> SessionWriter.Status {
    guard !isClosed else { return status }
    pending.events += batch.events
    pending.measurements += batch.measurements
    pending.motion.add(batch.motion)
    self.end = end ?? self.end
    do throws(HistoryError) {
      try write()
      failure = nil
    } catch {
      open = nil
      failure = error
    }
    return status
  }

  /// Closes the history.
  /// - Returns: The events that could not be stored, or `nil` if all are durable.
  mutating func close() -> SessionWriter.Unsaved? {
    open = nil
    isClosed = true
    return failure.map { SessionWriter.Unsaved(error: $0, events: pending.events) }
  }

  private var status: SessionWriter.Status {
    failure.map { .waiting($0, events: pending.events.count) } ?? .saved(upTo: savedUpTo)
  }

  private mutating func write() throws(HistoryError) {
    if let open, !open.connection.isInPlace {
      self.open = nil
      throw HistoryError(.replaced, path: location.path, .write)
    }
    let open = if let open { open } else { try reopen() }
    self.open = open
    hasSession = try open.write(pending, firstEvent: storedEvents, end, started: info.started)
    drop(events: pending.events.count, measurements: pending.measurements.count)
    pending.motion.dropComplete()
  }

  /// A transaction whose COMMIT failed may be durable nevertheless. Data that are in the database are not written again.
  private mutating func reopen() throws(HistoryError) -> OpenSession {
    let open = try OpenSession(info, location, companions, lockTimeout: Self.lockTimeout)
    hasSession = true
    drop(
      events: open.storedEvents - storedEvents, measurements: open.storedMeasurements - storedMeasurements)
    return open
  }

  private mutating func drop(events: Int, measurements: Int) {
    let events = min(max(events, 0), pending.events.count)
    let measurements = min(max(measurements, 0), pending.measurements.count)
    if events > 0 { savedUpTo = pending.events[events - 1].at }
    pending.events.removeFirst(events)
    pending.measurements.removeFirst(measurements)
    storedEvents += events
    storedMeasurements += measurements
  }
}

/// A session in an open database.
private struct OpenSession {
  let connection: StoreConnection
  let storedEvents: Int
  let storedMeasurements: Int
  private let number: Int64
  private let profile: Int64

  /// Finds the session. If it is not stored yet, inserts it and closes open sessions of its profile whose program was
  /// killed.
  init(
    _ info: SessionInfo, _ location: StoreLocation, _ companions: [SessionID], lockTimeout: Duration
  ) throws(HistoryError) {
    connection = try StoreConnection.writable(location, lockTimeout: lockTimeout)
    (profile, number, storedEvents, storedMeasurements) = try connection.write { db in
      // 512 KiB: a session only appends to a few tables. The default cache of 2 MB would fill up within half a day.
      try db.execute(sql: "PRAGMA cache_size = -512")
      let profile = try ProfileTable.number(db, creating: info.profile)
      if let number = try SessionRecord.number(db, of: info.id) {
        let (events, measurements) = try SessionRecord.stored(db, number)
        return (profile, number, events, measurements)
      }
      let number = try SessionRecord.insert(db, info, profile: profile)
      try SessionRecord.closeInterrupted(db, profile: profile, except: [info.id] + companions)
      try QuarterHourTable.refresh(db)
      return (profile, number, 0, 0)
    }
  }

  /// - Returns: False if the session ended without data and was removed.
  func write(
    _ batch: SessionBatch, firstEvent: Int, _ end: SessionEnd?, started: WallTime
  ) throws(HistoryError) -> Bool {
    try connection.write { db in
      let events = try EventTable.Writer(db, session: number)
      for (index, event) in batch.events.enumerated() {
        try events.write(event, sequence: firstEvent + index)
      }
      if !batch.measurements.isEmpty {
        let measurements = try MeasurementTable.Writer(
          db, session: number, profile: profile, started: started)
        for sample in batch.measurements { try measurements.write(sample) }
        try QuarterHourTable.refresh(db)
      }
      try batch.motion.write(db, session: number)
      return try end.map { try SessionRecord.finish(db, number, $0) } ?? true
    }
  }
}
