internal import GRDB
internal import HeartRate
internal import Platform
package import Stress

/// A profile with the settings of its person.
package struct SyncProfileRow: Equatable, Sendable {
  package var number: Int64
  package var name: String
  /// The baseline if it was set manually.
  package var baseline: Baseline?
  /// The time of the latest reset of the baseline, in microseconds since 1970.
  package var learnsSince: Int64?
}

/// A remembered strap.
package struct SyncStrapRow: Equatable, Sendable {
  /// The number of the profile.
  package var profile: Int64
  package var address: String
  package var name: String?
  package var bodyLocation: Int64?
  /// In microseconds since 1970.
  package var lastUsed: Int64

  package init(profile: Int64, address: String, name: String?, bodyLocation: Int64?, lastUsed: Int64) {
    (self.profile, self.address, self.name) = (profile, address, name)
    (self.bodyLocation, self.lastUsed) = (bodyLocation, lastUsed)
  }
}

extension SyncRows {
  private enum ProfileColumn: CInt { case number, name, since }

  /// All profiles, in the order of their creation.
  package func profiles() throws -> [SyncProfileRow] {
    let profiles = try RawStatement(
      database, "SELECT number, name, learns_since_us FROM profile ORDER BY number", [:]
    ).all { row in
      SyncProfileRow(
        number: row.integer(ProfileColumn.number), name: row.text(ProfileColumn.name), baseline: nil,
        learnsSince: row.integerOrNil(ProfileColumn.since))
    }
    return try profiles.map { profile in
      var profile = profile
      let baseline = try BaselineRecord.baseline(database, of: profile.name)
      profile.baseline = baseline?.origin == .manual ? baseline : nil
      return profile
    }
  }

  /// The number of the profile `name`, which is created if it does not exist.
  package func profile(creating name: String) throws -> Int64 {
    try ProfileTable.number(database, creating: name)
  }

  /// Renames a profile. No other profile may have the name.
  package func renameProfile(_ number: Int64, to name: String) throws {
    try database.run(
      "UPDATE profile SET name = :name WHERE number = :number", ["name": FreeText(name), "number": number])
  }

  /// Deletes a profile unless it has sessions or journal entries.
  /// - Returns: False if it has some.
  package func deleteEmptyProfile(_ number: Int64) throws -> Bool {
    let content = try database.statement(
      """
      SELECT EXISTS (SELECT 1 FROM session WHERE profile = :number)
        OR EXISTS (SELECT 1 FROM journal_entry WHERE profile = :number)
      """, ["number": number])
    guard try Int.fetchOne(content) == 0 else { return false }
    try database.run("DELETE FROM profile WHERE number = :number", ["number": number])
    // It always exists.
    try ProfileTable.create(database, "me")
    try SecureErase.begin(database)
    return true
  }

  /// Sets or removes a manual baseline.
  /// - Parameter time: In microseconds since 1970.
  package func setBaseline(_ baseline: Baseline?, of profile: String, at time: Int64) throws {
    if let baseline {
      try BaselineRecord.set(database, baseline, of: profile, at: WallTime(microseconds: time))
    } else {
      try BaselineRecord.remove(database, of: profile)
    }
  }

  /// Sets the time from which sessions count for the baseline, in microseconds since 1970.
  package func setStart(_ time: Int64?, of profile: String) throws {
    try RestingWindowRecord.setStart(database, profile, time.map { WallTime(microseconds: $0) })
  }

  // MARK: - Straps

  private enum StrapColumn: CInt { case profile, address, name, bodyLocation, lastUsed }

  package func straps() throws -> [SyncStrapRow] {
    try RawStatement(database, "SELECT profile, address, name, body_location, last_used_us FROM strap", [:])
      .all { row in
        SyncStrapRow(
          profile: row.integer(StrapColumn.profile), address: row.text(StrapColumn.address),
          name: row.textOrNil(StrapColumn.name), bodyLocation: row.integerOrNil(StrapColumn.bodyLocation),
          lastUsed: row.integer(StrapColumn.lastUsed))
      }
  }

  /// Inserts the strap or replaces its values.
  package func save(_ strap: SyncStrapRow) throws {
    try database.run(
      """
      INSERT INTO strap (profile, address, name, body_location, last_used_us)
      VALUES (:profile, :address, :name, :location, :used)
      ON CONFLICT DO UPDATE SET name = excluded.name, body_location = excluded.body_location,
        last_used_us = excluded.last_used_us
      """,
      [
        "profile": strap.profile, "address": FreeText(strap.address),
        "name": (strap.name?.asStrapName).map(FreeText.init),
        "location": strap.bodyLocation, "used": strap.lastUsed,
      ])
  }

  package func removeStrap(_ address: String, of profile: Int64) throws {
    try database.run(
      "DELETE FROM strap WHERE profile = :profile AND address = :address",
      ["profile": profile, "address": address])
  }
}
