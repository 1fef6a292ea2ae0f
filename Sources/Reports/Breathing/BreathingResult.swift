package import Breathing
package import HRV
package import HeartRate
package import History
package import Localization
import SessionData
package import Stress

/// The outcome of a breathing exercise, measured from the events of its session.
package struct BreathingResult {
  /// The session, its settings and its baseline.
  package struct Session {
    package var id: SessionID?
    package var profile: String?
    package var started: WallTime?
    package var sensor: ComparedSide.Sensor
    package var settings: StressEngine.Settings
    package var baseline: Baseline

    package init(
      id: SessionID? = nil, profile: String? = nil, started: WallTime? = nil,
      sensor: ComparedSide.Sensor = ComparedSide.Sensor(),
      settings: StressEngine.Settings = StressEngine.Settings(), baseline: Baseline = .populationDefault
    ) {
      (self.id, self.profile, self.started, self.sensor) = (id, profile, started, sensor)
      (self.settings, self.baseline) = (settings, baseline)
    }

    /// The session of a file.
    package init(_ session: OpenedSession) {
      self.init(profile: session.header?.profile, started: session.started)
      guard let header = session.header else { return }
      (started, settings, baseline) = (header.started, header.settings, header.baseline)
      sensor.strap = header.strap
    }
  }

  /// The rest before, the breathing, or the rest after.
  package struct Part {
    package let times: Range<SessionTime>
    /// Absent if the part contains no beat.
    package let side: ComparedSide?
    package let score: StressScore?
    /// The range of the next minute in the same state.
    package let range: StressRange?

    /// The category of the stress value, if there is one and the rhythm is regular.
    package var category: StressCategory? {
      let rhythm = side?.data.trust.factors.first { $0.factor == .rhythm }?.value
      var confidence = Confidence()
      confidence[.rhythm] = rhythm
      return confidence.indicatesIrregularRhythm ? nil : score?.category
    }

    package var seconds: Double {
      SessionTime(ticks: times.upperBound.ticks - times.lowerBound.ticks).seconds
    }
  }

  package let session: Session
  package let times: ExerciseTimes
  package let breathing: PacedBreathing
  package let before: Part?
  package let during: Part
  package let after: Part?
  package let coherence: BreathCoherence?
  /// Absent unless the exercise searches the resonance.
  package let resonance: ResonanceEstimate?
  /// Comparison of the rests, if there are two.
  package let comparison: SessionComparison?

  /// Measures the exercise that is marked in `events`. Fails if its marks are missing.
  package init?(
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
      name: name, kind: .session, started: session.started, profile: session.profile, sensor: session.sensor,
      parts: [part])
    let score = side.flatMap { Self.score($0.series.sums, session) }
    let range = score.flatMap { score in
      side?.data.trust.quality.map {
        StressRange(score, $0, isMoving: false, weight: session.baseline.weight)
      }
    }
    return Part(times: times, side: side, score: score, range: range)
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

  package var change: RMSSDChange? { try? comparison?.change.get() }

  package var changed: StoredBreathing.Changed {
    change.map { $0.isChanged ? .yes : .no } ?? .cannotTell
  }

  /// Number of complete cycles.
  package var cycles: Int {
    times.stretches.reduce(0) { sum, stretch in
      let paused = times.pauses.reduce(0) { $0 + $1.clamped(to: stretch.times).ticks }
      return sum + Int((stretch.times.ticks - paused) / stretch.pattern.cycleTicks)
    }
  }

  package var plannedCycles: Int { breathing.stretches.reduce(0) { $0 + $1.cycles } }

  /// Name of the pattern; the first and the last rate if there are several patterns.
  package var pattern: Phrase {
    let patterns =
      times.stretches.isEmpty ? breathing.stretches.map(\.pattern) : times.stretches.map(\.pattern)
    guard let last = patterns.last, patterns.count > 1 else {
      return Phrase(known: patterns.first.map(\.name) ?? String())
    }
    return Phrase("\(Self.rate(patterns[0])) to \(Self.rate(last)) breaths/min")
  }

  /// The pattern in English, for JSON and the history.
  package var patternName: String { Language.english.text(pattern) }

  private static func rate(_ pattern: BreathingPattern) -> String {
    "\((pattern.rate * 100).rounded() / 100)"
  }

  /// The record for the history, if the session is stored.
  package var stored: StoredBreathing? {
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

/// Whether HRV changed in a stored breathing exercise, in plain words.
package struct BreathingSentence {
  private let exercise: StoredBreathing

  package init(_ exercise: StoredBreathing) { self.exercise = exercise }

  package var lines: [Phrase] {
    change ?? [Phrase("It cannot be told whether your HRV changed: \(missing).")]
  }

  /// The comparison of both rests, if there is one.
  private var change: [Phrase]? {
    guard let isChanged = exercise.changed.isChange, exercise.ratio != nil,
      let before = exercise.before.rmssd, let after = exercise.after.rmssd,
      let detectable = exercise.smallestDetectableRatio, detectable > 0
    else { return nil }
    return ChangeSentence.plain(isChanged: isChanged, from: before, to: after, detectable: detectable)
  }

  private var missing: Phrase {
    let nothing = StoredBreathing.Part()
    if exercise.before == nothing { return Phrase("the rest before was not measured") }
    if exercise.after == nothing { return Phrase("the rest after was not measured") }
    return Phrase("the data of a rest are too few, or their quality is too low")
  }
}
