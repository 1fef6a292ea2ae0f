package import HRV
package import HeartRate
package import History
package import Stress

/// One part of a morning reading, measured from the events of its session with final verdicts.
package struct MorningPart {
  package let posture: MorningPosture
  package let times: Range<SessionTime>
  private let series: NNSeries
  private let trust: WindowTrust
  private let sensorClass: SensorClass?
  /// Whether the session ended before the part was complete.
  private let isInterrupted: Bool

  /// - Parameter session: The settings and the baseline of the session.
  init(
    _ posture: MorningPosture, _ times: Range<SessionTime>, _ events: [SessionEvent],
    of session: BreathingResult.Session
  ) {
    (self.posture, self.times) = (posture, times)
    let found = MorningBeats(events, in: times)
    (series, sensorClass) = (found.series, found.sensorClass)
    var samples = WindowTrust.Samples()
    let part = SessionPart(events: events, settings: session.settings, baseline: session.baseline)
    samples.add(part, from: times.lowerBound, through: times.upperBound)
    trust = WindowTrust(samples)
    isInterrupted = (events.last?.at ?? .zero) < times.upperBound
  }

  package var sums: NNSums { series.sums }
  package var seconds: Double {
    SessionTime(ticks: times.upperBound.ticks - times.lowerBound.ticks).seconds
  }

  /// Number of beats, normal or not.
  package var beats: Int { series.beats }
  /// Fraction of the beats that are not normal, 0 to 1. Undefined if there are no beats.
  package var artefactFraction: Double? { series.artefactFraction }
  package var confidence: Double? { trust.confidence }
  /// The reasons for a confidence below 1, the lowest factor first.
  package var doubts: [String] { trust.reasons }

  private static let fewestBeats = 30
  private static let leastCoverage = 0.5
  private static let mostArtefacts = 0.1
  private static let leastStill = 0.8
  private static let leastConfidence = 0.5

  /// Why the part does not belong to the series. A valid part does.
  package var refusal: StoredMorning.Refusal? {
    if sensorClass == .smoothed { return .sensor }
    if isInterrupted { return .interrupted }
    if !hasEnoughBeats { return .fewBeats }
    if let fraction = artefactFraction, fraction > Self.mostArtefacts { return .artefacts }
    if let still = trust.still, still < Self.leastStill { return .motion }
    let exertion = trust.factors.first { $0.factor == .exertion }?.value ?? 1
    // Standing up raises the heart rate without exertion.
    if exertion < Self.leastConfidence, posture != .standing { return .exertion }
    return trust.value < Self.leastConfidence ? .lowConfidence : nil
  }

  private var hasEnoughBeats: Bool {
    let normal = SessionTime(ticks: sums.totalTicks).seconds
    return sums.count >= Self.fewestBeats && normal >= Self.leastCoverage * seconds && sums.rmssd ?? 0 > 0
  }
}
