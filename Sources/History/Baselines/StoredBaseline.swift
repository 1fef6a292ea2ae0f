internal import GRDB
package import HeartRate
package import Stress

/// A row of the table `baseline`.
struct BaselineRecord: Codable, FetchableRecord, PersistableRecord {
  static let databaseTableName = "baseline"

  /// Number of the profile.
  var profile: Int64
  var rmssd: Double
  var sdnn: Double
  var restingHeartRate: Double
  var days: Double
  var origin: String
  /// Absent in rows of versions that derived it from the days.
  var weight: Double?
  var updated: Int64

  enum CodingKeys: String, CodingKey {
    case profile, days, origin, weight
    case rmssd = "rmssd_ms"
    case sdnn = "sdnn_ms"
    case restingHeartRate = "resting_hr_bpm"
    case updated = "updated_us"
  }

  init(_ baseline: Baseline, profile: Int64, updated: WallTime) {
    self.profile = profile
    rmssd = baseline.rmssd
    sdnn = baseline.sdnn
    restingHeartRate = baseline.restingHeartRate
    days = baseline.days
    origin = baseline.origin.rawValue
    weight = baseline.weight
    self.updated = updated.microseconds
  }

  var baseline: Baseline {
    get throws(MalformedRow) {
      Baseline(
        rmssd: rmssd, sdnn: sdnn, restingHeartRate: restingHeartRate, days: days,
        origin: try Baseline.Origin(stored: origin), weight: weight)
    }
  }

  /// The baseline of a profile. Until it has one, the population default applies.
  static func baseline(_ db: Database, of profile: String) throws -> Baseline? {
    try fetchOne(
      db.statement(
        "SELECT * FROM baseline WHERE profile = \(ProfileTable.number)", ["profile": profile])
    )?.baseline
  }

  /// Replaces the baseline of a profile.
  static func set(_ db: Database, _ baseline: Baseline, of profile: String, at time: WallTime) throws {
    let profile = try ProfileTable.number(db, creating: profile)
    try BaselineRecord(baseline, profile: profile, updated: time).upsert(db)
  }

  static func remove(_ db: Database, of profile: String) throws {
    try db.run("DELETE FROM baseline WHERE profile = \(ProfileTable.number)", ["profile": profile])
  }
}

extension HistoryReader {
  /// The baseline of `profile`. Until it has one, the population default applies.
  package func baseline(of profile: String) throws(HistoryError) -> Baseline? {
    try read { try BaselineRecord.baseline($0, of: profile) }
  }
}

extension HistoryWriter {
  /// Replaces the baseline of `profile`.
  /// - Throws: ``HistoryError``, also for values that are NaN.
  package func setBaseline(_ baseline: Baseline, of profile: String, at time: WallTime) throws(HistoryError) {
    try connection.write { try BaselineRecord.set($0, baseline, of: profile, at: time) }
  }

  /// Removes the baseline of `profile`. The population default then applies.
  package func removeBaseline(of profile: String) throws(HistoryError) {
    try connection.write { try BaselineRecord.remove($0, of: profile) }
  }
}
