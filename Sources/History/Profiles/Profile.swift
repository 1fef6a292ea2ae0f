internal import GRDB
package import HeartRate
package import Stress

/// The amount of data of one profile.
package struct ProfileContents: Equatable, Sendable {
  package var name: String
  package var sessions: Int
  package var measurements: Int
  package var journalEntries: Int
  package var lastMeasured: WallTime?
  /// Absent while the population default applies.
  package var baseline: Baseline?
  /// The straps, the last used first.
  package var straps: [RememberedStrap]

  package init(
    name: String, sessions: Int, measurements: Int, journalEntries: Int, lastMeasured: WallTime?,
    baseline: Baseline?, straps: [RememberedStrap]
  ) {
    (self.name, self.sessions, self.measurements) = (name, sessions, measurements)
    (self.journalEntries, self.lastMeasured) = (journalEntries, lastMeasured)
    (self.baseline, self.straps) = (baseline, straps)
  }
}

/// The table `profile`.
enum ProfileTable {
  /// The number of the profile `:profile`, in SQL.
  static let number = "(SELECT number FROM profile WHERE name = :profile)"

  /// The number of the profile `name`, which is created if it does not exist.
  static func number(_ db: Database, creating name: String) throws -> Int64 {
    try create(db, name)
    let statement = try db.statement("SELECT \(number)", ["profile": name])
    guard let number = try Int64.fetchOne(statement) else {
      throw MalformedRow("profile '\(name)' cannot be created")
    }
    return number
  }

  /// - Returns: False if the profile exists.
  @discardableResult
  static func create(_ db: Database, _ name: String) throws -> Bool {
    try db.run("INSERT INTO profile (name) VALUES (:profile) ON CONFLICT DO NOTHING", ["profile": name])
    return db.changesCount > 0
  }

  /// The names of all profiles, in the order of their creation.
  static func names(_ db: Database) throws -> [String] {
    try FreeText.fetchAll(db.statement("SELECT name FROM profile ORDER BY number")).map(\.text)
  }
}

/// The columns of ``ProfileContents`` that are counted.
private struct ProfileContentsRecord: Decodable, FetchableRecord {
  var name: FreeText
  var sessions: Int
  var measurements: Int
  var journalEntries: Int
  var lastMeasured: Int64?

  static let select = """
    SELECT p.name, (SELECT count(*) FROM session WHERE profile = p.number) AS sessions,
      (SELECT count(*) FROM measurement WHERE profile = p.number) AS measurements,
      (SELECT count(*) FROM journal_entry WHERE profile = p.number) AS journalEntries,
      (SELECT max(time_us) FROM measurement WHERE profile = p.number) AS lastMeasured
    FROM profile p ORDER BY p.number
    """
}

extension HistoryReader {
  /// The names of all profiles, in the order of their creation.
  package func profiles() throws(HistoryError) -> [String] { try read(ProfileTable.names) }

  /// Whether there is more than one profile, so that texts name the person.
  package func hasSeveralProfiles() throws(HistoryError) -> Bool { try profiles().count > 1 }

  /// The amount of data of each profile, in the order of their creation.
  package func profileContents() throws(HistoryError) -> [ProfileContents] {
    try read { db in
      try ProfileContentsRecord.fetchAll(db.statement(ProfileContentsRecord.select)).map { record in
        ProfileContents(
          name: record.name.text, sessions: record.sessions, measurements: record.measurements,
          journalEntries: record.journalEntries,
          lastMeasured: record.lastMeasured.map { WallTime(microseconds: $0) },
          baseline: try BaselineRecord.baseline(db, of: record.name.text),
          straps: try StrapRecord.all(db, of: record.name.text))
      }
    }
  }
}

extension HistoryWriter {
  /// Creates a profile without data. False if it exists already.
  package func addProfile(_ name: String) throws(HistoryError) -> Bool {
    try connection.write { try ProfileTable.create($0, name) }
  }

  /// Renames a profile.
  /// - Throws: ``HistoryError``, with the code `nameTaken` if a profile with the new name exists;
  ///   ``MeasurementLock/Conflict`` while a session of the profile is running.
  package func renameProfile(
    _ name: String, to newName: String, at location: StoreLocation, time: WallTime
  ) throws {
    let lock = try MeasurementLock(.profile(name), profile: name, at: location, since: time)
    try withExtendedLifetime(lock) {
      try connection.write { db in
        let existing = try db.statement("SELECT \(ProfileTable.number)", ["profile": newName])
        guard try Int64.fetchOne(existing) == nil else {
          throw HistoryError(.nameTaken, path: location.path, .write, detail: "'\(newName)'")
        }
        try db.run(
          "UPDATE profile SET name = :newName WHERE name = :name", ["newName": newName, "name": name])
      }
    }
  }
}
