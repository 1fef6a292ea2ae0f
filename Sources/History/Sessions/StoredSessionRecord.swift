internal import GRDB
package import HeartRate

/// A row of the table `session`, joined with its profile, the number of its rows and its strap.
private struct StoredSessionRecord: Decodable, FetchableRecord {
  var session: SessionRecord
  var profileName: FreeText
  var length: Int64
  var events: Int
  var measurements: Int
  var firstStrapAddress: FreeText?
  var firstStrapName: FreeText?
  var file: FreeText?

  enum CodingKeys: String, CodingKey {
    case events, measurements
    case profileName = "profile_name"
    case length = "length_ticks"
    case firstStrapAddress = "first_strap_address"
    case firstStrapName = "first_strap_name"
    case file = "imported_file"
  }

  init(from decoder: any Decoder) throws {
    session = try SessionRecord(from: decoder)
    let columns = try decoder.container(keyedBy: CodingKeys.self)
    profileName = try columns.decode(FreeText.self, forKey: .profileName)
    length = try columns.decode(Int64.self, forKey: .length)
    events = try columns.decode(Int.self, forKey: .events)
    measurements = try columns.decode(Int.self, forKey: .measurements)
    firstStrapAddress = try columns.decodeIfPresent(FreeText.self, forKey: .firstStrapAddress)
    firstStrapName = try columns.decodeIfPresent(FreeText.self, forKey: .firstStrapName)
    file = try columns.decodeIfPresent(FreeText.self, forKey: .file)
  }

  var info: SessionInfo { get throws(MalformedRow) { try session.info(profile: profileName.text) } }

  /// The strap of the session, else the first strap to which its link connected.
  var strap: StrapIdentity? { StrapIdentity(stored: firstStrapAddress, name: firstStrapName) }

  var stored: StoredSession {
    get throws(MalformedRow) {
      StoredSession(
        info: try info, outcome: try session.outcome.map(StoredSession.Outcome.init(stored:)),
        ended: session.ended.map { WallTime(microseconds: $0) }, length: SessionTime(ticks: length),
        events: events, measurements: measurements, strap: strap, file: file?.text)
    }
  }

  static let select = selection(
    events: "(SELECT count(*) FROM session_event WHERE session = s.number)",
    measurements: "(SELECT count(*) FROM measurement WHERE session = s.number)")

  /// Without the counts, which take most of the time.
  static let selectInfo = selection(events: "0", measurements: "0")

  private static func selection(events: String, measurements: String) -> String {
    """
    SELECT s.*, p.name AS profile_name,
      coalesce(s.ended_ticks,
        (SELECT ticks FROM session_event WHERE session = s.number ORDER BY sequence DESC LIMIT 1), 0) AS length_ticks,
      \(events) AS events, \(measurements) AS measurements,
      coalesce(s.strap_address, l.strap_address) AS first_strap_address,
      iif(s.strap_address IS NULL, l.strap_name, s.strap_name) AS first_strap_name,
      (SELECT file FROM import WHERE session = s.number) AS imported_file
    FROM session s JOIN profile p ON p.number = s.profile
      LEFT JOIN link_change l ON l.session = s.number AND l.sequence =
        (SELECT min(sequence) FROM link_change WHERE session = s.number AND strap_address IS NOT NULL)

    """
  }
}

extension SessionRecord {
  /// The end of `session s` in microseconds, in SQL: that of an open session is the time of its last event.
  static let end = """
    coalesce(s.ended_us,
      (SELECT s.started_us + ticks / 80 FROM session_event WHERE session = s.number ORDER BY sequence DESC LIMIT 1),
      s.started_us)
    """

  /// The sessions that fulfil a condition on `session s` and `profile p`.
  /// - Parameters:
  ///   - condition: May be followed by ORDER BY and LIMIT.
  ///   - isCounted: As of ``HistoryReader/sessions(of:matching:limit:isCounted:)``.
  static func sessions(
    _ db: Database, where condition: String, _ arguments: NamedArguments, isCounted: Bool = true
  ) throws -> [StoredSession] {
    let select = isCounted ? StoredSessionRecord.select : StoredSessionRecord.selectInfo
    return try StoredSessionRecord.fetchAll(db.statement(select + "WHERE " + condition, arguments)).map {
      try $0.stored
    }
  }

  /// Up to two sessions, of `profile` or of any profile, whose IDs begin with `prefix`, which contains only characters of
  /// ``SessionID``.
  static func beginning(_ db: Database, with prefix: String, of profile: String?) throws -> [StoredSession] {
    try sessions(
      db,
      where: """
        s.id >= :prefix AND s.id < :prefix || '~' AND (:profile IS NULL OR p.name = :profile)
        ORDER BY s.id LIMIT 2
        """, ["prefix": prefix, "profile": profile])
  }
}

extension HistoryReader {
  /// The newest sessions of `profile`, or of all profiles, newest first.
  package func sessions(of profile: String? = nil, limit: Int) throws(HistoryError) -> [StoredSession] {
    try read { db in
      try SessionRecord.sessions(
        db, where: ":profile IS NULL OR p.name = :profile ORDER BY s.id DESC LIMIT :limit",
        ["profile": profile, "limit": limit])
    }
  }

  /// The newest sessions of `profile` that match `filter`, newest first. A session matches if it overlaps the times of the
  /// filter and contains a measurement of its categories and confidence.
  /// - Parameter isCounted: Whether events and measurements are counted, which takes most of the time. Otherwise they are 0.
  package func sessions(
    of profile: String, matching filter: HistoryFilter, limit: Int, isCounted: Bool = true
  ) throws(HistoryError) -> [StoredSession] {
    try read { db in
      let condition = filter.sessionCondition(profile)
      return try SessionRecord.sessions(
        db, where: condition.sql + " ORDER BY s.started_us DESC, s.number DESC LIMIT :limit",
        condition.arguments(with: ["limit": limit]), isCounted: isCounted)
    }
  }

  /// The sessions of `profile` that overlap `times`, by time.
  package func sessions(of profile: String, in times: Range<WallTime>) throws(HistoryError) -> [StoredSession]
  {
    try read { db in
      let candidates = try SessionRecord.sessions(
        db,
        where: """
          p.name = :profile AND s.started_us < :until AND (s.ended_us IS NULL OR s.ended_us > :from) ORDER BY s.id
          """,
        [
          "profile": profile, "from": times.lowerBound.microseconds, "until": times.upperBound.microseconds,
        ])
      return candidates.filter { $0.info.started.advanced(ticks: $0.length.ticks) > times.lowerBound }
    }
  }

  /// The session, if any, whose ID begins with `prefix`, in capital or small letters. With `profile`, only its sessions match.
  /// - Throws: ``HistoryError`` with the code `ambiguous` if there are several.
  package func session(
    beginningWith prefix: String, of profile: String? = nil
  ) throws(HistoryError) -> StoredSession? {
    let prefix = prefix.uppercased()
    guard !prefix.isEmpty, SessionID.couldBegin(prefix) else { return nil }
    let found = try read { try SessionRecord.beginning($0, with: prefix, of: profile) }
    guard found.count < 2 else {
      throw HistoryError(.ambiguous, path: location.path, .read, detail: prefix)
    }
    return found.first
  }

  /// The info of `session`, without the time that counting its rows takes. Its strap is the first one to which its link
  /// connected if the session started without a strap.
  package func info(of session: SessionID) throws(HistoryError) -> SessionInfo? {
    try read { try SessionRecord.info($0, of: session) }
  }
}

extension SessionRecord {
  /// The info of `session`, see ``HistoryReader/info(of:)``.
  static func info(_ db: Database, of session: SessionID) throws -> SessionInfo? {
    let statement = try db.statement(
      StoredSessionRecord.selectInfo + "WHERE s.id = :id", ["id": session.text])
    guard let record = try StoredSessionRecord.fetchOne(statement) else { return nil }
    var info = try record.info
    info.strap = record.strap
    return info
  }
}
