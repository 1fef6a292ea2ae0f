import HRV
import HeartRate

/// What the last seconds say: their beats and notifications, weighed against a baseline.
struct StressWindow: Sendable {
  let baseline: Baseline
  private var beats: BeatWindow
  private var arrivals: ArrivalWindow
  private var sensor = SensorClassifier()
  /// What the baseline adds to confidence.
  private let maturity: Double
  /// The inputs of the score for a person who is as the baseline says; nil where that is out of range.
  private let usual: StressScore.Inputs?
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
    maturity = ConfidenceCurves.baseline(days: baseline.days)
    let usual = StressScore.Inputs(
      hrv: baseline.hrv(metric), heartRate: baseline.restingHeartRate, baselineHRV: baseline.hrv(metric),
      restingHeartRate: baseline.restingHeartRate)
    self.usual = (try? StressScore(usual))?.inputs
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
    let score =
      sensorClass == .smoothed
      ? nil : Self.score(measurement.nn, meanNN: meanNN, measurement.metric, usual)
    measurement.score = score
    setConfidence(meanNN: meanNN, score?.inputs)
  }

  /// Absent while the window holds too few beats for either input, and against a baseline out of range.
  private static func score(
    _ nn: NNSums, meanNN: Double?, _ metric: HRVMetric, _ usual: StressScore.Inputs?
  ) -> StressScore? {
    guard var inputs = usual, let hrv = metric.value(nn), let meanNN, meanNN > 0 else { return nil }
    inputs.hrv = hrv
    inputs.heartRate = 60_000 / meanNN
    return StressScore(checked: inputs)
  }

  private mutating func setConfidence(meanNN: Double?, _ inputs: StressScore.Inputs?) {
    let count = measurement.nn.count
    var confidence = Confidence()
    confidence[.lowHRV] = inputs.map { ConfidenceCurves.lowHRV($0.hrv) }
    confidence[.heartRateRange] = inputs.map {
      ConfidenceCurves.heartRateRange($0.heartRate)
    }
    confidence[.sampleCount] = ConfidenceCurves.sampleCount(count)
    confidence[.artefacts] = ConfidenceCurves.artefacts(measurement.artefactShare)
    confidence[.rhythm] = beats.jumpShare.map(ConfidenceCurves.rhythm)
    confidence[.coverage] = measurement.coverage.map {
      ConfidenceCurves.coverage($0, span: arrivals.span, meanNN: meanNN)
    }
    confidence[.windowFill] = ConfidenceCurves.windowFill(
      count, meanNN: meanNN, length: measurement.window)
    confidence[.contact] = arrivals.contactLostShare.map(ConfidenceCurves.contact)
    confidence[.sensor] = ConfidenceCurves.sensor(measurement.nn, sensorClass)
    confidence[.baseline] = maturity
    measurement.confidence = confidence
  }
}
