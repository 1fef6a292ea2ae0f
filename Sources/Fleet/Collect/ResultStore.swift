internal import HeartRate

/// Writes the results of a batch.
enum ResultStore {
  static func insert(_ rows: ResultRows, _ connection: PostgreSQLConnection) throws(PostgreSQLError) -> Int {
    try insertBeats(rows.beats, connection)
    try insertMeasurements(rows.measurements, connection)
    try insert(
      rows.gaps,
      "INSERT INTO gap (session, ordinal, time, start_ticks, end_ticks, cause) SELECT * FROM unnest(\(rows.gaps.parameters))",
      connection)
    try insert(
      rows.marks,
      "INSERT INTO mark (session, sequence, time, ticks, text) SELECT * FROM unnest(\(rows.marks.parameters))",
      connection)
    try insert(
      rows.links,
      "INSERT INTO link_change (session, sequence, time, ticks, state, strap) SELECT * FROM unnest(\(rows.links.parameters))",
      connection)
    try insertMinutes(rows, connection)
    return rows.beats.count + rows.measurements.count + rows.gaps.count + rows.marks.count + rows.links.count
  }

  private static func insertBeats(_ beats: ColumnSet, _ connection: PostgreSQLConnection)
    throws(PostgreSQLError)
  {
    try insert(
      beats,
      """
      INSERT INTO beat (day, session, ordinal, time, ticks, rr_ticks, follows_break, verdict)
      SELECT date '1970-01-01' + d::int, s, o, t, k, r, f, v::verdict FROM unnest(\(beats.parameters)) AS x (d, s, o, t, k, r, f, v)
      """, connection)
  }

  private static func insertMeasurements(_ measurements: ColumnSet, _ connection: PostgreSQLConnection)
    throws(PostgreSQLError)
  {
    let names = MeasurementRow.names.joined(separator: ", ")
    try insert(
      measurements,
      """
      INSERT INTO measurement (day, session, time, \(names))
      SELECT date '1970-01-01' + d::int, s, t, \(names) FROM unnest(\(measurements.parameters)) AS x (d, s, t, \(names))
      """, connection)
  }

  private static func insert(
    _ rows: ColumnSet, _ sql: String, _ connection: PostgreSQLConnection
  ) throws(PostgreSQLError) {
    if rows.count > 0 { try connection.run(sql, rows.values) }
  }

  /// Adds to the minutes that earlier batches began.
  private static func insertMinutes(_ rows: ResultRows, _ connection: PostgreSQLConnection)
    throws(PostgreSQLError)
  {
    var set = ColumnSet([.integer, .time, .integer, .integer, .integer, .integer, .integer])
    for (key, sums) in rows.minutes {
      set.append([
        .integer(key.session), .time(.init(microseconds: key.minute)), .integer(sums.beats),
        .integer(sums.normalBeats),
        .integer(sums.normalTicks), .integer(sums.differences), .integer(sums.squaredDifferences),
      ])
    }
    let sums = ["beats", "normal_beats", "normal_ticks", "differences", "squared_differences"]
    try insert(
      set,
      """
      INSERT INTO minute (session, minute, \(sums.joined(separator: ", "))) SELECT * FROM unnest(\(set.parameters))
      ON CONFLICT (session, minute) DO UPDATE SET \(sums.map { "\($0) = minute.\($0) + excluded.\($0)" }.joined(separator: ", "))
      """, connection)
  }

  /// Writes how far the sessions are processed. Duplicates do not count as an update.
  /// - Throws: ``PostgreSQLError/PrivateState/changedSession`` if another transaction has removed one of the sessions.
  static func update(
    _ sessions: [(number: Int64, next: Int64, highest: Int64, totals: SessionTotals)],
    _ connection: PostgreSQLConnection
  ) throws(PostgreSQLError) {
    var set = ColumnSet(Array(repeating: .integer, count: 8))
    for session in sessions {
      let totals = session.totals
      set.append([
        .integer(session.number), .integer(session.next), .integer(session.highest), .integer(totals.beats),
        .integer(totals.normalBeats), .integer(totals.gaps), .integer(totals.rrTicks),
        .integer(totals.lastTicks),
      ])
    }
    guard set.count > 0 else { return }
    let updated = try connection.run(
      """
      UPDATE session SET next = x.next, highest = x.highest, beats = x.beats, normal_beats = x.normal_beats, gaps = x.gaps,
        rr_ticks = x.rr_ticks, last_ticks = x.last_ticks,
        updated = CASE WHEN session.next = x.next AND session.highest = x.highest THEN updated ELSE now() END
      FROM unnest(\(set.parameters)) AS x (number, next, highest, beats, normal_beats, gaps, rr_ticks, last_ticks)
      WHERE session.number = x.number
      """, set.values
    ).changedRows
    guard updated == sessions.count else { throw .changedSession }
  }
}
