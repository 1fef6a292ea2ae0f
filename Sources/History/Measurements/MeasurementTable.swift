internal import GRDB
internal import HRV
internal import HeartRate
internal import Stress

/// A new row of the table `measurement`.
struct MeasurementRecord: PersistableRecord {
  static let databaseTableName = "measurement"

  private let sample: MeasurementSample
  private let session: Int64
  private let profile: Int64
  private let time: WallTime

  /// - Parameters:
  ///   - session: Number of the session.
  ///   - profile: Number of the profile.
  ///   - started: The start of the session, from which the time follows if the source has no wall time.
  init(_ sample: MeasurementSample, session: Int64, profile: Int64, started: WallTime) {
    self.sample = sample
    self.session = session
    self.profile = profile
    time = sample.measurement.wall ?? started.advanced(ticks: sample.measurement.time.ticks)
  }

  func encode(to container: inout PersistenceContainer) {
    let measurement = sample.measurement
    container["session"] = session
    container["profile"] = profile
    container["time_us"] = time.microseconds
    container["ticks"] = measurement.time.ticks
    container["window_s"] = measurement.window
    container["stress"] = measurement.score?.value
    container["rmssd_ms"] = measurement.nn.rmssd
    container["sdnn_ms"] = measurement.nn.sdnn
    container["mean_nn_ms"] = measurement.nn.meanNN
    container["mean_hr_bpm"] = measurement.nn.meanHeartRate
    container["pnn50_percent"] = measurement.nn.pNN50
    container["beats"] = measurement.beats
    container["normal_beats"] = measurement.nn.count
    container["coverage"] = measurement.coverage
    container["sensor_class"] = measurement.sensorClass?.rawValue
    container["engine"] = StressEngine.version
    container["is_reading"] = sample.isReading
    container["is_paced"] = sample.isPaced
    container["confidence"] = measurement.confidence.value
    for factor in Confidence.Factor.allCases {
      container[MeasurementTable.column(of: factor)] = measurement.confidence[factor]
    }
  }
}

/// Reads the table `measurement`, through ``RawStatement``, which states the measured reason.
enum MeasurementTable {
  static func column(of factor: Confidence.Factor) -> String { "confidence_" + factor.rawValue }

  /// The columns of ``select``, in its order. The factors of the confidence follow.
  private enum Column: CInt, CaseIterable {
    case id, session, profile, time, ticks, window, stress, rmssd, sdnn, meanNN, meanHeartRate, pNN50, beats,
      normalBeats, coverage, sensorClass, engine, isReading, isPaced, isUsable
  }

  private struct FactorColumn: RawRepresentable {
    var rawValue: CInt
  }

  private static let factors = zip(CInt(Column.allCases.count)..., Confidence.Factor.allCases).map {
    (column: FactorColumn(rawValue: $0), factor: $1)
  }

  private static let select = """
    SELECT m.id, s.id, p.name, m.time_us, m.ticks, m.window_s, m.stress, m.rmssd_ms, m.sdnn_ms, m.mean_nn_ms,
      m.mean_hr_bpm, m.pnn50_percent, m.beats, m.normal_beats, m.coverage, m.sensor_class, m.engine, m.is_reading,
      m.is_paced, m.is_usable, \(Confidence.Factor.allCases.map { "m." + column(of: $0) }.joined(separator: ", "))
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
      isReading: row.integer(Column.isReading) != 0, isPaced: row.integer(Column.isPaced) != 0,
      isUsable: row.integer(Column.isUsable) != 0)
  }
}
