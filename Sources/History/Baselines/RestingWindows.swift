internal import GRDB
package import HRV
internal import HeartRate
internal import Stress

/// A new row of the table `resting_window`: one minute of rest in a session. Rows are read by ``RestingWindowTable``.
struct RestingWindowRecord: Encodable, PersistableRecord {
  static let databaseTableName = "resting_window"

  /// Number of the session.
  var session: Int64
  var ticks: Int64
  /// Local day, in days since 1970-01-01.
  var day: Int
  var heartRate: Double
  var rmssd: Double
  var sdnn: Double

  enum CodingKeys: String, CodingKey {
    case session, ticks, day
    case heartRate = "hr_bpm"
    case rmssd = "rmssd_ms"
    case sdnn = "sdnn_ms"
  }
}

// MARK: - Reading

/// Reads the table `resting_window`. Uses ``RawStatement`` for speed.
enum RestingWindowTable {
  /// The columns of ``select``, in its order.
  private enum Column: CInt {
    case session, ticks, day, heartRate, rmssd, sdnn, started, utcOffset
  }

  /// The windows `w` and their sessions `s` that count for the profile `:profile`. Windows of simulated sessions count only
  /// for a profile without other sessions.
  private static let select = """
    SELECT w.session, w.ticks, w.day, w.hr_bpm, w.rmssd_ms, w.sdnn_ms, s.started_us, s.utc_offset_s
    FROM resting_window w JOIN session s ON s.number = w.session JOIN profile p ON p.number = s.profile
    WHERE p.name = :profile
      AND (s.source <> 'simulated'
        OR NOT EXISTS (SELECT 1 FROM session o WHERE o.profile = s.profile AND o.source <> 'simulated'))
    """

  /// A row of ``select``.
  private struct Row {
    var session: Int64
    var window: RestingWindow
    var day: Int
    /// Local time of the end of the window, in seconds since 1970-01-01T00:00 of the local clock.
    var localEnd: Int

    init(_ row: RawRow) {
      session = row.integer(Column.session)
      window = RestingWindow(
        time: SessionTime(ticks: row.integer(Column.ticks)), heartRate: row.real(Column.heartRate),
        rmssd: row.real(Column.rmssd), sdnn: row.real(Column.sdnn))
      day = Int(row.integer(Column.day))
      let started = WallTime(microseconds: row.integer(Column.started))
      let end = started.advanced(ticks: window.time.ticks).microseconds / 1_000_000
      localEnd = Int(end + row.integer(Column.utcOffset))
    }
  }

  /// The estimator of the baseline of `profile`, with all windows up to the local day `today`.
  static func estimator(_ db: Database, _ profile: String, today: Int) throws -> BaselineEstimator {
    let rows = try RawStatement(
      db,
      """
      \(select) AND w.day <= :today AND s.started_us >= coalesce(p.learns_since_us, s.started_us)
      ORDER BY s.number, w.ticks
      """, ["profile": profile, "today": today]
    ).all(Row.init)
    var estimator = BaselineEstimator()
    for session in Dictionary(grouping: rows, by: \.session).values {
      let nights = NightRest.isNight(session.map(\.localEnd))
      for (row, isNight) in zip(session, nights) {
        estimator.append(row.window, day: row.day, isNight: isNight)
      }
    }
    return estimator
  }

  /// The resting minutes of the latest 90 days of `profile` that contain rest.
  static func minutes(_ db: Database, profile: String) throws -> [RestingMinute] {
    try RawStatement(
      db,
      """
      WITH own AS (\(select))
      SELECT * FROM own WHERE day > (SELECT max(day) FROM own) - 90 ORDER BY session, ticks
      """, ["profile": profile]
    ).all { row in
      RestingMinute(
        session: row.integer(Column.session), end: SessionTime(ticks: row.integer(Column.ticks)),
        rmssd: row.real(Column.rmssd), heartRate: row.real(Column.heartRate))
    }
  }
}

extension HistoryReader {
  /// The variation of RMSSD of `profile` within a rest, from the resting minutes of its latest 90 days; the population
  /// default without such minutes.
  package func restVariability(of profile: String) throws(HistoryError) -> RestVariability {
    try read { RestVariability(minutes: try RestingWindowTable.minutes($0, profile: profile)) }
  }
}

// MARK: - Writing

extension RestingWindowRecord {
  /// Replaces the windows of a session and marks it as searched.
  static func replace(_ db: Database, with windows: [RestingWindow], of session: UnsearchedSession) throws {
    try db.run("DELETE FROM resting_window WHERE session = :session", ["session": session.number])
    for window in windows {
      try RestingWindowRecord(
        session: session.number, ticks: window.time.ticks, day: session.localDay(of: window.time),
        heartRate: window.heartRate, rmssd: window.rmssd, sdnn: window.sdnn
      ).insert(db)
    }
    try db.run(
      "UPDATE session SET rest_found = :count WHERE number = :session",
      ["count": windows.count, "session": session.number])
  }

  /// Removes the windows of `profile`, marks its sessions as not searched, and removes the start set by
  /// ``setStart(_:_:_:)``.
  static func removeAll(_ db: Database, of profile: String) throws {
    try db.run(
      """
      DELETE FROM resting_window
      WHERE session IN (SELECT number FROM session WHERE profile = \(ProfileTable.number))
      """, ["profile": profile])
    try db.run(
      "UPDATE session SET rest_found = NULL WHERE profile = \(ProfileTable.number)", ["profile": profile])
    try setStart(db, profile, nil)
  }

  /// Sets the time from which sessions of `profile` count. Without a time, all count.
  static func setStart(_ db: Database, _ profile: String, _ time: WallTime?) throws {
    try db.run(
      "UPDATE profile SET learns_since_us = :since WHERE name = :profile",
      ["profile": profile, "since": time?.microseconds])
  }
}

/// An ended session that was not searched for resting windows yet.
struct UnsearchedSession: Decodable, FetchableRecord {
  var number: Int64
  private var id: String
  private var started: Int64
  private var utcOffset: Int

  enum CodingKeys: String, CodingKey {
    case number, id
    case started = "started_us"
    case utcOffset = "utc_offset_s"
  }

  var sessionID: SessionID { SessionID(stored: id) }

  /// The local day of a time of the session, in days since 1970-01-01. Uses the UTC offset at the start of the session,
  /// because a change to summer time must not split a night.
  func localDay(of time: SessionTime) -> Int {
    Int(WallTime(microseconds: started).advanced(ticks: time.ticks).localDay(utcOffset: utcOffset))
  }

  /// The unsearched sessions of `profile`, oldest first.
  static func all(_ db: Database, _ profile: String) throws -> [UnsearchedSession] {
    try fetchAll(
      db.statement(
        """
        SELECT number, id, started_us, utc_offset_s FROM session
        WHERE profile = \(ProfileTable.number) AND outcome IS NOT NULL AND rest_found IS NULL ORDER BY number
        """, ["profile": profile]))
  }
}

extension SyncRows {
  /// Names of the profiles with ended sessions that ``BaselineUpdater`` has not searched, such as those that a sync stored.
  package func profilesToSearch() throws -> Set<String> {
    let statement = try database.statement(
      """
      SELECT DISTINCT p.name FROM session s JOIN profile p ON p.number = s.profile
      WHERE s.outcome IS NOT NULL AND s.rest_found IS NULL
      """)
    return Set(try FreeText.fetchAll(statement).map(\.text))
  }
}
