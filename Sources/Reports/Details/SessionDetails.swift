package import HRV
package import HeartRate
package import History
import JSONLines
package import LiveSession
package import Stress

/// A stored session, computed from its events: beats, gaps, link, battery, marks, and the last measurement of each minute.
///
/// The events are processed with the settings and the baseline of the session, so the measurements equal the live ones.
/// Beats are counted by their final verdicts, as in an analysis, and by their provisional ones.
package struct SessionDetails {
  package let session: StoredSession
  package let journal: [JournalEntry]
  /// The breathing exercises of the session.
  package let exercises: [StoredBreathing]
  /// The nights of the session, compared with the nights before them.
  package let nights: [NightReport]
  package private(set) var notifications = 0
  package private(set) var undecodable = 0
  package private(set) var finalVerdicts: [Verdict: Int] = [:]
  package private(set) var provisionalVerdicts: [Verdict: Int] = [:]
  package private(set) var gaps: [Gap] = []
  package private(set) var links: [(at: SessionTime, change: LinkChange)] = []
  package private(set) var battery: [(at: SessionTime, percent: Int)] = []
  package private(set) var marks: [(at: SessionTime, text: String)] = []
  package private(set) var sensorClass: SensorClass?
  /// The last measurement of each minute that has one.
  package private(set) var minutes: [Minute] = []

  /// The last measurement of a minute.
  package struct Minute {
    /// End of the window.
    package let at: SessionTime
    package let rmssd: Double?
    package let sdnn: Double?
    package let heartRate: Double?
    package let confidence: Double
    /// Absent during movement and exertion, in an irregular rhythm, and if there is no stress value.
    package let category: StressCategory?
    /// Why the stress value is not a level.
    package let suspension: ScoreSuspension?
    private let score: StressScore?
    private let quality: WindowQuality
    private let isMoving: Bool
    private let baselineWeight: Double

    fileprivate init(_ measurement: StressMeasurement) {
      (at, rmssd, sdnn) = (measurement.time, measurement.rmssd, measurement.sdnn)
      (heartRate, confidence) = (measurement.nn.meanHeartRate, measurement.confidence.value)
      (score, quality, category) = (measurement.score, measurement.quality, measurement.statedCategory)
      suspension = measurement.score == nil ? nil : measurement.suspension
      isMoving = measurement.isMoving || measurement.confidence.indicatesExertion
      baselineWeight = measurement.baselineWeight
    }

    package var stress: Double? { score?.value }
    /// The stress value, unless it is not a level.
    package var statedStress: Double? { suspension == nil ? stress : nil }
    /// Computed on request, because a minute contains many measurements.
    package var interval: StressInterval? { score.map { StressInterval($0, quality) } }
    /// Computed on request, like ``interval``.
    package var range: StressRange? {
      score.map { StressRange($0, quality, isMoving: isMoving, weight: baselineWeight) }
    }

    /// Minutes since the beginning of the session.
    package var number: Int64 { at.ticks / (60 * RRInterval.ticksPerSecond) }
  }

  /// - Throws: `HistoryError` if the session cannot be read completely.
  package init(_ session: StoredSession, _ reader: HistoryReader) throws(HistoryError) {
    self.session = session
    journal = try reader.journal(of: session)
    exercises = try reader.breathingExercises(in: session.info.id)
    nights = try reader.nights(in: session.info.id).map { night throws(HistoryError) in
      try NightReport(night, reader)
    }
    let events = reader.events(of: session.info.id)
    read(events)
    if let failure = events.failure { throw failure }
  }

  private mutating func read(_ events: StoredEvents) {
    var engine = StressEngine(settings: session.info.settings, baseline: session.info.baseline)
    var raw = BeatStream(classification: .none)
    var beats: [Beat] = []
    for event in events {
      count(event)
      raw.update(event) { if case .beat(let beat) = $0 { beats.append(beat) } }
      engine.update(event) {
        count($0)
      } measured: {
        append($0)
      }
    }
    sensorClass = engine.sensorClass
    for beat in ArtefactClassifier.classify(beats) { finalVerdicts[beat.verdict, default: 0] += 1 }
  }

  private mutating func count(_ event: SessionEvent) {
    switch event.kind {
    case .notification: notifications += 1
    case .link(let change): links.append((event.at, change))
    case .battery(let level): battery.append((event.at, Int(level.percent)))
    case .mark(let text): marks.append((event.at, text))
    case .interval, .sensorFrame, .stream, .end: break
    }
  }

  private mutating func count(_ part: BeatStream.Event) {
    switch part {
    case .notification: break
    case .undecodable: undecodable += 1
    case .gap(let gap): gaps.append(gap)
    case .beat(let beat): provisionalVerdicts[beat.verdict, default: 0] += 1
    }
  }

  private mutating func append(_ measurement: StressMeasurement) {
    let minute = Minute(measurement)
    if minutes.last?.number == minute.number { minutes.removeLast() }
    minutes.append(minute)
  }

  package var beats: Int { finalVerdicts.values.reduce(0, +) }
  package var gapSeconds: Double { gaps.reduce(0) { $0 + $1.seconds } }

  /// Fraction of the beats that are not normal, 0 to 1. Undefined if there are no beats.
  package func artefactFraction(_ verdicts: [Verdict: Int]) -> Double? {
    beats > 0 ? 1 - Double(verdicts[.normal] ?? 0) / Double(beats) : nil
  }

  /// One object.
  package var json: [UInt8] {
    var line = JSONLine()
    line.line { line in
      session.put(into: &line)
      line.put("window_s", Duration(ticks: session.info.settings.window.ticks) / .seconds(1))
      line.put("metric", session.info.settings.metric.rawValue)
      line.put(.baselineRMSSD, session.info.baseline.rmssd)
      line.put(.baselineSDNN, session.info.baseline.sdnn)
      line.put(.restingHeartRate, session.info.baseline.restingHeartRate)
      line.put("baseline_origin", session.info.baseline.origin.rawValue)
      line.put("sensor_class", sensorClass?.rawValue)
      line.put("notifications", notifications)
      line.put("undecodable_notifications", undecodable)
      line.put("beats", beats)
      put("", provisionalVerdicts, into: &line)
      line.put("verdict_kind", "provisional")
      put("final_", finalVerdicts, into: &line)
      line.put("gaps", gaps.count)
      line.put("gap_s", gapSeconds)
      putLists(into: &line)
    }
    return line.bytes
  }

  private func put(_ prefix: String, _ verdicts: [Verdict: Int], into line: inout JSONLine) {
    line.put(prefix + MetricDefinition.artefacts.key, artefactFraction(verdicts).map { $0 * 100 })
    line.put("\(prefix)verdicts", verdicts)
  }

  private func putLists(into line: inout JSONLine) {
    line.put("gap_list", objects: gaps) { line, gap in
      line.put("start_s", seconds: gap.start)
      line.put("duration_s", gap.seconds)
      line.put("cause", gap.cause.rawValue)
    }
    line.put("link", objects: links) { line, link in
      line.put("monotonic_s", seconds: link.at)
      line.put("state", link.change.state.rawValue)
      line.put("reason", link.change.reason)
    }
    line.put("battery", objects: battery) { line, battery in
      line.put("monotonic_s", seconds: battery.at)
      line.put("battery_percent", battery.percent)
    }
    line.put("marks", objects: marks) { line, mark in
      line.put("monotonic_s", seconds: mark.at)
      line.put("text", mark.text)
    }
    line.put("minutes", objects: minutes) { line, minute in
      line.put("monotonic_s", seconds: minute.at)
      line.put(.rmssd, minute.rmssd)
      line.put(.sdnn, minute.sdnn)
      line.put(.meanHeartRate, minute.heartRate)
      line.put(.stress, minute.stress)
      line.put(minute.interval)
      line.put(.confidence, minute.confidence)
    }
    line.put("journal", objects: journal) { $1.put(into: &$0) }
    line.put("breathing", objects: exercises) { $1.put(into: &$0) }
    line.put("nights", objects: nights.map(\.night)) { $1.put(into: &$0) }
  }
}
