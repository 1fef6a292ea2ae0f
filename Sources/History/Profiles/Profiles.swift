internal import GRDB
package import HeartRate
package import Stress

/// How much is stored of one person.
package struct ProfileContents: Equatable, Sendable {
  package var name: String
  package var sessions: Int
  package var measurements: Int
  package var journalEntries: Int
  package var lastMeasured: WallTime?
  /// Nil while the prior holds.
  package var baseline: Baseline?
  /// The one used last first.
  package var straps: [RememberedStrap]
}

extension HistoryReader {
  /// What is stored of each profile, in the order in which they came.
  package func profileContents() throws(HistoryError) -> [ProfileContents] {
    try read { db in
      try Query(
        db,
        """
        SELECT p.name, (SELECT count(*) FROM session WHERE profile = p.number),
          (SELECT count(*) FROM measurement WHERE profile = p.number),
          (SELECT count(*) FROM journal_entry WHERE profile = p.number),
          (SELECT max(time_us) FROM measurement WHERE profile = p.number)
        FROM profile p ORDER BY p.number
        """
      ).all { row in
        let name = row.text(0)
        return ProfileContents(
          name: name, sessions: Int(row.integer(1)), measurements: Int(row.integer(2)),
          journalEntries: Int(row.integer(3)),
          lastMeasured: row.integerOrNil(4).map { WallTime(microseconds: $0) },
          baseline: try ProfileRow.baseline(db, name), straps: try ProfileRow.straps(db, name))
      }
    }
  }
}

extension HistoryWriter {
  /// Creates a profile without data. False if it exists already.
  package func addProfile(_ name: String) throws(HistoryError) -> Bool {
    try connection.write { db in
      try Query(db, "INSERT INTO profile (name) VALUES (?) ON CONFLICT DO NOTHING").run(.text(name))
      return db.changesCount > 0
    }
  }

  /// Gives a profile another name.
  /// - Throws: ``HistoryError``, with the code `nameTaken` where somebody bears the new one; ``MeasurementLock/Conflict``
  ///   while it is measured under the old one.
  package func renameProfile(
    _ name: String, to newName: String, at location: StoreLocation, time: WallTime
  ) throws {
    let claim = try MeasurementLock(.profile(name), profile: name, at: location, since: time)
    try withExtendedLifetime(claim) {
      try connection.write { db in
        let isTaken = try Query(db, "SELECT count(*) FROM profile WHERE name = ?").first(.text(newName)) {
          $0.integer(0) > 0
        }
        guard isTaken != true else {
          throw HistoryError(.nameTaken, path: location.path, .write, detail: "'\(newName)'")
        }
        try Query(db, "UPDATE profile SET name = ? WHERE name = ?").run(.text(newName), .text(name))
      }
    }
  }
}
