import Breathing
import HRV
import HeartRate
import History
import Localization
import Stress

/// What a breathing exercise came to, measured from the events of its session.
struct BreathingResult {
  /// Whose session it is, and what holds in it.
  struct Session {
    var id: SessionID?
    var profile: String?
    var started: WallTime?
    var sensor = ComparedSide.Sensor()
    var settings = StressEngine.Settings()
    var baseline = Baseline.populationDefault
  }

  /// One of the rest before, the breathing, and the rest after.
  struct Part {
    let times: Range<SessionTime>
    /// Nil where it holds no beat.
    let side: ComparedSide?
    let score: StressScore?

    var seconds: Double { SessionTime(ticks: times.upperBound.ticks - times.lowerBound.ticks).seconds }
  }

  let session: Session
  let times: ExerciseTimes
  let breathing: PacedBreathing
  let before: Part?
  let during: Part
  let after: Part?
  let coherence: BreathCoherence?
  /// Of an exercise that looks for it.
  let resonance: ResonanceEstimate?
  /// Of the rests; nil where one of them is missing.
  let comparison: SessionComparison?

  /// - Parameter events: of the session, with the marks of the exercise. Nil without those.
  init?(
    _ events: [SessionEvent], of session: Session, breathing: PacedBreathing, findsResonance: Bool,
    variability: RestVariability
  ) {
    guard let times = ExerciseTimes(events) else { return nil }
    (self.session, self.times, self.breathing) = (session, times, breathing)
    func part(_ range: Range<SessionTime>, _ name: String) -> Part {
      Self.part(range, name, events, session)
    }
    let before = times.before.map { part($0, "the rest before") }
    let after = times.after.map { part($0, "the rest after") }
    (self.before, self.after) = (before, after)
    during = part(times.during, "the breathing")
    let beats = ArtefactClassifier.classify(CollectedBeats(events).beats)
    let paced = times.stretches.map { PacedBeats(beats, in: $0, pauses: times.pauses) }
    coherence = BreathCoherence(paced)
    resonance = findsResonance ? ResonanceEstimate(paced) : nil
    comparison = before?.side.flatMap { before in
      after?.side.map { SessionComparison(before, $0, selection: .time, variability: variability) }
    }
  }

  private static func part(
    _ times: Range<SessionTime>, _ name: String, _ events: [SessionEvent], _ session: Session
  ) -> Part {
    let part = SessionPart(
      events: events, settings: session.settings, baseline: session.baseline, start: times.lowerBound,
      end: times.upperBound)
    let side = try? ComparedSide(
      name: name, kind: "session", started: session.started, profile: session.profile, sensor: session.sensor,
      parts: [part])
    return Part(times: times, side: side, score: side.flatMap { score($0.series.sums, session) })
  }

  private static func score(_ sums: NNSums, _ session: Session) -> StressScore? {
    guard let hrv = session.settings.metric.value(sums), let heartRate = sums.meanHeartRate else {
      return nil
    }
    return score(hrv: hrv, heartRate: heartRate, session)
  }

  static func score(hrv: Double, heartRate: Double, _ session: Session) -> StressScore? {
    try? StressScore(
      StressScore.Inputs(
        hrv: hrv, heartRate: heartRate, baselineHRV: session.baseline.hrv(session.settings.metric),
        restingHeartRate: session.baseline.restingHeartRate))
  }

  var change: RMSSDChange? { try? comparison?.change.get() }

  var changed: StoredBreathing.Changed {
    change.map { $0.isChanged ? .yes : .no } ?? .cannotTell
  }

  /// Whole cycles that were led through.
  var cycles: Int {
    times.stretches.reduce(0) { sum, stretch in
      let paused = times.pauses.reduce(0) { $0 + $1.clamped(to: stretch.times).ticks }
      return sum + Int((stretch.times.ticks - paused) / stretch.pattern.cycleTicks)
    }
  }

  var plannedCycles: Int { breathing.stretches.reduce(0) { $0 + $1.cycles } }

  /// The pattern by its name; of several the rates.
  var pattern: Phrase {
    let patterns =
      times.stretches.isEmpty ? breathing.stretches.map(\.pattern) : times.stretches.map(\.pattern)
    guard let last = patterns.last, patterns.count > 1 else {
      return Phrase(known: patterns.first.map(\.name) ?? String())
    }
    return Phrase("\(Self.rate(patterns[0])) to \(Self.rate(last)) breaths/min")
  }

  /// As it is stored, and as programs read it.
  var patternName: String { Language.english.text(pattern) }

  static func rate(_ pattern: BreathingPattern) -> String { "\((pattern.rate * 100).rounded() / 100)" }

  /// As the history keeps it; nil where the session is not in it.
  var stored: StoredBreathing? {
    guard let id = session.id, let profile = session.profile, let started = session.started else {
      return nil
    }
    var stored = StoredBreathing(
      session: id, profile: profile, time: started.advanced(ticks: times.during.lowerBound.ticks),
      pattern: patternName,
      cycles: cycles, plannedCycles: plannedCycles, seconds: during.seconds)
    (stored.before, stored.during, stored.after) = (
      Self.stored(before), Self.stored(during), Self.stored(after)
    )
    (stored.coherence, stored.amplitude) = (coherence?.value, coherence?.amplitude)
    stored.changed = changed
    stored.ratio = change.map { .init(value: $0.ratio.value, low: $0.ratio.low, high: $0.ratio.high) }
    stored.smallestDetectableRatio = change?.smallestDetectableRatio
    stored.resonance = (try? resonance?.rate.get()).map { .init(value: $0.value, low: $0.low, high: $0.high) }
    return stored
  }

  private static func stored(_ part: Part?) -> StoredBreathing.Part {
    let sums = part?.side?.series.sums
    return StoredBreathing.Part(
      rmssd: sums?.rmssd, sdnn: sums?.sdnn, heartRate: sums?.meanHeartRate, stress: part?.score?.value,
      confidence: part?.side?.data.trust.confidence)
  }
}

extension Range<SessionTime> {
  fileprivate var ticks: Int64 { upperBound.ticks - lowerBound.ticks }
}
