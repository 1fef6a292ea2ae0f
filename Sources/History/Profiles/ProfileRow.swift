internal import GRDB
internal import HeartRate
internal import Stress

/// What a profile has, in the tables `baseline` and `strap`.
enum ProfileRow {
  private static let number = "(SELECT number FROM profile WHERE name = ?)"

  static func baseline(_ db: Database, _ profile: String) throws -> Baseline? {
    try Query(
      db, "SELECT rmssd_ms, sdnn_ms, resting_hr_bpm, days, origin FROM baseline WHERE profile = \(number)"
    )
    .first(.text(profile)) { row in
      Baseline(
        rmssd: row.real(0), sdnn: row.real(1), restingHeartRate: row.real(2), days: row.real(3),
        origin: try row.named(4, as: Baseline.Origin.self))
    }
  }

  static func set(_ db: Database, _ baseline: Baseline, of profile: String, at time: WallTime) throws {
    try Query(
      db,
      """
      INSERT INTO baseline (profile, rmssd_ms, sdnn_ms, resting_hr_bpm, days, origin, updated_us)
      VALUES (?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT DO UPDATE SET rmssd_ms = excluded.rmssd_ms, sdnn_ms = excluded.sdnn_ms,
        resting_hr_bpm = excluded.resting_hr_bpm, days = excluded.days, origin = excluded.origin,
        updated_us = excluded.updated_us
      """
    ).run(
      .integer(try SessionRow.profile(db, profile)), .real(baseline.rmssd), .real(baseline.sdnn),
      .real(baseline.restingHeartRate), .real(baseline.days), .text(baseline.origin.rawValue),
      .integer(time.microseconds))
  }

  static func removeBaseline(_ db: Database, of profile: String) throws {
    try Query(db, "DELETE FROM baseline WHERE profile = \(number)").run(.text(profile))
  }

  static func straps(_ db: Database, _ profile: String) throws -> [RememberedStrap] {
    try Query(
      db,
      """
      SELECT address, name, body_location, last_used_us FROM strap WHERE profile = \(number)
      ORDER BY last_used_us DESC, address
      """
    ).all(.text(profile)) { row in
      RememberedStrap(
        StrapIdentity(address: row.text(0), name: row.textOrNil(1)),
        bodyLocation: row.integerOrNil(2).flatMap { UInt8(exactly: $0) }.flatMap(
          BodySensorLocation.init(rawValue:)),
        lastUsed: WallTime(microseconds: row.integer(3)))
    }
  }

  /// A name or a place that is not known this time stays what it was.
  static func remember(_ db: Database, _ strap: RememberedStrap, for profile: String) throws {
    try Query(
      db,
      """
      INSERT INTO strap (profile, address, name, body_location, last_used_us) VALUES (?, ?, ?, ?, ?)
      ON CONFLICT DO UPDATE SET name = coalesce(excluded.name, name),
        body_location = coalesce(excluded.body_location, body_location), last_used_us = excluded.last_used_us
      """
    ).run(
      .integer(try SessionRow.profile(db, profile)), .text(strap.strap.address.uppercased()),
      .text(strap.strap.name),
      .integer(strap.bodyLocation.map { Int64($0.rawValue) }), .integer(strap.lastUsed.microseconds))
  }

  /// Whether it was remembered.
  static func forget(_ db: Database, address: String, of profile: String) throws -> Bool {
    try Query(db, "DELETE FROM strap WHERE profile = \(number) AND address = ?")
      .run(.text(profile), .text(address.uppercased()))
    return db.changesCount > 0
  }
}
