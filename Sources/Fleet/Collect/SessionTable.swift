internal import HRV
internal import HeartRate
internal import History
internal import Recording
internal import SessionData
internal import Stress

/// The table `session`, as a collector uses it.
enum SessionTable {
  /// What a collector needs to continue a session.
  struct Row {
    var number: Int64
    var owner: SessionOwner
    var next: Int64
    var highest: Int64
    var totals: SessionTotals
    /// The line with settings and baseline, once received.
    var header: [UInt8]?
  }

  static func rows(
    _ sessions: [SessionID], study: Int64, _ connection: PostgreSQLConnection
  ) throws(PostgreSQLError) -> [SessionID: Row] {
    var ids = PostgreSQLArray(.text)
    for session in sessions { ids.append(.text(session.text)) }
    let result = try connection.run(
      """
      SELECT s.id, s.number, p.code, s.next, s.highest, s.beats, s.normal_beats, s.gaps, s.rr_ticks, s.last_ticks, s.header, s.partition,
        r.code, s.first_stream_sequence, s.first_published
      FROM session s JOIN participant p ON p.number = s.participant JOIN receiver r ON r.number = s.receiver
      WHERE s.id = ANY ($1) AND s.study = $2
      """, [.array(ids), .integer(study)])
    var rows: [SessionID: Row] = [:]
    for row in 0..<result.count {
      guard let id = SessionID(result.text(row, 0)) else { continue }
      rows[id] = Row(
        number: result.integer(row, 1), owner: owner(result, row), next: result.integer(row, 3),
        highest: result.integer(row, 4),
        totals: SessionTotals(
          beats: result.integer(row, 5), normalBeats: result.integer(row, 6), gaps: result.integer(row, 7),
          rrTicks: result.integer(row, 8), lastTicks: result.integer(row, 9)),
        header: result.isNull(row, 10) ? nil : result.bytes(row, 10))
    }
    return rows
  }

  private static func owner(_ result: PostgreSQLResult, _ row: Int) -> SessionOwner {
    var owner = SessionOwner(
      participant: result.text(row, 2), receiver: result.text(row, 12),
      partition: result.integerOrNil(row, 11))
    if let sequence = result.integerOrNil(row, 13), let published = result.timeOrNil(row, 14) {
      owner.first = StreamPosition(sequence: sequence, published: published)
    }
    return owner
  }

  /// Inserts a session without its header.
  static func insert(
    _ session: CollectedBatch.Session, of lease: PartitionLease, _ connection: PostgreSQLConnection
  ) throws(PostgreSQLError) -> Row {
    let study = lease.study
    for (table, code) in [("participant", session.participant), ("receiver", session.receiver)] {
      try connection.run(
        "INSERT INTO \(table) (study, code) VALUES ($1::int, $2) ON CONFLICT DO NOTHING",
        [.integer(study), .text(code.text)])
    }
    let result = try connection.run(
      """
      INSERT INTO session (id, study, participant, receiver, day, strap, partition, first_stream_sequence, first_published)
      SELECT $1, $2::int, p.number, r.number, date '1970-01-01' + $5::int, nullif($6, 'none'), $7::smallint, $8, $9
      FROM participant p JOIN receiver r USING (study) WHERE p.study = $2 AND p.code = $3 AND r.code = $4
      RETURNING number
      """,
      [
        .text(session.id.text), .integer(study), .text(session.participant.text),
        .text(session.receiver.text),
        .integer(SessionDay.day(of: session.id)), .text(session.strap.text), .integer(Int64(lease.partition)),
        .integer(session.first.sequence), .time(session.first.published),
      ])
    return Row(
      number: result.integer(0, 0),
      owner: SessionOwner(
        participant: session.participant.text, receiver: session.receiver.text,
        partition: Int64(lease.partition), first: session.first),
      next: 0, highest: 0, totals: SessionTotals())
  }

  static func setHeader(
    _ collected: CollectedHeader, number: Int64, _ connection: PostgreSQLConnection
  ) throws(PostgreSQLError) {
    let (header, baseline) = (collected.header, collected.header.baseline)
    try connection.run(
      """
      UPDATE session SET header = $2, started = $3, zone = $4, source = $5, window_s = $6, metric = $7, classification = $8,
        baseline_rmssd_ms = $9, baseline_sdnn_ms = $10, baseline_resting_hr_bpm = $11, baseline_days = $12,
        baseline_origin = $13, program_version = $14, engine = $15::int
      WHERE number = $1 AND header IS NULL
      """,
      [
        .integer(number), .bytes(collected.line), .time(header.started), .text(header.zone),
        .text(collected.provenance.source), .real(SessionTime(ticks: header.settings.window.ticks).seconds),
        .text(header.settings.metric.rawValue), .text(header.settings.classification.rawValue),
        .real(baseline.rmssd),
        .real(baseline.sdnn), .real(baseline.restingHeartRate), .real(baseline.days),
        .text(baseline.origin.rawValue),
        .text(header.program), .integer(header.engine.map { Int64(Int32(clamping: $0)) }),
      ])
  }

  /// Sets the end, unless the session has one.
  static func setEnd(
    _ end: CollectedEnd, number: Int64, _ connection: PostgreSQLConnection
  ) throws(PostgreSQLError) {
    try connection.run(
      "UPDATE session SET ended = coalesce($2, now()), outcome = $3, total = $4 WHERE number = $1 AND outcome IS NULL",
      [
        .integer(number), .time(end.ended), .text(end.isFinished ? "finished" : "interrupted"),
        .integer(end.events),
      ])
  }

  /// The header of a stored line.
  static func header(_ line: [UInt8]) throws(PostgreSQLError) -> RecordingHeader {
    guard let header = session(line)?.header else {
      throw PostgreSQLError(
        state: PostgreSQLError.PrivateState.invalidStoredData, "a stored header of a session is not valid")
    }
    return header
  }

  /// The session of a stored line, without events. Fails if the line is not a header.
  static func session(_ line: [UInt8]) -> FileSession? {
    var parser = SessionLineParser(path: "session")
    parser.append(line[...])
    if let parsed = try? parser.next(), case .header(let session) = parsed { return session }
    return nil
  }
}
