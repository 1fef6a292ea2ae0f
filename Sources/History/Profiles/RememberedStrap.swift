internal import GRDB
package import HeartRate
internal import Platform

/// A strap that a profile used. It is the default when no strap is named.
package struct RememberedStrap: Equatable, Sendable {
  package var strap: StrapIdentity
  /// The body sensor location that the strap reported.
  package var bodyLocation: BodySensorLocation?
  package var lastUsed: WallTime

  package init(_ strap: StrapIdentity, bodyLocation: BodySensorLocation? = nil, lastUsed: WallTime) {
    self.strap = strap
    self.bodyLocation = bodyLocation
    self.lastUsed = lastUsed
  }
}

/// A row of the table `strap`.
struct StrapRecord: Codable, FetchableRecord, PersistableRecord {
  static let databaseTableName = "strap"

  /// Number of the profile.
  var profile: Int64
  var address: FreeText
  var name: FreeText?
  var bodyLocation: Int64?
  var lastUsed: Int64

  enum CodingKeys: String, CodingKey {
    case profile, address, name
    case bodyLocation = "body_location"
    case lastUsed = "last_used_us"
  }

  init(_ strap: RememberedStrap, profile: Int64) {
    self.profile = profile
    address = FreeText(strap.strap.address.uppercased())
    name = strap.strap.name.map { FreeText($0.asStrapName) }
    bodyLocation = strap.bodyLocation.map { Int64($0.rawValue) }
    lastUsed = strap.lastUsed.microseconds
  }

  var strap: RememberedStrap {
    RememberedStrap(
      StrapIdentity(address: address.text, name: name?.text),
      bodyLocation: bodyLocation.flatMap { UInt8(exactly: $0) }.flatMap(BodySensorLocation.init(rawValue:)),
      lastUsed: WallTime(microseconds: lastUsed))
  }

  /// The straps of a profile, the last used first.
  static func all(_ db: Database, of profile: String) throws -> [RememberedStrap] {
    try fetchAll(
      db.statement(
        "SELECT * FROM strap WHERE profile = \(ProfileTable.number) ORDER BY last_used_us DESC, address",
        ["profile": profile])
    ).map(\.strap)
  }

  /// Inserts or updates the strap. A name and a location that are unknown this time keep their stored values.
  func remember(in db: Database) throws {
    try store(
      in: db,
      """
      ON CONFLICT DO UPDATE SET name = coalesce(excluded.name, name),
        body_location = coalesce(excluded.body_location, body_location), last_used_us = excluded.last_used_us
      """)
  }

  /// - Returns: False if the strap was not stored.
  static func delete(_ db: Database, address: String, of profile: String) throws -> Bool {
    try db.run(
      "DELETE FROM strap WHERE profile = \(ProfileTable.number) AND address = :address",
      ["profile": profile, "address": address.uppercased()])
    return db.changesCount > 0
  }
}

extension HistoryReader {
  /// The straps of `profile`, the last used first, which is the default.
  package func rememberedStraps(of profile: String) throws(HistoryError) -> [RememberedStrap] {
    try read { try StrapRecord.all($0, of: profile) }
  }
}

extension HistoryWriter {
  /// Stores that `profile` used `strap`.
  package func remember(_ strap: RememberedStrap, for profile: String) throws(HistoryError) {
    try connection.write { db in
      try StrapRecord(strap, profile: ProfileTable.number(db, creating: profile)).remember(in: db)
    }
  }

  /// Removes the strap with `address` from the profile; its sessions are kept. False if the strap was not stored.
  @discardableResult
  package func forgetStrap(address: String, of profile: String) throws(HistoryError) -> Bool {
    try connection.write { try StrapRecord.delete($0, address: address, of: profile) }
  }
}
