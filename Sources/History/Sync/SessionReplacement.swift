internal import GRDB
internal import HeartRate
internal import Stress

extension HistoryImport.Transaction {
  /// Begins to store a session whose events follow one by one; the events in `session` are not stored. If its ID is stored, its
  /// events and measurements are replaced; journal entries, exercises and morning readings of the session are kept.
  /// - Parameter session: Its fingerprint may be empty until the session is finished.
  /// - Returns: `nil` if the content is stored under another ID.
  package func appender(for session: ImportedSession) throws -> HistoryImport.SessionAppender? {
    guard let number = try SessionRecord.number(database, of: session.info.id) else {
      return try ImportRecord.duplicate(database, of: session) == nil ? insert(session) : nil
    }
    for table in ["session_event", "measurement", "motion_minute", "resting_window", "import"] {
      try database.run("DELETE FROM \(table) WHERE session = :number", ["number": number])
    }
    // Shared deletions of times are applied again.
    try database.run("DELETE FROM sync_cut WHERE session = lower(:id)", ["id": session.info.id.text])
    try database.run("UPDATE session SET rest_found = NULL WHERE number = :number", ["number": number])
    return try HistoryImport.SessionAppender(session, number: number, self)
  }
}

/// Computes the measurements of a stored session again from its events.
struct SessionRemeasurement {
  let database: Database
  let sampling: MeasurementSampling

  /// Replaces the measurements of a session. Those of a session with readings are computed at the times of its readings.
  func run(_ id: SessionID) throws {
    guard let number = try SessionRecord.number(database, of: id),
      let info = try SessionRecord.info(database, of: id)
    else { return }
    let readings = try ReadingTimes.stored(database, session: number)
    try database.run("DELETE FROM measurement WHERE session = :number", ["number": number])
    try database.run("DELETE FROM motion_minute WHERE session = :number", ["number": number])
    let profile = try ProfileTable.number(database, creating: info.profile)
    var measuring = try SessionMeasuring(
      database, info, number: number, profile: profile, sampling: sampling, readings: readings)
    var next: Int64 = 0
    while true {
      let page = try EventTable.page(database, session: id, from: next, limit: 512)
      guard let last = page.last else { break }
      for (_, event) in page { try measuring.update(event) }
      next = last.sequence + 1
    }
    try measuring.finish()
    try measuring.motion.write(database, session: number)
    try database.run(
      "UPDATE session SET engine = :engine WHERE number = :number",
      ["engine": StressEngine.version, "number": number])
  }
}
