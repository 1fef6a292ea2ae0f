internal import GRDB
internal import HeartRate

/// The table `quarter_hour`, see Schema+RollUps.swift. Read through ``RawStatement``, because a year has many rows of 40
/// columns.
enum QuarterHourTable {
  /// The quarter hours of `profile` that start within `times`, by time. Simulated sessions count only for a profile without
  /// other sessions.
  static func within(_ db: Database, profile name: String, _ times: Range<WallTime>) throws -> [QuarterHour] {
    guard let source = try SourceRecord.of(db, name) else { return [] }
    let numbers = QuarterHour.numbers(in: times)
    var found = try RawStatement(
      db,
      """
      SELECT \(columns) FROM quarter_hour
      WHERE profile = :profile AND quarter >= :from AND quarter < :until AND simulated = :simulated AND NOT is_stale
      ORDER BY quarter
      """,
      [
        "profile": source.profile, "from": numbers.lowerBound, "until": numbers.upperBound,
        "simulated": source.simulated,
      ]
    ).all(quarterHour)
    let stale = try StaleRecord.all(db).filter {
      $0.profile == source.profile && numbers.contains($0.quarter)
    }
    guard !stale.isEmpty else { return found }
    for row in stale {
      found += try RawStatement(
        db, summed("AND simulated = :simulated"), row.arguments(with: ["simulated": source.simulated])
      ).all(quarterHour)
    }
    return found.sorted { $0.start < $1.start }
  }

  /// Whether `profile` has simulated sessions that do not count, because it also has others.
  static func leavesOutSimulated(_ db: Database, profile: String) throws -> Bool {
    guard let source = try SourceRecord.of(db, profile), !source.simulated else { return false }
    let sql = "SELECT EXISTS (SELECT 1 FROM session WHERE profile = :profile AND source = 'simulated')"
    return try Bool.fetchOne(db.statement(sql, ["profile": source.profile])) ?? false
  }

  /// Computes stale rows again; removes those without measurements.
  static func refresh(_ db: Database) throws {
    for row in try StaleRecord.all(db) {
      try db.run(
        "DELETE FROM quarter_hour WHERE profile = :profile AND quarter = :quarter",
        ["profile": row.profile, "quarter": row.quarter])
      try db.run("INSERT INTO quarter_hour (\(columns)) \(summed())", row.arguments())
    }
  }

  /// The sums of all measurements of `profile` within `times`, simulated or not.
  static func sums(_ db: Database, profile: String, _ times: Range<WallTime>) throws -> MeasurementSums {
    guard let source = try SourceRecord.of(db, profile) else { return MeasurementSums() }
    let statement = try RawStatement(
      db, summed(),
      [
        "profile": source.profile, "from": times.lowerBound.microseconds,
        "until": times.upperBound.microseconds,
      ])
    return try statement.reduce(into: MeasurementSums()) { $0 += quarterHour($1).sums }
  }

  private static let columns = Schema.summed.joined(separator: ", ")

  /// The SELECT that computes the rows of the profile `:profile` between `:from` and `:until`, in microseconds.
  private static func summed(_ condition: String = "") -> String {
    """
    \(Schema.summedMeasurements) WHERE profile = :profile AND time_us >= :from AND time_us < :until \(condition)
    GROUP BY profile, quarter, simulated
    """
  }
}

// MARK: - Rows

extension QuarterHourTable {
  /// A row that triggers marked as out of date.
  private struct StaleRecord: Decodable, FetchableRecord {
    var profile: Int64
    var quarter: Int64

    static func all(_ db: Database) throws -> [StaleRecord] {
      try fetchAll(db.statement("SELECT DISTINCT profile, quarter FROM quarter_hour WHERE is_stale"))
    }

    /// The arguments of ``QuarterHourTable/summed(_:)``.
    func arguments(with others: NamedArguments = [:]) -> NamedArguments {
      let own: NamedArguments = [
        "profile": profile, "from": QuarterHour.start(quarter), "until": QuarterHour.start(quarter + 1),
      ]
      return own.merging(others) { _, new in new }
    }
  }

  /// The number of a profile, and whether its simulated measurements count.
  private struct SourceRecord: Decodable, FetchableRecord {
    var profile: Int64
    var simulated: Bool

    /// The source of the profile `name`, if it exists.
    static func of(_ db: Database, _ name: String) throws -> SourceRecord? {
      try fetchOne(
        db.statement(
          """
          SELECT p.number AS profile,
            NOT EXISTS (SELECT 1 FROM session s WHERE s.profile = p.number AND s.source <> 'simulated') AS simulated
          FROM profile p WHERE p.name = :profile
          """, ["profile": name]))
    }
  }

  /// Position of a column in `Schema.summed`.
  private struct Column: RawRepresentable {
    var rawValue: CInt

    init(rawValue: CInt) { self.rawValue = rawValue }

    /// - Parameter name: A name in `Schema.summed`.
    init(_ name: String) { rawValue = CInt(Schema.summed.firstIndex(of: name) ?? 0) }
  }

  /// The columns, found once by their names.
  private enum Columns {
    static let quarter = Column("quarter")
    static let simulated = Column("simulated")
    static let measurements = Column("measurements")
    static let beats = Column("beats")
    static let normalBeats = Column("normal_beats")
    static let categories = ["relaxed", "mild", "moderate", "high"].map(Column.init)
    static let scored = Column("scored")
    static let unpaced = Column("unpaced")
    static let confidence = Column("confidence_sum")
    static let intervals = Column("intervals")
    static let intervalLow = Column("interval_low_sum")
    static let intervalHigh = Column("interval_high_sum")
    static let quantities = MeasurementSums.Quantity.allCases.map { quantity in
      (
        sum: Column(quantity.column + "_sum"), squares: Column(quantity.column + "_squares"),
        low: Column(quantity.column + "_low"), high: Column(quantity.column + "_high")
      )
    }
  }

  private static func quarterHour(_ row: RawRow) -> QuarterHour {
    var sums = MeasurementSums()
    sums.measurements = Int(row.integer(Columns.measurements))
    sums.beats = Int(row.integer(Columns.beats))
    sums.normalBeats = Int(row.integer(Columns.normalBeats))
    for (index, column) in Columns.categories.enumerated() {
      sums.categories[index] = Int(row.integer(column))
    }
    sums.scored = Int(row.integer(Columns.scored))
    sums.unpaced = Int(row.integer(Columns.unpaced))
    sums.confidence = row.real(Columns.confidence)
    sums.intervals = Int(row.integer(Columns.intervals))
    sums.intervalLow = row.real(Columns.intervalLow)
    sums.intervalHigh = row.real(Columns.intervalHigh)
    for (index, column) in Columns.quantities.enumerated() {
      sums.sums[index] = QuantitySum(
        sum: row.real(column.sum), squares: row.real(column.squares), low: row.realOrNil(column.low),
        high: row.realOrNil(column.high))
    }
    return QuarterHour(
      start: WallTime(microseconds: QuarterHour.start(row.integer(Columns.quarter))), sums: sums,
      isSimulated: row.integer(Columns.simulated) != 0)
  }
}

extension MeasurementSums.Quantity {
  /// The beginning of the names of its columns.
  fileprivate var column: String {
    switch self {
    case .stress: "stress"
    case .rmssd: "rmssd"
    case .sdnn: "sdnn"
    case .heartRate: "hr"
    case .unpacedRMSSD: "unpaced_rmssd"
    case .unpacedSDNN: "unpaced_sdnn"
    }
  }
}
