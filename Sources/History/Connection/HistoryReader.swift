internal import GRDB
package import HRV
package import HeartRate
package import Stress
internal import Synchronization

/// Reads the history. Makes, changes and blocks nothing: a live session goes on writing meanwhile. But the tables of an older
/// program are brought up to date first, as whoever writes next would do.
package final class HistoryReader: Sendable {
  private let location: StoreLocation
  private let connection: Mutex<StoreConnection>

  private static let patience = Duration.seconds(5)

  /// Nil when nothing is stored at `location` yet.
  /// - Throws: ``HistoryError`` when there is something that cannot be read; with the code `olderThanProgram` where its
  ///   tables are those of an older program and may not be changed.
  package init?(_ location: StoreLocation) throws(HistoryError) {
    guard let connection = try Self.open(location) else { return nil }
    self.location = location
    self.connection = Mutex(connection)
  }

  private static func open(_ location: StoreLocation) throws(HistoryError) -> StoreConnection? {
    do throws(HistoryError) {
      return try StoreConnection.readable(location, patience: patience)
    } catch {
      guard error.code == .olderThanProgram else { throw error }
      try StoreConnection.update(location, patience: patience)
      return try StoreConnection.readable(location, patience: patience)
    }
  }

  /// The latest measurements of `profile` that `filter` leaves, latest first.
  package func latestMeasurements(
    of profile: String, matching filter: HistoryFilter = HistoryFilter(), limit: Int
  ) throws(HistoryError) -> [StoredMeasurement] {
    try read { try MeasurementRow.latest($0, profile: profile, filter, limit: limit) }
  }

  /// Hands the measurements of `profile` that `filter` leaves to `body`, in the order of their times.
  ///
  /// They are read in pages: memory stays constant however many there are, and nothing is held while `body` works.
  /// - Throws: ``HistoryError``, and what `body` throws.
  package func forEachMeasurement(
    of profile: String, matching filter: HistoryFilter, _ body: (StoredMeasurement) throws -> Void
  ) throws {
    var last: StoredMeasurement?
    while true {
      let page = try read {
        try MeasurementRow.page($0, profile: profile, filter, after: last, limit: Self.pageSize)
      }
      for measurement in page { try body(measurement) }
      guard page.count == Self.pageSize else { return }
      last = page.last
    }
  }

  private static let pageSize = 512

  /// The measurements of `profile` within `times`, in their order.
  package func measurements(of profile: String, in times: Range<WallTime>) throws(HistoryError)
    -> [StoredMeasurement]
  {
    try read {
      try MeasurementRow.page(
        $0, profile: profile, HistoryFilter(times: times), after: nil, limit: .max)
    }
  }

  /// The measurement that bears the number `id`, with its session. Nil when there is none, or none of `profile` where
  /// one is given.
  package func measurement(_ id: Int64, of profile: String? = nil) throws(HistoryError) -> (
    measurement: StoredMeasurement, session: StoredSession
  )? {
    try read { db in
      guard let measurement = try MeasurementRow.numbered(db, id, of: profile),
        let session = try SessionRow.beginning(db, with: measurement.session.text, of: profile).first
      else { return nil }
      return (measurement, session)
    }
  }

  /// The latest sessions of `profile`, or of all profiles, latest first.
  package func sessions(of profile: String? = nil, limit: Int) throws(HistoryError) -> [StoredSession] {
    try read { try SessionRow.latest($0, profile: profile, limit: limit) }
  }

  /// The latest sessions of `profile` that `filter` leaves, latest first. A session counts that went on at some time
  /// within its times and, where it asks for categories or confidence, has such a measurement.
  package func sessions(
    of profile: String, matching filter: HistoryFilter, limit: Int
  ) throws(HistoryError) -> [StoredSession] {
    try read { try SessionRow.latest($0, profile: profile, filter, limit: limit) }
  }

  /// The sessions of `profile` that went on at some time within `times`, in their order.
  package func sessions(of profile: String, in times: Range<WallTime>) throws(HistoryError) -> [StoredSession]
  {
    try read { try SessionRow.within($0, profile: profile, times) }
  }

  /// How RMSSD of `profile` varies within a rest, from the resting minutes of its latest 90 days; the prior where there
  /// are too few.
  package func restVariability(of profile: String) throws(HistoryError) -> RestVariability {
    try read { RestVariability(minutes: try RestingMinuteRow.all($0, profile: profile)) }
  }

  /// The one session, of `profile` where one is given, whose name begins with `prefix`, capitals or not. Nil when there
  /// is none.
  /// - Throws: ``HistoryError`` with the code `ambiguous` when there are several.
  package func session(
    beginningWith prefix: String, of profile: String? = nil
  ) throws(HistoryError) -> StoredSession? {
    let prefix = prefix.uppercased()
    guard !prefix.isEmpty, SessionID.couldBegin(prefix) else { return nil }
    let found = try read { try SessionRow.beginning($0, with: prefix, of: profile) }
    guard found.count < 2 else {
      throw HistoryError(.ambiguous, path: location.path, .read, detail: prefix)
    }
    return found.first
  }

  /// What is known of `session`, at less cost than with all that it holds; its strap is the first that its link came to
  /// where it began without one. Nil when there is no such session.
  package func info(of session: SessionID) throws(HistoryError) -> SessionInfo? {
    try read { try SessionRow.info($0, of: session) }
  }

  /// The events of `session` from its first, bit for bit as they came.
  package func events(of session: SessionID) -> StoredEvents { StoredEvents(reader: self, session: session) }

  /// The baseline of `profile`; nil while it has none of its own, and the prior holds.
  package func baseline(of profile: String) throws(HistoryError) -> Baseline? {
    try read { try ProfileRow.baseline($0, profile) }
  }

  /// The straps that `profile` remembers, the one used last first: that one is meant when none is named.
  package func rememberedStraps(of profile: String) throws(HistoryError) -> [RememberedStrap] {
    try read { try ProfileRow.straps($0, profile) }
  }

  /// The names of all profiles, in the order in which they came.
  package func profiles() throws(HistoryError) -> [String] {
    try read { try Query($0, "SELECT name FROM profile ORDER BY number").all { $0.text(0) } }
  }

  /// How much is stored.
  package func contents() throws(HistoryError) -> HistoryContents {
    try read(HistoryContents.init)
  }

  /// What is wrong with the file, as SQLite says it; empty when it is sound. Reads all of it.
  package func integrityFaults() throws(HistoryError) -> [String] {
    try read { db in
      let damage = try Query(db, "PRAGMA integrity_check").all { $0.text(0) }.filter { $0 != "ok" }
      let orphans = try Query(db, "PRAGMA foreign_key_check").all {
        "row of \($0.text(0)) without \($0.text(2))"
      }
      return damage + orphans
    }
  }

  /// Opens anew when the file is another one by now, or is written by now and was not before.
  func read<T>(_ body: (Database) throws -> T) throws(HistoryError) -> T {
    let current: Result<StoreConnection, HistoryError> = connection.withLock { connection in
      guard !connection.isCurrent else { return .success(connection) }
      do throws(HistoryError) {
        if let opened = try Self.open(location) { connection = opened }
      } catch {
        return .failure(error)
      }
      return .success(connection)
    }
    return try current.get().read(body)
  }
}

/// How much a history holds.
package struct HistoryContents: Equatable, Sendable {
  package var sessions: Int
  package var events: Int
  package var measurements: Int
  /// Size of the database in bytes, without its `-wal`.
  package var bytes: Int

  init(_ db: Database) throws {
    func number(_ sql: String) throws -> Int { try Query(db, sql).first { Int($0.integer(0)) } ?? 0 }
    sessions = try number("SELECT count(*) FROM session")
    events = try number("SELECT count(*) FROM session_event")
    measurements = try number("SELECT count(*) FROM measurement")
    bytes = try number("SELECT page_count * page_size FROM pragma_page_count, pragma_page_size")
  }
}
