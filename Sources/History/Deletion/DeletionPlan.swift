internal import GRDB
internal import HeartRate
internal import Stress

/// The rows that a deletion affects, found in one access to the database: first counted for a summary, then deleted.
struct DeletionPlan {
  private let scope: DeletionScope
  private var sessions: [SessionDeletion] = []
  /// Names of the affected profiles.
  let profiles: [String]
  private(set) var running: [RunningSession] = []
  private var runningProfiles: Set<String> = []

  /// - Parameter holders: The holders of measurement locks, by profile. An inner nil means that the lock is free, so open
  ///   sessions of the profile belong to a killed program. An absent profile counts as locked.
  init(_ db: Database, _ scope: DeletionScope, holders: [String: MeasurementLock.Conflict?]) throws {
    self.scope = scope
    let found = try SessionDeletion.all(db, scope)
    for session in found {
      if session.isOpen, holders[session.profile] != .some(nil) {
        running.append(RunningSession(session: session.id, holder: holders[session.profile] ?? nil))
        runningProfiles.insert(session.profile)
      } else {
        sessions.append(session)
      }
    }
    switch scope {
    case .session: profiles = found.map(\.profile)
    case .times(_, let name), .measurements(_, _, let name), .journalEntry(_, let name): profiles = [name]
    case .profile(let name):
      let existing = try db.statement("SELECT name FROM profile WHERE name = :profile", ["profile": name])
      profiles = try FreeText.fetchAll(existing).map(\.text)
    case .everything: profiles = try ProfileTable.names(db)
    }
  }

  /// The profiles that are deleted: not those with a running session.
  private var deletedProfiles: [String] {
    switch scope {
    case .profile, .everything: profiles.filter { !runningProfiles.contains($0) }
    case .session, .times, .measurements, .journalEntry: []
    }
  }

  // MARK: - Counting

  func summary(_ db: Database) throws -> DeletionSummary {
    var summary = DeletionSummary()
    summary.running = running
    // The profile `me` exists in an empty history.
    summary.profiles = try deletedProfiles.filter { try $0 != "me" || Self.hasData(db, $0) }
    for session in sessions {
      let (events, measurements) = try session.counts(db)
      guard session.cut == nil || events + measurements > 0 else { continue }
      if session.cut == nil { summary.sessions += 1 } else { summary.cutSessions += 1 }
      summary.events += events
      summary.measurements += measurements
      summary.journalEntries += try attached(db, to: session)
      let (first, last) = session.times
      summary.cover(first, last)
    }
    if let measurements { try summary.count(db, "measurement", measurements, \.measurements) }
    if let journal { try summary.count(db, "journal_entry", journal, \.journalEntries) }
    return summary
  }

  /// The number of journal entries that are deleted only because their session is deleted.
  private func attached(_ db: Database, to session: SessionDeletion) throws -> Int {
    guard session.cut == nil else { return 0 }
    var condition = SQLCondition("session = :session", ["session": session.number])
    if let journal { condition.and("NOT (\(journal.sql))", journal.arguments) }
    return try condition.count(db, "journal_entry")
  }

  private static func hasData(_ db: Database, _ profile: String) throws -> Bool {
    let number = SQLCondition("profile = \(ProfileTable.number)", ["profile": profile])
    return try ["session", "journal_entry", "strap", "baseline"].contains { try number.count(db, $0) > 0 }
  }

  // MARK: - Deleting

  func perform(_ db: Database) throws {
    try journal?.delete(db, from: "journal_entry")
    for session in sessions { try session.delete(db) }
    try measurements?.delete(db, from: "measurement")
    for name in deletedProfiles {
      try db.run("DELETE FROM profile WHERE name = :profile", ["profile": name])
    }
    try ProfileTable.create(db, "me")
    try QuarterHourTable.refresh(db)
  }

  /// The measurements that are deleted by themselves. Absent if measurements are deleted only with their sessions.
  private var measurements: SQLCondition? {
    guard case .measurements(let categories, let times, let profile) = scope else { return nil }
    var condition = Self.within(times, of: profile)
    condition.and(categories.condition)
    return condition
  }

  /// The journal entries that are deleted by themselves. Absent if entries are deleted only with their sessions.
  private var journal: SQLCondition? {
    switch scope {
    case .session, .measurements: nil
    case .times(let times, let profile): Self.within(times, of: profile)
    case .journalEntry(let id, let profile):
      SQLCondition("profile = \(ProfileTable.number) AND id = :id", ["profile": profile, "id": id])
    case .profile(let profile):
      SQLCondition("profile = \(ProfileTable.number)", ["profile": profile])
    case .everything: SQLCondition("TRUE")
    }
  }

  private static func within(_ times: Range<WallTime>, of profile: String) -> SQLCondition {
    SQLCondition(
      "profile = \(ProfileTable.number) AND time_us >= :from AND time_us < :until",
      [
        "profile": profile, "from": times.lowerBound.microseconds, "until": times.upperBound.microseconds,
      ])
  }
}

extension DeletionSummary {
  /// Adds the rows of `table` that fulfil `condition`.
  fileprivate mutating func count(
    _ db: Database, _ table: String, _ condition: SQLCondition, _ key: WritableKeyPath<DeletionSummary, Int>
  ) throws {
    let statement = try db.statement(
      "SELECT count(*) AS count, min(time_us) AS first, max(time_us) AS last FROM \(table) WHERE \(condition.sql)",
      condition.arguments)
    guard let rows = try CountRecord.fetchOne(statement) else { return }
    self[keyPath: key] += rows.count
    guard let first = rows.first, let last = rows.last else { return }
    cover(WallTime(microseconds: first), WallTime(microseconds: last))
  }

  private struct CountRecord: Decodable, FetchableRecord {
    var count: Int
    var first: Int64?
    var last: Int64?
  }
}
