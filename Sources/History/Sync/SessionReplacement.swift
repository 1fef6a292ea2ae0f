internal import GRDB
internal import HeartRate
internal import Stress

extension HistoryImport.Transaction {
  /// Replaces the events and the measurements of a stored session by those of a more complete copy. Journal entries, exercises and
  /// readings of the session are kept.
  /// - Returns: False if the session is not stored.
  package func replace(_ session: ImportedSession) throws -> Bool {
    guard let number = try SessionRecord.number(database, of: session.info.id) else { return false }
    let profile = try ProfileTable.number(database, creating: session.info.profile)
    for table in ["session_event", "measurement", "motion_minute", "resting_window", "import"] {
      try database.run("DELETE FROM \(table) WHERE session = :number", ["number": number])
    }
    // Shared deletions of times are applied again.
    try database.run("DELETE FROM sync_cut WHERE session = lower(:id)", ["id": session.info.id.text])
    try database.run("UPDATE session SET rest_found = NULL WHERE number = :number", ["number": number])
    try ImportRecord(session, number: number, at: time).store(in: database)
    _ = try write(session, number: number, profile: profile)
    try end(session, number: number)
    return true
  }
}

/// Computes the measurements of a stored session again from its events.
struct SessionRemeasurement {
  let database: Database
  let sampling: MeasurementSampling

  /// Replaces the measurements of a session. Those of a session with readings are kept: they cannot be computed from its events.
  func run(_ id: SessionID) throws {
    guard let number = try SessionRecord.number(database, of: id), try !hasReadings(number),
      let info = try SessionRecord.info(database, of: id)
    else { return }
    try database.run("DELETE FROM measurement WHERE session = :number", ["number": number])
    try database.run("DELETE FROM motion_minute WHERE session = :number", ["number": number])
    let profile = try ProfileTable.number(database, creating: info.profile)
    var measuring = try SessionMeasuring(
      database, info, number: number, profile: profile, sampling: sampling)
    var next: Int64 = 0
    while true {
      let page = try EventTable.page(database, session: id, from: next, limit: 512)
      guard let last = page.last else { break }
      for (_, event) in page { try measuring.update(event) }
      next = last.sequence + 1
    }
    try measuring.motion.write(database, session: number)
    try database.run(
      "UPDATE session SET engine = :engine WHERE number = :number",
      ["engine": StressEngine.version, "number": number])
  }

  private func hasReadings(_ number: Int64) throws -> Bool {
    let found = try database.statement(
      "SELECT EXISTS (SELECT 1 FROM measurement WHERE session = :number AND is_reading)", ["number": number])
    return try Int.fetchOne(found) != 0
  }
}
