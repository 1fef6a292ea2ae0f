internal import GRDB
internal import HeartRate
internal import Stress

/// What a deletion touches, found within one access to the database: counted for the person to see, then taken away.
struct DeletionPlan {
  private let scope: DeletionScope
  private var sessions: [SessionDeletion] = []
  /// Names of the people concerned.
  let profiles: [String]
  private(set) var running: [RunningSession] = []

  /// - Parameter holders: By profile, who measures, or that nobody does (nil within): then its open sessions were left by
  ///   a program that was killed. A profile that is absent is taken for measuring.
  init(_ db: Database, _ scope: DeletionScope, holders: [String: MeasurementLock.Conflict?]) throws {
    self.scope = scope
    let found = try SessionDeletion.all(db, scope)
    for session in found {
      if session.isOpen, holders[session.profile] != .some(nil) {
        running.append(RunningSession(session: session.id, holder: holders[session.profile] ?? nil))
      } else {
        sessions.append(session)
      }
    }
    switch scope {
    case .session: profiles = found.map(\.profile)
    case .times(_, let name), .measurements(_, _, let name), .journalEntry(_, let name): profiles = [name]
    case .profile(let name):
      profiles = try Query(db, "SELECT name FROM profile WHERE name = ?").all(.text(name)) { $0.text(0) }
    case .everything: profiles = try Query(db, "SELECT name FROM profile ORDER BY number").all { $0.text(0) }
    }
  }

  /// The people who go themselves: not those whose session goes on.
  private func leaving(_ db: Database) throws -> [String] {
    switch scope {
    case .profile, .everything:
      let staying = Set(try running.compactMap { try SessionDeletion.profile(db, of: $0.session) })
      return profiles.filter { !staying.contains($0) }
    case .session, .times, .measurements, .journalEntry: return []
    }
  }

  // MARK: - Counting

  func summary(_ db: Database) throws -> DeletionSummary {
    var summary = DeletionSummary()
    summary.running = running
    // A profile without anything in it is there from the beginning.
    summary.profiles = try leaving(db).filter { try $0 != "me" || Self.holdsAnything(db, $0) }
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
    if let (condition, values) = Self.measurements(scope) {
      try count("measurement", condition, values, db, into: &summary, \.measurements)
    }
    if let (condition, values) = journal {
      try count("journal_entry", condition, values, db, into: &summary, \.journalEntries)
    }
    return summary
  }

  /// How many journal entries are about a session that goes as a whole and are not meant by themselves.
  private func attached(_ db: Database, to session: SessionDeletion) throws -> Int {
    guard session.cut == nil else { return 0 }
    let (condition, values) = journal ?? ("FALSE", [])
    return try Query(db, "SELECT count(*) FROM journal_entry WHERE session = ? AND NOT (\(condition))").first(
      [.integer(session.number)] + values
    ) { Int($0.integer(0)) } ?? 0
  }

  private func count(
    _ table: String, _ condition: String, _ values: [SQLValue], _ db: Database,
    into summary: inout DeletionSummary, _ key: WritableKeyPath<DeletionSummary, Int>
  ) throws {
    try Query(db, "SELECT count(*), min(time_us), max(time_us) FROM \(table) WHERE \(condition)").forEach(
      values
    ) {
      summary[keyPath: key] += Int($0.integer(0))
      guard let first = $0.integerOrNil(1), let last = $0.integerOrNil(2) else { return }
      summary.cover(WallTime(microseconds: first), WallTime(microseconds: last))
    }
  }

  private static func holdsAnything(_ db: Database, _ profile: String) throws -> Bool {
    let tables = ["session", "journal_entry", "strap", "baseline"]
    let counts = tables.map { "(SELECT count(*) FROM \($0) WHERE profile = p.number)" }
    return try Query(db, "SELECT \(counts.joined(separator: " + ")) FROM profile p WHERE p.name = ?").first(
      .text(profile)
    ) { $0.integer(0) } ?? 0 > 0
  }

  // MARK: - Taking away

  func perform(_ db: Database) throws {
    let leaving = try leaving(db)
    if let (condition, values) = journal {
      try Query(db, "DELETE FROM journal_entry WHERE \(condition)").run(values)
    }
    for session in sessions { try session.delete(db) }
    if let (condition, values) = Self.measurements(scope) {
      try Query(db, "DELETE FROM measurement WHERE \(condition)").run(values)
    }
    for name in leaving { try Query(db, "DELETE FROM profile WHERE name = ?").run(.text(name)) }
    try Query(db, "INSERT INTO profile (name) VALUES ('me') ON CONFLICT DO NOTHING").run()
    try QuarterHourRow.refresh(db)
  }

  /// A condition on `measurement`; nil where measurements go with their sessions only.
  private static func measurements(_ scope: DeletionScope) -> (String, [SQLValue])? {
    guard case .measurements(let categories, let times, let profile) = scope else { return nil }
    let known = StressCategory.allCases.filter(categories.contains).map { "'\($0.rawValue)'" }
    return (
      "\(ofProfile) AND time_us >= ? AND time_us < ? AND category IN (\(known.joined(separator: ", ")))",
      [
        .text(profile), .integer(times.lowerBound.microseconds), .integer(times.upperBound.microseconds),
      ]
    )
  }

  /// A condition on `journal_entry`; nil where entries go with their sessions only.
  private var journal: (String, [SQLValue])? {
    switch scope {
    case .session, .measurements: return nil
    case .times(let times, let profile):
      return (
        "\(Self.ofProfile) AND time_us >= ? AND time_us < ?",
        [.text(profile), .integer(times.lowerBound.microseconds), .integer(times.upperBound.microseconds)]
      )
    case .journalEntry(let id, let profile):
      return ("\(Self.ofProfile) AND id = ?", [.text(profile), .integer(id)])
    case .profile(let profile): return (Self.ofProfile, [.text(profile)])
    case .everything: return ("TRUE", [])
    }
  }

  private static let ofProfile = "profile = (SELECT number FROM profile WHERE name = ?)"
}
