internal import GRDB
internal import HeartRate

/// What a session brought since it was last asked.
struct SessionBatch: Sendable {
  var events: [SessionEvent] = []
  var measurements: [MeasurementSample] = []
}

/// The half of ``SessionWriter`` that touches the disk, and that keeps what is not on it yet.
struct SessionStore {
  private let info: SessionInfo
  private let location: StoreLocation
  private let companions: [SessionID]
  private var open: OpenSession?
  /// Not on the disk yet. The first of them are number `storedEvents` and `storedMeasurements` of the session.
  private var waiting = SessionBatch()
  private var storedEvents = 0
  private var storedMeasurements = 0
  private var savedUpTo = SessionTime.zero
  private var end: SessionEnd?
  private var failure: HistoryError?
  private var isClosed = false

  /// Short: while it waits for another program's lock, more comes in; and it is tried again.
  private static let patience = Duration.seconds(1)

  init(_ info: SessionInfo, _ location: StoreLocation, _ companions: [SessionID] = []) {
    self.info = info
    self.location = location
    self.companions = companions
  }

  /// Takes what came, and writes all that waits in one transaction.
  mutating func commit(_ batch: SessionBatch, _ end: SessionEnd?) -> SessionWriter.Status {
    guard !isClosed else { return status }
    waiting.events += batch.events
    waiting.measurements += batch.measurements
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

  /// Closes the history. What waits still is handed over.
  mutating func close() -> SessionWriter.Unsaved? {
    open = nil
    isClosed = true
    return failure.map { SessionWriter.Unsaved(error: $0, events: waiting.events) }
  }

  private var status: SessionWriter.Status {
    failure.map { .waiting($0, events: waiting.events.count) } ?? .saved(upTo: savedUpTo)
  }

  private mutating func write() throws(HistoryError) {
    if let open, !open.connection.isInPlace {
      self.open = nil
      throw HistoryError(.replaced, path: location.path, .write)
    }
    let open = if let open { open } else { try reopen() }
    self.open = open
    try open.write(waiting, firstEvent: storedEvents, end, started: info.started)
    drop(events: waiting.events.count, measurements: waiting.measurements.count)
  }

  /// A transaction whose end failed may be on the disk all the same: what is there is not written again.
  private mutating func reopen() throws(HistoryError) -> OpenSession {
    let open = try OpenSession(info, location, companions, patience: Self.patience)
    drop(
      events: open.storedEvents - storedEvents, measurements: open.storedMeasurements - storedMeasurements)
    return open
  }

  private mutating func drop(events: Int, measurements: Int) {
    let events = min(max(events, 0), waiting.events.count)
    let measurements = min(max(measurements, 0), waiting.measurements.count)
    if events > 0 { savedUpTo = waiting.events[events - 1].at }
    waiting.events.removeFirst(events)
    waiting.measurements.removeFirst(measurements)
    storedEvents += events
    storedMeasurements += measurements
  }
}

/// A session in an open history.
private struct OpenSession {
  let connection: StoreConnection
  let storedEvents: Int
  let storedMeasurements: Int
  private let number: Int64
  private let profile: Int64

  /// Finds the session, or begins it and closes those of its profile that a killed program left open.
  init(
    _ info: SessionInfo, _ location: StoreLocation, _ companions: [SessionID], patience: Duration
  ) throws(HistoryError) {
    connection = try StoreConnection.writable(location, patience: patience)
    (profile, number, storedEvents, storedMeasurements) = try connection.write { db in
      // In KiB: it only ever adds to the end of a few tables. SQLite would keep 2 MB, and fill them within half a day.
      try Query(db, "PRAGMA cache_size = -512").run()
      let profile = try SessionRow.profile(db, info.profile)
      if let number = try SessionRow.number(db, info.id) {
        let (events, measurements) = try SessionRow.stored(db, number)
        return (profile, number, events, measurements)
      }
      let number = try SessionRow.insert(db, info, profile: profile)
      try SessionRow.closeInterrupted(db, profile: profile, except: [info.id] + companions)
      try QuarterHourRow.refresh(db)
      return (profile, number, 0, 0)
    }
  }

  func write(
    _ batch: SessionBatch, firstEvent: Int, _ end: SessionEnd?, started: WallTime
  ) throws(HistoryError) {
    try connection.write { db in
      let events = try EventRow.Writer(db, session: number)
      for (place, event) in batch.events.enumerated() {
        try events.write(event, sequence: firstEvent + place)
      }
      for sample in batch.measurements {
        try MeasurementRow.insert(db, sample, session: number, profile: profile, started: started)
      }
      if !batch.measurements.isEmpty { try QuarterHourRow.refresh(db) }
      if let end { try SessionRow.finish(db, number, end) }
    }
  }
}
