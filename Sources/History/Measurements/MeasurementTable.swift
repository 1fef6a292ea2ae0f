internal import GRDB
internal import HRV
internal import HeartRate
internal import Stress

/// Writes and reads the table `measurement`. Uses ``RawStatement`` for speed.
enum MeasurementTable {}

// MARK: - Writing

extension MeasurementTable {
  /// Writes measurements of one session.
  struct Writer {
    private let statement: RawStatement
    private let session: Int64
    private let profile: Int64
    private let started: WallTime

    /// - Parameters:
    ///   - session: Number of the session.
    ///   - profile: Number of the profile.
    ///   - started: The start of the session, from which the time of a measurement follows if its source has no wall time.
    init(_ db: Database, session: Int64, profile: Int64, started: WallTime) throws {
      statement = try RawStatement(db, insert)
      (self.session, self.profile, self.started) = (session, profile, started)
    }

    func write(_ sample: MeasurementSample) throws {
      let time = sample.measurement.wall ?? started.advanced(ticks: sample.measurement.time.ticks)
      try statement.bind(.integer(session), at: 1)
      try statement.bind(.integer(profile), at: 2)
      try statement.bind(.integer(time.microseconds), at: 3)
      for position in MeasurementColumns.names.indices {
        try statement.bind(MeasurementColumns.value(position, of: sample), at: CInt(4 + position))
      }
      try statement.run()
    }
  }

  private static let insert = """
    INSERT INTO measurement (session, profile, time_us, \(MeasurementColumns.names.joined(separator: ", ")))
    VALUES (?, ?, ?, \(MeasurementColumns.names.map { _ in "?" }.joined(separator: ", ")))
    """
}

// MARK: - Reading

extension MeasurementTable {
  /// The columns of ``select``, in its order. The factors of the confidence and the quantities of the quality follow.
  private enum Column: CInt, CaseIterable {
    case id, session, profile, time, ticks, window, stress, rmssd, sdnn, meanNN, meanHeartRate, pNN50, beats,
      normalBeats, coverage, sensorClass, engine, isReading, isPaced, isUsable, stressLow,
      stressHigh, rangeLow, rangeHigh, levelLow, levelHigh, isSimulated
  }

  private struct FurtherColumn: RawRepresentable {
    var rawValue: CInt
  }

  private static let factors = zip(CInt(Column.allCases.count)..., Confidence.Factor.allCases).map {
    (column: FurtherColumn(rawValue: $0), factor: $1)
  }

  private static let quantities = zip(
    CInt(Column.allCases.count + factors.count)..., WindowQuality.Quantity.allCases
  ).map { (column: FurtherColumn(rawValue: $0), quantity: $1) }

  private static let furtherColumns =
    (Confidence.Factor.allCases.map { MeasurementColumns.name(of: $0) }
    + WindowQuality.Quantity.allCases.map { MeasurementColumns.name(of: $0) })
    .map { "m." + $0 }.joined(separator: ", ")

  private static let select = """
    SELECT m.id, s.id, p.name, m.time_us, m.ticks, m.window_s, m.stress, m.rmssd_ms, m.sdnn_ms, m.mean_nn_ms,
      m.mean_hr_bpm, m.pnn50_percent, m.beats, m.normal_beats, m.coverage, m.sensor_class, m.engine, m.is_reading,
      m.is_paced, m.is_usable, m.stress_low, m.stress_high, m.stress_range_low, m.stress_range_high, m.level_low,
      m.level_high, s.source = 'simulated',
      \(furtherColumns)
    FROM measurement m JOIN session s ON s.number = m.session JOIN profile p ON p.number = m.profile

    """

  /// The newest measurements of `profile` that match `filter`, newest first.
  static func latest(_ db: Database, profile: String, _ filter: HistoryFilter, limit: Int) throws
    -> [StoredMeasurement]
  {
    let condition = filter.measurementCondition(profile)
    return try RawStatement(
      db, select + "WHERE \(condition.sql) ORDER BY m.time_us DESC, m.id DESC LIMIT :limit",
      condition.arguments(with: ["limit": limit])
    ).all(stored)
  }

  /// Up to `limit` measurements of `profile` that match `filter` and follow `last`, by time.
  static func page(
    _ db: Database, profile: String, _ filter: HistoryFilter, after last: StoredMeasurement?, limit: Int
  ) throws -> [StoredMeasurement] {
    var filter = filter
    if let last { filter.times = last.time..<max(last.time, filter.times.upperBound) }
    var condition = filter.measurementCondition(profile)
    condition.and("(m.time_us, m.id) > (:from, :last)", ["last": last?.id ?? .min])
    return try RawStatement(
      db, select + "WHERE \(condition.sql) ORDER BY m.time_us, m.id LIMIT :limit",
      condition.arguments(with: ["limit": limit])
    ).all(stored)
  }

  /// The measurement with the number `id`, of `profile` if given.
  static func measurement(_ db: Database, _ id: Int64, of profile: String?) throws -> StoredMeasurement? {
    try RawStatement(
      db, select + "WHERE m.id = :id AND (:profile IS NULL OR p.name = :profile)",
      ["id": id, "profile": profile]
    ).all(stored).first
  }

  private static func stored(_ row: RawRow) -> StoredMeasurement {
    var confidence = Confidence()
    for (column, factor) in factors { confidence[factor] = row.realOrNil(column) }
    return StoredMeasurement(
      id: row.integer(Column.id), session: SessionID(stored: row.text(Column.session)),
      profile: row.text(Column.profile), time: WallTime(microseconds: row.integer(Column.time)),
      at: SessionTime(ticks: row.integer(Column.ticks)), window: row.real(Column.window),
      stress: row.realOrNil(Column.stress), rmssd: row.realOrNil(Column.rmssd),
      sdnn: row.realOrNil(Column.sdnn), meanNN: row.realOrNil(Column.meanNN),
      meanHeartRate: row.realOrNil(Column.meanHeartRate), pNN50: row.realOrNil(Column.pNN50),
      beats: Int(row.integer(Column.beats)), normalBeats: Int(row.integer(Column.normalBeats)),
      coverage: row.realOrNil(Column.coverage),
      sensorClass: row.textOrNil(Column.sensorClass).flatMap(SensorClass.init(rawValue:)),
      confidence: confidence, engine: row.integerOrNil(Column.engine).map { Int($0) },
      isReading: row.integer(Column.isReading) != 0, isSimulated: row.integer(Column.isSimulated) != 0,
      isPaced: row.integer(Column.isPaced) != 0,
      isUsable: row.integer(Column.isUsable) != 0, interval: bounds(row, .stressLow, .stressHigh),
      range: bounds(row, .rangeLow, .rangeHigh), levelRange: bounds(row, .levelLow, .levelHigh),
      quality: quality(row))
  }

  /// The bounds, if they are stored and possible (a damaged file can contain impossible ones).
  private static func bounds(_ row: RawRow, _ low: Column, _ high: Column) -> ClosedRange<Double>? {
    guard let low = row.realOrNil(low), let high = row.realOrNil(high), low <= high else { return nil }
    return low...high
  }

  /// The quality, if no quantity is missing.
  private static func quality(_ row: RawRow) -> WindowQuality? {
    var quality = WindowQuality()
    for (column, quantity) in quantities {
      guard let value = row.realOrNil(column) else { return nil }
      quality[quantity] = value
    }
    return quality
  }
}
