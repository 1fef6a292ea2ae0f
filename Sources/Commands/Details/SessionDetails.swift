import HRV
import HeartRate
import History
import JSONLines
import Stress

/// A stored session as its events tell it: beats, gaps, link, battery, marks, and each minute's last measurement.
///
/// The events run through the engine with the settings and the baseline of the session, so that measurements are as they
/// were live. Beats are counted by their final verdicts, as `analyze` counts them, and by the provisional ones.
struct SessionDetails {
  let session: StoredSession
  let journal: [JournalEntry]
  /// What the breathing exercises in it came to.
  let exercises: [StoredBreathing]
  private(set) var notifications = 0
  private(set) var undecodable = 0
  private(set) var finalVerdicts: [Verdict: Int] = [:]
  private(set) var provisionalVerdicts: [Verdict: Int] = [:]
  private(set) var gaps: [Gap] = []
  private(set) var links: [(at: SessionTime, change: LinkChange)] = []
  private(set) var battery: [(at: SessionTime, percent: Int)] = []
  private(set) var marks: [(at: SessionTime, text: String)] = []
  private(set) var sensorClass: SensorClass?
  /// The last measurement of each minute that has one.
  private(set) var minutes: [Minute] = []

  /// What was measured in the minute that a beat ended in.
  struct Minute {
    /// When the beat ended that the window ends with.
    let at: SessionTime
    let rmssd: Double?
    let sdnn: Double?
    let heartRate: Double?
    let stress: Double?
    let confidence: Double

    /// Counted from the beginning of the session.
    var number: Int64 { at.ticks / (60 * RRInterval.ticksPerSecond) }
  }

  /// - Throws: ``HistoryError`` where the session cannot be read to its end.
  init(_ session: StoredSession, _ context: CommandContext) throws {
    self.session = session
    guard let reader = try context.reader() else {
      throw HistoryError(.replaced, path: context.location.path, .read)
    }
    journal = try reader.journal(of: session)
    exercises = try reader.breathingExercises(in: session.info.id)
    let events = reader.events(of: session.info.id)
    read(events)
    if let failure = events.failure { throw failure }
  }

  private mutating func read(_ events: StoredEvents) {
    var engine = StressEngine(settings: session.info.settings, baseline: session.info.baseline)
    var raw = BeatStream(classification: .none)
    var beats: [Beat] = []
    for event in events {
      note(event)
      raw.update(event) { if case .beat(let beat) = $0 { beats.append(beat) } }
      engine.update(event) {
        take($0)
      } measured: {
        take($0)
      }
    }
    sensorClass = engine.sensorClass
    for beat in ArtefactClassifier.classify(beats) { finalVerdicts[beat.verdict, default: 0] += 1 }
  }

  private mutating func note(_ event: SessionEvent) {
    switch event.kind {
    case .notification: notifications += 1
    case .link(let change): links.append((event.at, change))
    case .battery(let level): battery.append((event.at, Int(level.percent)))
    case .mark(let text): marks.append((event.at, text))
    case .interval, .end: break
    }
  }

  private mutating func take(_ part: BeatStream.Event) {
    switch part {
    case .notification: break
    case .undecodable: undecodable += 1
    case .gap(let gap): gaps.append(gap)
    case .beat(let beat): provisionalVerdicts[beat.verdict, default: 0] += 1
    }
  }

  private mutating func take(_ measurement: StressMeasurement) {
    let minute = Minute(
      at: measurement.time, rmssd: measurement.nn.rmssd, sdnn: measurement.nn.sdnn,
      heartRate: measurement.nn.meanHeartRate, stress: measurement.score?.value,
      confidence: measurement.confidence.value)
    if minutes.last?.number == minute.number { minutes.removeLast() }
    minutes.append(minute)
  }

  var beats: Int { finalVerdicts.values.reduce(0, +) }
  var gapSeconds: Double { gaps.reduce(0) { $0 + $1.seconds } }

  /// Fraction of the beats that are not normal, 0 to 1; nil without beats.
  func artefactFraction(_ verdicts: [Verdict: Int]) -> Double? {
    beats > 0 ? 1 - Double(verdicts[.normal] ?? 0) / Double(beats) : nil
  }

  var json: [UInt8] {
    var line = JSONLine()
    line.line { line in
      session.put(into: &line)
      line.put("window_s", Duration(ticks: session.info.settings.window.ticks) / .seconds(1))
      line.put("metric", session.info.settings.metric.rawValue)
      line.put("baseline_rmssd_ms", session.info.baseline.rmssd)
      line.put("baseline_sdnn_ms", session.info.baseline.sdnn)
      line.put("resting_hr_bpm", session.info.baseline.restingHeartRate)
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
    line.put("\(prefix)artefact_percent", artefactFraction(verdicts).map { $0 * 100 })
    line.put("\(prefix)verdicts") { all in
      for verdict in Verdict.allCases { all.put(verdict.rawValue, verdicts[verdict] ?? 0) }
    }
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
      line.put("rmssd_ms", minute.rmssd)
      line.put("sdnn_ms", minute.sdnn)
      line.put("mean_hr_bpm", minute.heartRate)
      line.put("stress", minute.stress)
      line.put("confidence", minute.confidence)
    }
    line.put("journal", objects: journal) { $1.put(into: &$0) }
    line.put("breathing", objects: exercises) { $1.put(into: &$0) }
  }
}
