internal import GRDB
internal import HeartRate
internal import Stress

/// Computes the measurements of a session from its events and stores them.
struct SessionMeasuring {
  private var engine: StressEngine
  private var sampler: MeasurementSampler
  private let measurements: MeasurementTable.Writer
  private(set) var motion = PendingMotion()
  /// Number of stored measurements.
  private(set) var count = 0

  /// - Parameters:
  ///   - number: Number of the session.
  ///   - profile: Number of the profile.
  init(
    _ db: Database, _ info: SessionInfo, number: Int64, profile: Int64, sampling: MeasurementSampling
  ) throws {
    engine = StressEngine(settings: info.settings, baseline: info.baseline)
    sampler = MeasurementSampler(sampling)
    measurements = try MeasurementTable.Writer(
      db, session: number, profile: profile, started: info.started)
  }

  mutating func update(_ event: SessionEvent) throws {
    sampler.update(event)
    var samples: [MeasurementSample] = []
    engine.update(
      event, emit: { _ in },
      measured: { measurement in
        if let sample = sampler.sample(measurement) { samples.append(sample) }
      }, moved: { motion.add($0) })
    for sample in samples { try measurements.write(sample) }
    count += samples.count
  }
}
