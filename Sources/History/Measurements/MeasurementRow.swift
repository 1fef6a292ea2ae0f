internal import GRDB
internal import HRV
internal import HeartRate
internal import Stress

/// How a measurement lies in the table `measurement`.
enum MeasurementRow {
  /// The columns of the factors, in the order of `Confidence.Factor`.
  private static let factors = Confidence.Factor.allCases.map { "confidence_" + $0.rawValue }

  private static let insert = """
    INSERT INTO measurement (session, profile, time_us, ticks, window_s, stress, rmssd_ms, sdnn_ms, mean_nn_ms,
      mean_hr_bpm, pnn50_percent, beats, normal_beats, coverage, sensor_class, engine, is_reading, is_paced, confidence,
      \(factors.joined(separator: ", ")))
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
    """

  static func insert(
    _ db: Database, _ sample: MeasurementSample, session: Int64, profile: Int64, started: WallTime
  ) throws {
    let measurement = sample.measurement
    let time = measurement.wall ?? started.advanced(ticks: measurement.time.ticks)
    let nn = measurement.nn
    let confidence = measurement.confidence
    try Query(db, insert).run(
      .integer(session), .integer(profile), .integer(time.microseconds), .integer(measurement.time.ticks),
      .real(measurement.window), .real(measurement.score?.value), .real(nn.rmssd), .real(nn.sdnn),
      .real(nn.meanNN), .real(nn.meanHeartRate), .real(nn.pNN50), .integer(Int64(measurement.beats)),
      .integer(Int64(nn.count)), .real(measurement.coverage),
      .text(measurement.sensorClass?.rawValue), .integer(Int64(StressEngine.version)),
      .integer(sample.isReading ? 1 : 0), .integer(sample.isPaced ? 1 : 0), .real(confidence.value),
      .real(confidence[.lowHRV]),
      .real(confidence[.heartRateRange]), .real(confidence[.sampleCount]), .real(confidence[.artefacts]),
      .real(confidence[.rhythm]), .real(confidence[.coverage]), .real(confidence[.windowFill]),
      .real(confidence[.contact]),
      .real(confidence[.sensor]), .real(confidence[.baseline]))
  }

  private static let select = """
    SELECT m.id, s.id, p.name, m.time_us, m.ticks, m.window_s, m.stress, m.rmssd_ms, m.sdnn_ms, m.mean_nn_ms,
      m.mean_hr_bpm, m.pnn50_percent, m.beats, m.normal_beats, m.coverage, m.sensor_class,
      m.engine, m.is_reading, m.is_paced, m.is_usable,
      \(factors.map { "m." + $0 }.joined(separator: ", "))
    FROM measurement m JOIN session s ON s.number = m.session JOIN profile p ON p.number = m.profile

    """

  /// The latest measurements that `filter` leaves, latest first.
  static func latest(_ db: Database, profile: String, _ filter: HistoryFilter, limit: Int) throws
    -> [StoredMeasurement]
  {
    let (condition, values) = filter.ofMeasurements(profile)
    return try Query(db, select + "WHERE \(condition) ORDER BY m.time_us DESC, m.id DESC LIMIT ?").all(
      values + [.integer(Int64(limit))], make: measurement)
  }

  /// Up to `limit` measurements that `filter` leaves, in their order, after `last`.
  static func page(
    _ db: Database, profile: String, _ filter: HistoryFilter, after last: StoredMeasurement?, limit: Int
  ) throws -> [StoredMeasurement] {
    var filter = filter
    if let last { filter.times = last.time..<max(last.time, filter.times.upperBound) }
    let (condition, values) = filter.ofMeasurements(profile)
    return try Query(
      db,
      select + "WHERE \(condition) AND (m.time_us, m.id) > (?, ?) ORDER BY m.time_us, m.id LIMIT ?"
    ).all(
      values + [
        .integer(filter.times.lowerBound.microseconds), .integer(last?.id ?? .min), .integer(Int64(limit)),
      ], make: measurement)
  }

  /// Of `profile`, or of any.
  static func numbered(_ db: Database, _ id: Int64, of profile: String?) throws -> StoredMeasurement? {
    try Query(db, select + "WHERE m.id = ?1 AND (?2 IS NULL OR p.name = ?2)").first(
      .integer(id), .text(profile), make: measurement)
  }

  private static func measurement(_ row: Columns) -> StoredMeasurement {
    var confidence = Confidence()
    for (place, factor) in Confidence.Factor.allCases.enumerated() {
      confidence[factor] = row.realOrNil(CInt(20 + place))
    }
    return StoredMeasurement(
      id: row.integer(0), session: SessionID(stored: row.text(1)), profile: row.text(2),
      time: WallTime(microseconds: row.integer(3)), at: SessionTime(ticks: row.integer(4)),
      window: row.real(5),
      stress: row.realOrNil(6), rmssd: row.realOrNil(7), sdnn: row.realOrNil(8), meanNN: row.realOrNil(9),
      meanHeartRate: row.realOrNil(10), pNN50: row.realOrNil(11), beats: Int(row.integer(12)),
      normalBeats: Int(row.integer(13)), coverage: row.realOrNil(14),
      sensorClass: row.textOrNil(15).flatMap(SensorClass.init(rawValue:)), confidence: confidence,
      engine: row.integerOrNil(16).map { Int($0) }, isReading: row.integer(17) != 0,
      isPaced: row.integer(18) != 0, isUsable: row.integer(19) != 0)
  }
}
