public import HRV
public import HeartRate
public import Motion

/// Computes measurements from a sliding window of beats and notifications, relative to a baseline.
@usableFromInline
struct StressWindow: Sendable {
  let baseline: Baseline
  private var beats: BeatWindow
  private var arrivals: ArrivalWindow
  private var sensor = SensorClassifier()
  private var motion: MotionWindow
  private var exertion: ExertionEstimator
  /// The quantities of the notifications; the others are 0.
  private var arrivalQuality = WindowQuality()
  /// Fraction of the beats of the window that an electrocardiogram verifies. Absent without one.
  private var verified: Double?
  /// The score inputs of a person whose values equal the baseline, unless these are out of range.
  private let usual: StressScore.Inputs?
  /// The measurement of the window that ends with the last beat. Updated in place, because measurements are
  /// large.
  @usableFromInline private(set) var measurement: StressMeasurement

  init(length: Duration, metric: HRVMetric, baseline: Baseline) {
    self.baseline = baseline
    beats = BeatWindow(length: length)
    arrivals = ArrivalWindow(length: length)
    motion = MotionWindow(length: length)
    exertion = ExertionEstimator(restingHeartRate: baseline.restingHeartRate, rmssd: baseline.rmssd)
    measurement = StressMeasurement(
      time: .zero, wall: nil, verdict: .normal,
      window: Double(length.ticks) / Double(RRInterval.ticksPerSecond),
      metric: metric, nn: NNSums(), beats: 0, covered: 0, coverage: nil, sensorClass: nil, score: nil,
      confidence: Confidence())
    measurement.baselineWeight = baseline.weight
    measurement.confidence[.baseline] = ConfidenceCurves.baseline(weight: baseline.weight)
    for factor in Self.constantlyPresent { measurement.confidence[factor] = 1 }
    let usual = StressScore.Inputs(
      hrv: baseline.hrv(metric), heartRate: baseline.restingHeartRate, baselineHRV: baseline.hrv(metric),
      restingHeartRate: baseline.restingHeartRate)
    self.usual = (try? StressScore(usual))?.inputs
  }

  /// The factors that every measurement has.
  private static let constantlyPresent: [Confidence.Factor] = [
    .sampleCount, .sensor, .abnormalBeats, .lostData, .tail, .noise,
  ]

  /// The type of RR intervals that the sensor sends.
  var sensorClass: SensorClass? { sensor.sensorClass }

  /// Processes a notification of a source with arrival times, before its beats.
  @usableFromInline
  mutating func append(_ notification: HeartRateMeasurement, arrival: SessionTime) {
    sensor.append(notification, arrival: arrival)
    arrivals.append(
      arrival: arrival, rr: notification.rrIntervals.totalTicks,
      contactLost: notification.contact == .notDetected)
    measurement.coverage = arrivals.coverage
    arrivalQuality.duplicates = WindowQuality.duplicates(coverage: measurement.coverage)
    arrivalQuality.contactLost = arrivals.contactLostFraction ?? 0
  }

  /// Processes the features of a second of acceleration.
  @usableFromInline
  mutating func append(_ second: MotionSecond) { motion.append(second) }

  /// Adds a beat to the verification, before ``append(_:wall:)``.
  @usableFromInline
  mutating func verify(_ beat: Beat, with ecg: inout ECGMonitor) {
    ecg.append(beat)
    let length = Int64((measurement.window * Double(RRInterval.ticksPerSecond)).rounded())
    verified = ecg.verifiedFraction(after: SessionTime(ticks: beat.end.ticks - length))
  }

  /// Processes a beat and computes the measurement of the window that ends with it.
  @usableFromInline
  mutating func append(_ beat: Beat, wall: WallTime?) {
    beats.append(beat)
    measurement.time = beat.end
    measurement.wall = wall
    measurement.verdict = beat.verdict
    beats.copySums(to: &measurement.nn)
    measurement.beats = beats.beats
    measurement.covered = beats.covered
    if !motion.isEmpty { setMotion() }
    let meanNN = measurement.nn.meanNN
    sensor.append(beat)
    measurement.sensorClass = sensor.sensorClass
    // The variability of averaged intervals is not HRV.
    measurement.score = sensorClass == .smoothed ? nil : score(meanNN: meanNN)
    // Computed once, because two factors of the confidence use it.
    let pattern = beats.pattern
    let randomness = pattern.randomness
    let quality = quality(pattern, randomness: randomness, meanNN: meanNN)
    let disturbances = DisturbanceFactors(quality, measurement.score)
    measurement.quality = quality
    setConfidence(disturbances, randomness: randomness)
  }

  /// Returns the score, unless the window contains too little data or the baseline is out of range.
  @inline(__always)
  private func score(meanNN: Double?) -> StressScore? {
    guard measurement.hasRequiredData, var inputs = usual, let hrv = measurement.metric.value(measurement.nn),
      let meanNN, meanNN > 0
    else { return nil }
    inputs.hrv = hrv
    inputs.heartRate = 60_000 / meanNN
    return StressScore(checked: inputs)
  }

  /// Without acceleration, movement and its factor are absent.
  private mutating func setMotion() {
    measurement.motion = motion.summary(at: measurement.time)
    measurement.confidence[.motion] = measurement.motion.map(ConfidenceCurves.motion)
  }

  /// Returned by value: a copy from the measurement would wait for the writes to it.
  @inline(__always)
  private mutating func quality(
    _ pattern: DifferencePattern, randomness: Double, meanNN: Double?
  ) -> WindowQuality {
    var quality = arrivalQuality
    quality.abnormalBeats = WindowQuality.abnormalBeats(beats.abnormalBeats, of: beats.beats)
    quality.lostData = WindowQuality.lostData(
      found: measurement.nn.differences, meanNN: meanNN, length: measurement.window)
    quality.tail = pattern.tail ?? 0
    quality.noise = pattern.randomNoise(randomness: randomness) ?? 0
    return quality
  }

  /// Updates each factor in place; that of the baseline is constant.
  @inline(__always)
  private mutating func setConfidence(_ disturbances: DisturbanceFactors, randomness: Double) {
    let inputs = measurement.score?.inputs
    measurement.confidence.setRange(of: inputs, isPersonal: baseline.isPersonal)
    measurement.confidence.update(.sampleCount, ConfidenceCurves.sampleCount(measurement.nn.count))
    measurement.confidence[.rhythm] = beats.irregularity(randomness: randomness).map(ConfidenceCurves.rhythm)
    measurement.confidence[.contact] = arrivals.contactLostFraction.map { _ in disturbances.contact }
    measurement.confidence.update(
      .sensor,
      ConfidenceCurves.sensor(
        measurement.nn.unchangedFraction, of: measurement.nn.differences, measurement.sensorClass,
        couldBeAveraged: sensor.couldBeAveraged))
    measurement.confidence.update(.abnormalBeats, disturbances.abnormalBeats)
    measurement.confidence.update(.lostData, disturbances.lostData)
    measurement.confidence.update(.tail, disturbances.tail)
    measurement.confidence.update(.noise, disturbances.noise)
    measurement.confidence[.exertion] = inputs.flatMap { exertionFactor($0) }
    if let verified { applyVerification(verified) }
  }

  /// Verified beats remove the uncertainty of provisional verdicts: that like the beats that were excluded, others are not
  /// normal but undetected, and that large or random differences are errors of the detection.
  private mutating func applyVerification(_ verified: Double) {
    for factor in [Confidence.Factor.abnormalBeats, .tail, .noise] {
      guard let value = measurement.confidence[factor] else { continue }
      measurement.confidence.update(factor, 1 - (1 - value) * (1 - verified))
    }
  }

  @inline(__always)
  private mutating func exertionFactor(_ inputs: StressScore.Inputs) -> Double? {
    let rmssd = measurement.metric == .rmssd ? inputs.hrv : measurement.nn.rmssd
    exertion.update(at: measurement.time, heartRate: inputs.heartRate, rmssd: rmssd)
    return exertion.factor
  }
}
