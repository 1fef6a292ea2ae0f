public import HRV
public import HeartRate

/// What the last seconds say: their beats and notifications, weighed against a baseline.
@usableFromInline
struct StressWindow: Sendable {
  let baseline: Baseline
  private var beats: BeatWindow
  private var arrivals: ArrivalWindow
  private var sensor = SensorClassifier()
  /// The inputs of the score for a person who is as the baseline says; nil where that is out of range.
  private let usual: StressScore.Inputs?
  /// The window that ends with the last beat. Each is written over the one before it: they are large.
  @usableFromInline private(set) var measurement: StressMeasurement

  init(length: Duration, metric: HRVMetric, baseline: Baseline) {
    self.baseline = baseline
    beats = BeatWindow(length: length)
    arrivals = ArrivalWindow(length: length)
    measurement = StressMeasurement(
      time: .zero, wall: nil, verdict: .normal,
      window: Double(length.ticks) / Double(RRInterval.ticksPerSecond),
      metric: metric, nn: NNSums(), beats: 0, covered: 0, coverage: nil, sensorClass: nil, score: nil,
      confidence: Confidence())
    measurement.confidence[.baseline] = ConfidenceCurves.baseline(days: baseline.days)
    let usual = StressScore.Inputs(
      hrv: baseline.hrv(metric), heartRate: baseline.restingHeartRate, baselineHRV: baseline.hrv(metric),
      restingHeartRate: baseline.restingHeartRate)
    self.usual = (try? StressScore(usual))?.inputs
  }

  /// What kind of intervals the sensor sends.
  var sensorClass: SensorClass? { sensor.sensorClass }

  /// Takes the next notification of a source that has arrival times; its beats come after it.
  @usableFromInline
  mutating func append(_ notification: HeartRateMeasurement, arrival: SessionTime) {
    sensor.append(notification)
    arrivals.append(
      arrival: arrival, rr: notification.rrIntervals.totalTicks,
      contactLost: notification.contact == .notDetected)
  }

  /// Takes the next beat and measures the window that ends with it.
  @usableFromInline
  mutating func append(_ beat: Beat, wall: WallTime?) {
    beats.append(beat)
    sensor.append(beat)
    measurement.time = beat.end
    measurement.wall = wall
    measurement.verdict = beat.verdict
    measurement.nn = beats.sums
    measurement.beats = beats.beats
    measurement.covered = beats.covered
    measurement.coverage = arrivals.coverage
    measurement.sensorClass = sensor.sensorClass
    let meanNN = measurement.nn.meanNN
    // Averaged intervals have a variability, but it is not the heart's.
    measurement.score = sensorClass == .smoothed ? nil : score(meanNN: meanNN)
    setConfidence(meanNN: meanNN)
  }

  /// Absent while the window holds too little data, and against a baseline out of range.
  @inline(__always)
  private func score(meanNN: Double?) -> StressScore? {
    guard measurement.isComplete, var inputs = usual, let hrv = measurement.metric.value(measurement.nn),
      let meanNN, meanNN > 0
    else { return nil }
    inputs.hrv = hrv
    inputs.heartRate = 60_000 / meanNN
    return StressScore(checked: inputs)
  }

  /// Each factor is written over the one before it; that of the baseline stays.
  @inline(__always)
  private mutating func setConfidence(meanNN: Double?) {
    let count = measurement.nn.count
    let inputs = measurement.score?.inputs
    measurement.confidence[.lowHRV] = inputs.map { ConfidenceCurves.lowHRV($0.hrv) }
    measurement.confidence[.heartRateRange] = inputs.map { ConfidenceCurves.heartRateRange($0.heartRate) }
    measurement.confidence[.sampleCount] = ConfidenceCurves.sampleCount(count)
    measurement.confidence[.artefacts] = ConfidenceCurves.artefacts(measurement.artefactShare)
    measurement.confidence[.rhythm] = beats.jumpShare.map(ConfidenceCurves.rhythm)
    measurement.confidence[.coverage] = measurement.coverage.map {
      ConfidenceCurves.coverage($0, span: arrivals.span, meanNN: meanNN)
    }
    measurement.confidence[.windowFill] = ConfidenceCurves.windowFill(
      count, meanNN: meanNN, length: measurement.window)
    measurement.confidence[.contact] = arrivals.contactLostShare.map(ConfidenceCurves.contact)
    measurement.confidence[.sensor] = ConfidenceCurves.sensor(
      measurement.nn.unchangedShare, of: measurement.nn.differences, sensorClass)
  }
}
