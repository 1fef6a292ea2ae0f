internal import GRDB
package import HeartRate
internal import Synchronization

/// Deletes for good: afterwards no byte of it is left in the history's files.
///
/// All rows go in one transaction, and so does what was learned from them. Then the file is written anew without its
/// free space and the `-wal` is emptied; when the program is killed before that is done, the next one that changes the
/// history does it.
package struct HistoryEraser: Sendable {
  private let location: StoreLocation
  /// How long to wait for other programs.
  private let patience: Duration

  package init(_ location: StoreLocation) { self.init(location, patience: .seconds(30)) }

  init(_ location: StoreLocation, patience: Duration) {
    self.location = location
    self.patience = patience
  }

  /// What ``delete(_:today:at:)`` would take away. Changes nothing.
  package func summary(of scope: DeletionScope, at time: WallTime) throws(HistoryError) -> DeletionSummary {
    guard let reader = try HistoryReader(location) else { return DeletionSummary() }
    let claims = try reader.read { try OpenProfiles($0, location, at: time) }
    return try reader.read { db in
      try DeletionPlan(db, scope, holders: claims.holders).summary(db)
    }
  }

  /// Deletes what `scope` says, but for sessions that go on.
  /// - Parameters:
  ///   - today: The person's local day, in days since 1970-01-01, up to which baselines are learned anew.
  ///   - time: When this happens.
  /// - Returns: What is gone.
  /// - Throws: ``HistoryError``. With the attempt `erase` the rows are gone, and remains of them may be in the files.
  package func delete(
    _ scope: DeletionScope, today: Int, at time: WallTime
  ) throws(HistoryError) -> DeletionSummary {
    let connection = try StoreConnection.writable(location, patience: patience)
    // Held until the rows are gone: a session that begins meanwhile is not touched.
    let claims = try connection.read { try OpenProfiles($0, location, at: time) }
    let (summary, profiles) = try connection.write { db in
      let plan = try DeletionPlan(db, scope, holders: claims.holders)
      let summary = try plan.summary(db)
      if !summary.isEmpty {
        try plan.perform(db)
        try SecureErase.begin(db)
        for name in plan.profiles { try BaselineUpdater.learnAgain(db, name, today: today, at: time) }
      }
      return (summary, plan.profiles)
    }
    claims.release()
    guard !summary.isEmpty else { return summary }
    try SecureErase.finish(connection)
    // Sessions that lost a part are looked through again; one that cannot be read is left for the next time.
    for name in profiles {
      _ = try? BaselineUpdater(connection, location).learn(name, today: today, at: time)
    }
    return summary
  }
}

/// The people with sessions that nobody ended, and whether they are being measured.
private final class OpenProfiles: Sendable {
  let holders: [String: MeasurementLock.Conflict?]
  private let claims: Mutex<[MeasurementLock]>

  init(_ db: Database, _ location: StoreLocation, at time: WallTime) throws {
    let names = try Query(
      db,
      "SELECT DISTINCT p.name FROM session s JOIN profile p ON p.number = s.profile WHERE s.outcome IS NULL"
    ).all { $0.text(0) }
    var holders: [String: MeasurementLock.Conflict?] = [:]
    var claims: [MeasurementLock] = []
    for name in names {
      do throws(MeasurementLock.Conflict) {
        claims.append(try MeasurementLock(.profile(name), profile: name, at: location, since: time))
        holders[name] = .some(nil)
      } catch {
        holders[name] = error
      }
    }
    self.holders = holders
    self.claims = Mutex(claims)
  }

  func release() { claims.withLock { $0 = [] } }
}
