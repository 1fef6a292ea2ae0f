internal import GRDB
internal import HeartRate

/// How the sums of a quarter of an hour lie in the table `quarter_hour`, see Schema+Rollup.swift.
enum QuarterHourRow {
  private static let microseconds: Int64 = 900_000_000

  /// The quarters of `profile` that begin within `times`, in their order.
  ///
  /// A simulated heart is not the person's: it counts only for a profile that has no other.
  static func within(_ db: Database, profile name: String, _ times: Range<WallTime>) throws -> [QuarterHour] {
    guard let (profile, simulated) = try source(db, name) else { return [] }
    let quarters = Self.quarters(times)
    var found = try Query(
      db,
      """
      SELECT \(Schema.summed.joined(separator: ", ")) FROM quarter_hour
      WHERE profile = ? AND quarter >= ? AND quarter < ? AND simulated = ? AND NOT is_stale ORDER BY quarter
      """
    ).all(
      .integer(profile), .integer(quarters.lowerBound), .integer(quarters.upperBound), .integer(simulated),
      make: quarterHour)
    let stale = try stale(db).filter { $0.profile == profile && quarters.contains($0.quarter) }
    guard !stale.isEmpty else { return found }
    for row in stale {
      found += try Query(db, Schema.summedMeasurements + picked + " AND simulated = ?" + grouped).all(
        .integer(profile), .integer(start(row.quarter)), .integer(start(row.quarter + 1)),
        .integer(simulated), make: quarterHour)
    }
    return found.sorted { $0.start < $1.start }
  }

  /// Makes the stale rows anew, or takes them away where no measurement is left.
  static func refresh(_ db: Database) throws {
    for row in try stale(db) {
      try Query(db, "DELETE FROM quarter_hour WHERE profile = ? AND quarter = ?")
        .run(.integer(row.profile), .integer(row.quarter))
      try Query(
        db,
        "INSERT INTO quarter_hour (\(Schema.summed.joined(separator: ", "))) "
          + Schema.summedMeasurements + picked + grouped
      ).run(.integer(row.profile), .integer(start(row.quarter)), .integer(start(row.quarter + 1)))
    }
  }

  /// What the measurements of `profile` within `times` amount to, of whichever source.
  static func sums(_ db: Database, profile: String, _ times: Range<WallTime>) throws -> MeasurementSums {
    guard let (number, _) = try source(db, profile) else { return MeasurementSums() }
    var sums = MeasurementSums()
    try Query(db, Schema.summedMeasurements + picked + grouped).forEach(
      .integer(number), .integer(times.lowerBound.microseconds), .integer(times.upperBound.microseconds)
    ) { sums += quarterHour($0).sums }
    return sums
  }

  private static let picked = " WHERE profile = ? AND time_us >= ? AND time_us < ?"
  private static let grouped = " GROUP BY profile, quarter, simulated"

  /// When a quarter begins, in microseconds since 1970; the last moment there is for one beyond all times.
  private static func start(_ quarter: Int64) -> Int64 {
    let (start, tooFar) = quarter.multipliedReportingOverflow(by: microseconds)
    return tooFar ? (quarter < 0 ? .min : .max) : start
  }

  private static func stale(_ db: Database) throws -> [(profile: Int64, quarter: Int64)] {
    try Query(db, "SELECT DISTINCT profile, quarter FROM quarter_hour WHERE is_stale").all {
      ($0.integer(0), $0.integer(1))
    }
  }

  /// The number of the profile, and whether the simulated measurements are meant (1). Nil for an unknown one.
  private static func source(_ db: Database, _ name: String) throws -> (profile: Int64, simulated: Int64)? {
    try Query(
      db,
      """
      SELECT p.number,
        NOT EXISTS (SELECT 1 FROM session s WHERE s.profile = p.number AND s.source <> 'simulated')
      FROM profile p WHERE p.name = ?
      """
    ).first(.text(name)) { ($0.integer(0), $0.integer(1)) }
  }

  private static func quarters(_ times: Range<WallTime>) -> Range<Int64> {
    roundedUp(times.lowerBound)..<max(roundedUp(times.lowerBound), roundedUp(times.upperBound))
  }

  private static func roundedUp(_ time: WallTime) -> Int64 {
    let (quotient, remainder) = time.microseconds.quotientAndRemainder(dividingBy: microseconds)
    return remainder > 0 ? quotient + 1 : quotient
  }

  /// The columns of `Schema.summed`.
  private static func quarterHour(_ row: Columns) -> QuarterHour {
    var sums = MeasurementSums()
    sums.measurements = Int(row.integer(3))
    sums.beats = Int(row.integer(4))
    sums.normalBeats = Int(row.integer(5))
    for (place, column) in zip(sums.categories.indices, CInt(6)...) {
      sums.categories[place] = Int(row.integer(column))
    }
    sums.scored = Int(row.integer(10))
    sums.unpaced = Int(row.integer(11))
    sums.confidence = row.real(12)
    let count = CInt(sums.sums.count)
    for (place, column) in zip(sums.sums.indices, CInt(0)...) {
      sums.sums[place] = QuantitySum(
        sum: row.real(13 + 2 * column), squares: row.real(14 + 2 * column),
        low: row.realOrNil(13 + 2 * count + column), high: row.realOrNil(13 + 3 * count + column))
    }
    return QuarterHour(
      start: WallTime(microseconds: start(row.integer(1))), sums: sums, isSimulated: row.integer(2) != 0)
  }
}
