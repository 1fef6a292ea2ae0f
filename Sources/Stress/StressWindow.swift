import HRV
import HeartRate

/// What the last seconds say: their beats and notifications, weighed against a baseline.
struct StressWindow: Sendable {
  let baseline: Baseline
  private var beats: BeatWindow
  private var arrivals: ArrivalWindow
  private var sensor = SensorClassifier()
  /// The window that ends with the last beat. Each is written over the one before it: they are large.
  private(set) var measurement: StressMeasurement

  init(length: Duration, metric: HRVMetric, baseline: Baseline) {
    self.baseline = baseline
    beats = BeatWindow(length: length)
    arrivals = ArrivalWindow(length: length)
    measurement = StressMeasurement(
      time: .zero, wall: nil, verdict: .normal,
      window: Double(length.ticks) / Double(RRInterval.ticksPerSecond),
      metric: metric, nn: NNSums(), beats: 0, coverage: nil, sensorClass: nil, score: nil,
      confidence: Confidence())
    measurement.confidence[.baseline] = ConfidenceCurves.baseline(days: baseline.days)
  }

  /// What kind of intervals the sensor sends.
  var sensorClass: SensorClass? { sensor.sensorClass }

  /// Takes the next notification of a source that has arrival times; its beats come after it.
  mutating func append(_ notification: HeartRateMeasurement, arrival: SessionTime) {
    sensor.append(notification)
    arrivals.append(
      arrival: arrival, rr: notification.rrIntervals.totalTicks,
      contactLost: notification.contact == .notDetected)
  }

  /// Takes the next beat and measures the window that ends with it.
  mutating func append(_ beat: Beat, wall: WallTime?) {
    beats.append(beat)
    sensor.append(beat)
    measurement.time = beat.end
    measurement.wall = wall
    measurement.verdict = beat.verdict
    measurement.nn = beats.sums
    measurement.beats = beats.beats
    measurement.coverage = arrivals.coverage
    measurement.sensorClass = sensor.sensorClass
    let meanNN = measurement.nn.meanNN
    // Averaged intervals have a variability, but it is not the heart's.
    measurement.score =
      sensorClass == .smoothed
      ? nil : Self.score(measurement.nn, meanNN: meanNN, metric: measurement.metric, baseline)
    setConfidence(meanNN: meanNN)
  }

  /// Absent while the window holds too few beats for either input.
  private static func score(
    _ nn: NNSums, meanNN: Double?, metric: HRVMetric, _ baseline: Baseline
  ) -> StressScore? {
    guard let hrv = metric.value(nn), let meanNN, meanNN > 0 else { return nil }
    return try? StressScore(
      StressScore.Inputs(
        hrv: hrv, heartRate: 60_000 / meanNN, baselineHRV: baseline.hrv(metric),
        restingHeartRate: baseline.restingHeartRate))
  }

  private mutating func setConfidence(meanNN: Double?) {
    let count = measurement.nn.count
    measurement.confidence[.lowHRV] = measurement.score.map { ConfidenceCurves.lowHRV($0.inputs.hrv) }
    measurement.confidence[.heartRateRange] = measurement.score.map {
      ConfidenceCurves.heartRateRange($0.inputs.heartRate)
    }
    measurement.confidence[.sampleCount] = ConfidenceCurves.sampleCount(count)
    measurement.confidence[.artefacts] = ConfidenceCurves.artefacts(measurement.artefactShare)
    measurement.confidence[.rhythm] = beats.jumpShare.map(ConfidenceCurves.rhythm)
    measurement.confidence[.coverage] = measurement.coverage.map {
      ConfidenceCurves.coverage($0, span: arrivals.span, meanNN: meanNN)
    }
    measurement.confidence[.windowFill] = ConfidenceCurves.windowFill(
      count, meanNN: meanNN, length: measurement.window)
    measurement.confidence[.contact] = arrivals.contactLostShare.map(ConfidenceCurves.contact)
    measurement.confidence[.sensor] = ConfidenceCurves.sensor(measurement.nn, sensorClass)
  }
}
