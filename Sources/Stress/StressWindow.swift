import HRV
import HeartRate

/// What the last seconds say: their beats and notifications, weighed against a baseline.
struct StressWindow: Sendable {
  let baseline: Baseline
  private let metric: HRVMetric
  private let seconds: Double
  private var beats: BeatWindow
  private var arrivals: ArrivalWindow

  init(length: Duration, metric: HRVMetric, baseline: Baseline) {
    self.baseline = baseline
    self.metric = metric
    seconds = Double(length.ticks) / Double(RRInterval.ticksPerSecond)
    beats = BeatWindow(length: length)
    arrivals = ArrivalWindow(length: length)
  }

  /// Takes the next notification of a source that has arrival times; its beats come after it.
  mutating func append(_ notification: HeartRateMeasurement, arrival: SessionTime) {
    arrivals.append(
      arrival: arrival, rr: notification.rrIntervals.totalTicks,
      contactLost: notification.contact == .notDetected)
  }

  /// Takes the next beat and measures the window that ends with it.
  mutating func append(_ beat: Beat, wall: WallTime?) -> StressMeasurement {
    beats.append(beat)
    let nn = beats.sums
    var measurement = StressMeasurement(
      time: beat.end, wall: wall, verdict: beat.verdict, window: seconds, metric: metric, nn: nn,
      beats: beats.beats, coverage: arrivals.coverage, score: nil, confidence: Confidence())
    let meanNN = nn.meanNN
    measurement.score = score(hrv: metric.value(nn), meanNN: meanNN)
    setConfidence(of: &measurement, meanNN: meanNN)
    return measurement
  }

  /// Absent while the window holds too few beats for either input.
  private func score(hrv: Double?, meanNN: Double?) -> StressScore? {
    guard let hrv, let meanNN, meanNN > 0 else { return nil }
    return try? StressScore(
      StressScore.Inputs(
        hrv: hrv, heartRate: 60_000 / meanNN, baselineHRV: baseline.hrv(metric),
        restingHeartRate: baseline.restingHeartRate))
  }

  private func setConfidence(of measurement: inout StressMeasurement, meanNN: Double?) {
    let count = measurement.nn.count
    if let inputs = measurement.score?.inputs {
      measurement.confidence = Confidence(hrv: inputs.hrv, heartRate: inputs.heartRate, goodBeats: count)
    }
    measurement.confidence[.sampleCount] = ConfidenceCurves.sampleCount(count)
    measurement.confidence[.artefacts] = ConfidenceCurves.artefacts(measurement.artefactShare)
    measurement.confidence[.coverage] = ConfidenceCurves.coverage(arrivals, meanNN: meanNN)
    measurement.confidence[.windowFill] = ConfidenceCurves.windowFill(count, meanNN: meanNN, length: seconds)
    measurement.confidence[.contact] = arrivals.contactLostShare.map(ConfidenceCurves.contact)
    measurement.confidence[.sensor] = ConfidenceCurves.sensor(measurement.nn)
    measurement.confidence[.baseline] = ConfidenceCurves.baseline(days: baseline.days)
  }
}
