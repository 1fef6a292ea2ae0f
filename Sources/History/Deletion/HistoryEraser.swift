internal import GRDB
package import HeartRate
internal import Platform

/// Deletes data permanently: no byte of them remains in the files of the history.
///
/// All rows, and the baselines learned from them, are deleted in one transaction. Then the file is rewritten without free
/// space and the `-wal` is truncated; if the program is killed before this is completed, the next program that changes the
/// history does it.
package struct HistoryEraser: Sendable {
  private let location: StoreLocation
  /// How long to wait for locks of other programs.
  private let lockTimeout: Duration

  package init(_ location: StoreLocation) { self.init(location, lockTimeout: .seconds(30)) }

  init(_ location: StoreLocation, lockTimeout: Duration) {
    self.location = location
    self.lockTimeout = lockTimeout
  }

  /// What ``delete(_:today:at:)`` would delete. Changes nothing.
  package func summary(of scope: DeletionScope, at time: WallTime) throws(HistoryError) -> DeletionSummary {
    guard let reader = try HistoryReader(location) else { return DeletionSummary() }
    let locks = try reader.read { try OpenProfileLocks($0, location, at: time) }
    return try reader.read { db in
      try DeletionPlan(db, scope, holders: locks.holders).summary(db)
    }
  }

  /// Deletes the data of `scope`, except running sessions.
  /// - Parameters:
  ///   - today: The local day, in days since 1970-01-01, up to which baselines are estimated again.
  ///   - time: The time of the deletion.
  /// - Returns: The deleted data.
  /// - Throws: ``HistoryError``. With the attempt `erase`, the rows are deleted and remains of them may be in the files.
  package func delete(
    _ scope: DeletionScope, today: Int, at time: WallTime
  ) throws(HistoryError) -> DeletionSummary {
    let connection = try StoreConnection.writable(location, lockTimeout: lockTimeout)
    let (summary, profiles) = try withOpenProfiles(connection, at: time) { db, locks in
      let deleted = try Self.deleteRows(db, scope, locks)
      if !deleted.summary.isEmpty {
        for name in deleted.profiles { try BaselineUpdater.update(db, name, today: today, at: time) }
      }
      return deleted
    }
    guard !summary.isEmpty else { return summary }
    try SecureErase.finish(connection)
    // Searches sessions of which a part was deleted; one that cannot be read is searched next time.
    for name in profiles {
      _ = try? BaselineUpdater(connection, location).learn(name, today: today, at: time)
    }
    return summary
  }

  /// Deletes sessions, except running ones, in one transaction. The next ``HistoryWriter`` overwrites what remains of the deleted
  /// rows, once for all.
  /// - Parameters: See ``delete(_:today:at:)``.
  package func deleteRows(of sessions: [SessionID], today: Int, at time: WallTime) throws(HistoryError) {
    let connection = try StoreConnection.writable(location, lockTimeout: lockTimeout)
    try withOpenProfiles(connection, at: time) { db, locks in
      var profiles: Set<String> = []
      for session in sessions {
        profiles.formUnion(try Self.deleteRows(db, .session(session), locks).profiles)
      }
      for name in profiles { try BaselineUpdater.update(db, name, today: today, at: time) }
    }
  }

  /// Runs `body` in a transaction. Locks are held until it is committed: no session of these profiles can start meanwhile.
  private func withOpenProfiles<T>(
    _ connection: StoreConnection, at time: WallTime, _ body: (Database, OpenProfileLocks) throws -> T
  ) throws(HistoryError) -> T {
    let locks = try connection.read { try OpenProfileLocks($0, location, at: time) }
    defer { locks.release() }
    return try connection.write { try body($0, locks) }
  }

  /// - Returns: The deleted data, and the names of the affected profiles.
  private static func deleteRows(
    _ db: Database, _ scope: DeletionScope, _ locks: OpenProfileLocks
  ) throws -> (summary: DeletionSummary, profiles: [String]) {
    let plan = try DeletionPlan(db, scope, holders: locks.holders)
    let summary = try plan.summary(db)
    if !summary.isEmpty {
      try plan.perform(db)
      try SecureErase.begin(db)
    }
    return (summary, plan.profiles)
  }
}

/// The profiles with open sessions, and the holders of their measurement locks. Acquires the free locks.
private final class OpenProfileLocks: Sendable {
  let holders: [String: MeasurementLock.Conflict?]
  private let locks: Locked<[MeasurementLock]>

  init(_ db: Database, _ location: StoreLocation, at time: WallTime) throws {
    let names = try FreeText.fetchAll(
      db.statement(
        "SELECT DISTINCT p.name FROM session s JOIN profile p ON p.number = s.profile WHERE s.outcome IS NULL"
      )
    ).map(\.text)
    var holders: [String: MeasurementLock.Conflict?] = [:]
    var locks: [MeasurementLock] = []
    for name in names {
      do throws(MeasurementLock.Conflict) {
        locks.append(try MeasurementLock(.profile(name), profile: name, at: location, since: time))
        holders[name] = .some(nil)
      } catch {
        holders[name] = error
      }
    }
    self.holders = holders
    self.locks = Locked(locks)
  }

  func release() { locks.withLock { $0 = [] } }
}
