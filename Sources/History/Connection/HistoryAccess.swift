internal import GRDB
internal import Platform

/// Reads the history without changing it and without blocking a live session that writes it. Only tables of an older
/// version are migrated first, as a writer would do.
///
///     let location = try StoreLocation(environment: ["HOME": "/home/ann"])
///     guard let reader = try HistoryReader(location) else { return }  // nothing is stored yet
///     let baseline = try reader.baseline(of: "me") ?? .populationDefault
///     for session in try reader.sessions(of: "me", limit: 10) {
///       print(session.info.id.text, try reader.journal(of: session).count)
///     }
///
/// The methods are declared next to what they read: sessions, events, measurements, quarter hours, baselines, profiles,
/// journal and breathing exercises.
package final class HistoryReader: Sendable {
  let location: StoreLocation
  private let connection: Locked<StoreConnection>

  private static let lockTimeout = Duration.seconds(5)

  /// Fails without an error if nothing is stored at `location`.
  /// - Throws: ``HistoryError`` if the file cannot be read; with the code `missing` if it is absent and must exist; with the
  ///   code `olderThanProgram` if its tables are of an older version and cannot be migrated because the file is not writable.
  package init?(_ location: StoreLocation) throws(HistoryError) {
    guard let connection = try Self.open(location) else {
      try StoreFiles.requireFile(location)
      return nil
    }
    self.location = location
    self.connection = Locked(connection)
  }

  private static func open(_ location: StoreLocation) throws(HistoryError) -> StoreConnection? {
    do throws(HistoryError) {
      return try StoreConnection.readable(location, lockTimeout: lockTimeout)
    } catch {
      guard error.code == .olderThanProgram else { throw error }
      try StoreConnection.migrate(location, lockTimeout: lockTimeout)
      return try StoreConnection.readable(location, lockTimeout: lockTimeout)
    }
  }

  /// Runs `body` in a read transaction. Opens the file again if the path names another file, or if a file that is read as
  /// immutable changed.
  ///
  /// Runs `body` once more with a new connection if that happens while it reads, or if SQLite reports damage, which can be due
  /// to a change by a program without locks. An error that the new connection reports is thrown.
  func read<T>(_ body: (Database) throws -> T) throws(HistoryError) -> T {
    let current = try connection { $0.isCurrent }
    do throws(HistoryError) {
      let result = try current.read(body)
      if current.isConsistent { return result }
    } catch {
      guard error.code == .corrupt || error.code == .notADatabase else { throw error }
    }
    return try connection { !$0.isSame(as: current) && $0.isCurrent }.read(body)
  }

  /// The connection, opened again unless `isUsable`.
  private func connection(
    where isUsable: (StoreConnection) -> Bool
  ) throws(HistoryError) -> StoreConnection {
    let found: Result<StoreConnection, HistoryError> = connection.withLock { connection in
      guard !isUsable(connection) else { return .success(connection) }
      do throws(HistoryError) {
        if let opened = try Self.open(location) { connection = opened }
      } catch {
        return .failure(error)
      }
      return .success(connection)
    }
    return try found.get()
  }

  /// The number of rows and the size of the file.
  package func contents() throws(HistoryError) -> HistoryContents { try read(HistoryContents.init) }

  /// The faults that SQLite reports; empty for an intact file. Reads the whole file.
  package func integrityFaults() throws(HistoryError) -> [String] {
    try read { db in
      let damage = try FreeText.fetchAll(db.statement("PRAGMA integrity_check")).map(\.text).filter {
        $0 != "ok"
      }
      let orphans = try Row.fetchAll(db.statement("PRAGMA foreign_key_check")).map { row -> String in
        let (table, parent): (String?, String?) = (row["table"], row["parent"])
        return "row of \(table ?? "") without \(parent ?? "")"
      }
      return damage + orphans
    }
  }

  /// A number that changes when another program writes the file; comparable as long as the path names the same file.
  package func revision() throws(HistoryError) -> Int64 {
    try read { try Int64.fetchOne($0.statement("PRAGMA data_version")) ?? 0 }
  }
}

/// How much a history contains.
package struct HistoryContents: Equatable, Sendable {
  package var sessions: Int
  package var events: Int
  package var measurements: Int
  /// Size of the database in bytes, without its `-wal`.
  package var bytes: Int

  init(_ db: Database) throws {
    func number(_ sql: String) throws -> Int { try Int.fetchOne(db.statement(sql)) ?? 0 }
    sessions = try number("SELECT count(*) FROM session")
    events = try number("SELECT count(*) FROM session_event")
    measurements = try number("SELECT count(*) FROM measurement")
    bytes = try number("SELECT page_count * page_size FROM pragma_page_count, pragma_page_size")
  }
}

/// Changes profiles: baseline, straps, journal, breathing exercises. Each change is durable when the call returns. Sessions
/// are written by ``SessionWriter``.
///
///     let writer = try HistoryWriter(location)
///     let entry = try writer.addToJournal(
///       JournalEntry(profile: "me", time: SystemClock.wall, utcOffset: 3600, mood: Mood(7), triggers: ["coffee"]))
///     _ = try writer.editJournal(entry.id, of: "me") { $0.note = "before the meeting" }
///     try writer.setBaseline(baseline, of: "me", at: SystemClock.wall)
///
/// The methods are declared next to what they change.
package struct HistoryWriter: Sendable {
  let connection: StoreConnection

  /// Opens the history; creates and migrates it if necessary.
  /// - Parameter finishesErasure: Whether remains of rows that were deleted before are overwritten now. If not,
  ///   ``sync(_:)`` overwrites them together with those that it deletes.
  package init(_ location: StoreLocation, finishesErasure: Bool = true) throws(HistoryError) {
    connection = try StoreConnection.writable(location, lockTimeout: .seconds(5))
    if finishesErasure { SecureErase.finishIfDue(connection) }
  }
}
