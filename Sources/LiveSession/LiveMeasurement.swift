package import HRV
package import HeartRate
import JSONLines
package import Stress

/// The values of a measurement that displays and outlets use: of a line, of the engine, or of the history.
package struct LiveMeasurement: Equatable, Sendable {
  package var time: WallTime?
  /// The provisional verdict of the newest beat.
  package var verdict: Verdict?
  /// In ms.
  package var rmssd: Double?
  package var sdnn: Double?
  /// Mean heart rate of the window in bpm.
  package var meanHeartRate: Double?
  /// 0 to 100, also while it is not stated.
  package var stress: Double?
  /// The 90 % interval of `stress`.
  package var interval: ClosedRange<Double>?
  /// The range of the next minute in the same state.
  package var range: ClosedRange<Double>?
  /// The range of the level that the uncertainty of the baseline implies. A solid baseline implies none.
  package var levelRange: ClosedRange<Double>?
  /// 0 to 1, if the line contains it.
  package var confidence: Double?
  /// The known factors of the confidence.
  package var factors = Confidence()
  /// Percentage of the window's beats that are not normal.
  package var artefacts: Double?
  /// Seconds of data in the window, and its length.
  package var collected: Double?
  package var window: Double?
  /// Number of normal beats in the window, and the sum of their intervals in s.
  package var normalBeats: Int?
  package var normalSeconds: Double?
  /// The kind of intervals that the sensor sends, once it is known.
  package var sensorClass: SensorClass?
  private var category: StressCategory?
  private var isMoving = false

  /// A measurement with the category of its stress value. Omitted values are unknown.
  package init(
    time: WallTime? = nil, rmssd: Double? = nil, sdnn: Double? = nil, meanHeartRate: Double? = nil,
    stress: Double? = nil, confidence: Double? = nil, factors: Confidence = Confidence()
  ) {
    (self.time, self.rmssd, self.sdnn, self.meanHeartRate) = (time, rmssd, sdnn, meanHeartRate)
    (self.stress, self.confidence, self.factors) = (stress, confidence, factors)
    category = factors.statesLevel ? stress.map(StressCategory.init(score:)) : nil
    isMoving = factors.indicatesLocomotion
  }

  /// Why no stress level is stated. Absent if it is stated, and if there is no stress value to state.
  package var suspension: ScoreSuspension? {
    guard stress != nil else { return isMoving ? .moving : factors.indicatesExertion ? .exertion : nil }
    return isMoving ? .moving : factors.suspension ?? (category == nil ? .irregularRhythm : nil)
  }

  /// The stress value to show. Hidden during motion and exertion, and in an irregular rhythm.
  package var statedStress: Double? { suspension == nil ? stress : nil }
  package var statedCategory: StressCategory? { suspension == nil ? category : nil }

  /// Seconds of data that a stress value requires: 30 s, or the complete window if it is shorter.
  package var requiredSeconds: Double? { window.map { min(30, $0) } }

  /// RMSSD or SDNN in ms.
  package func hrv(_ metric: HRVMetric) -> Double? { metric == .rmssd ? rmssd : sdnn }
}

extension LiveMeasurement {
  package init(_ measurement: StressMeasurement) {
    self.init(
      time: measurement.wall, rmssd: measurement.rmssd, sdnn: measurement.sdnn,
      meanHeartRate: measurement.nn.meanHeartRate, stress: measurement.score?.value,
      confidence: measurement.confidence.value, factors: measurement.confidence)
    (verdict, category) = (measurement.verdict, measurement.statedCategory)
    interval = measurement.interval.flatMap { Self.interval($0.low, $0.high) }
    range = measurement.range.flatMap { Self.interval($0.low, $0.high) }
    levelRange = measurement.levelRange.flatMap { Self.interval($0.low, $0.high) }
    artefacts = measurement.artefactFraction * 100
    (collected, window) = (measurement.coveredSeconds, measurement.window)
    normalBeats = measurement.nn.count
    normalSeconds = Self.seconds(measurement.nn.count, measurement.nn.meanNN)
    sensorClass = measurement.sensorClass
    isMoving = measurement.motion?.isMoving ?? isMoving
  }

  /// The members of a measurement line.
  init(_ object: JSONObject) {
    let known = object[LineKey.factors].flatMap(object.object)
    factors = Confidence.Factor.allCases.reduce(into: Confidence()) { confidence, factor in
      confidence[factor] = known?.value(factor.rawValue)
    }
    time = object.text(LineKey.time).flatMap(WallTime.init(rfc3339:))
    verdict = object.text(LineKey.verdict).flatMap(Verdict.init(rawValue:))
    (rmssd, sdnn) = (object.value(LineKey.rmssd), object.value(LineKey.sdnn))
    meanHeartRate = object.heartRate(LineKey.meanHeartRate)
    stress = object.value(LineKey.stress)
    let bounds = { (low: String, high: String) in Self.interval(object.value(low), object.value(high)) }
    interval = bounds(LineKey.stressLow, LineKey.stressHigh)
    range = bounds(LineKey.stressRangeLow, LineKey.stressRangeHigh)
    levelRange = bounds(LineKey.levelLow, LineKey.levelHigh)
    category = object.text(LineKey.category).flatMap(StressCategory.init(rawValue:))
    confidence = object.value(LineKey.confidence)
    isMoving = object[LineKey.moving].flatMap(object.boolean) ?? factors.indicatesLocomotion
    artefacts = object.value(LineKey.artefacts)
    (collected, window) = (object.value(LineKey.covered), object.value(LineKey.window))
    normalBeats = object.integer(LineKey.beats)
    normalSeconds = Self.seconds(normalBeats, object.value(LineKey.meanNN))
    sensorClass = object.text(LineKey.sensorClass).flatMap(SensorClass.init(rawValue:))
  }

  /// The sum of `beats` intervals in s, from their mean in ms.
  private static func seconds(_ beats: Int?, _ mean: Double?) -> Double? {
    beats.flatMap { beats in mean.map { Double(beats) * $0 / 1000 } }
  }

  private static func interval(_ low: Double?, _ high: Double?) -> ClosedRange<Double>? {
    guard let low, let high, low <= high else { return nil }
    return low...high
  }
}

extension Confidence {
  /// The factors that lower the confidence visibly, the lowest first.
  package var doubts: [(factor: Factor, value: Double)] {
    known.filter { Self.isDoubt($0.value) }.sorted { $0.value < $1.value }
  }

  /// Whether a factor is displayed as less than 1.00 or 100 %.
  package static func isDoubt(_ value: Double) -> Bool { value < 0.995 }
}
