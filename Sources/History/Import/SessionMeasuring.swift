internal import GRDB
internal import HeartRate
internal import Stress

/// Computes the measurements of a session from its events and stores them.
struct SessionMeasuring {
  private var engine: StressEngine
  private var sampler: MeasurementSampler
  private var readings: ReadingCollector?
  private let measurements: MeasurementTable.Writer
  private(set) var motion = PendingMotion()
  /// Number of stored measurements.
  private(set) var count = 0

  /// - Parameters:
  ///   - number: Number of the session.
  ///   - profile: Number of the profile.
  ///   - readings: The times of the readings, which are then the only measurements that are stored.
  init(
    _ db: Database, _ info: SessionInfo, number: Int64, profile: Int64, sampling: MeasurementSampling,
    readings: [SessionTime]? = nil
  ) throws {
    engine = StressEngine(settings: info.settings, baseline: info.baseline)
    sampler = MeasurementSampler(readings == nil ? sampling : .readingsOnly)
    self.readings = readings.map(ReadingCollector.init)
    measurements = try MeasurementTable.Writer(
      db, session: number, profile: profile, started: info.started)
  }

  mutating func update(_ event: SessionEvent) throws {
    sampler.update(event)
    var samples: [MeasurementSample] = []
    engine.update(
      event, emit: { _ in },
      measured: { measurement in
        readings?.update(measurement)
        if let sample = sampler.sample(measurement) { samples.append(sample) }
      }, moved: { motion.add($0) })
    for sample in samples { try write(sample) }
  }

  /// Stores the readings. Call it after the last event: a live session stores them at its end.
  mutating func finish() throws {
    for reading in readings?.measurements ?? [] { try write(sampler.reading(reading)) }
  }

  private mutating func write(_ sample: MeasurementSample) throws {
    try measurements.write(sample)
    count += 1
  }
}

/// The measurements at the times of readings.
private struct ReadingCollector {
  private let times: [SessionTime]
  private var found: [SessionTime: StressMeasurement] = [:]

  init(_ times: [SessionTime]) { self.times = times }

  mutating func update(_ measurement: StressMeasurement) {
    if times.contains(measurement.time) { found[measurement.time] = measurement }
  }

  /// In the order of the readings. A reading without a measurement at its time is omitted.
  var measurements: [StressMeasurement] { times.compactMap { found[$0] } }
}
