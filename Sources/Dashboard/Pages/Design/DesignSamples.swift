import Breathing
import HeartRate
import History
import LiveFeed
import LiveSession
import Localization
import Platform
import Reports
import Stress

/// The values with which the page of all components shows them: the same at each request.
struct DesignSamples: Sendable {
  /// A Wednesday in March, in days since 1970-01-01.
  static let day: Int64 = 20_530
  static let profile = "me"
  private static let calendar = LocalCalendar.system

  static func time(_ hour: Int64, _ minute: Int64 = 0, day: Int64 = day) -> WallTime {
    calendar.start(ofDay: day).moved(seconds: 3600 * hour + 60 * minute)
  }

  static var session: SessionID {
    var generator = Constant()
    return SessionID(started: time(8), using: &generator)
  }

  private struct Constant: RandomNumberGenerator {
    func next() -> UInt64 { 1 }
  }

  // MARK: Now

  /// A session that measures `stress`.
  static func live(_ stress: Double?, isSimulated: Bool = false) -> NowModel {
    var model = NowModel()
    model.report = report(stress, .live, isSimulated: isSimulated)
    return model
  }

  static func report(
    _ stress: Double?, _ freshness: StatusReport.Freshness, isSimulated: Bool = false, age: Int64 = 1,
    _ change: (inout Confidence) -> Void = { _ in }
  ) -> StatusReport {
    var factors = Confidence()
    change(&factors)
    var measurement = LiveMeasurement(
      time: time(12), rmssd: 42.3, sdnn: 55.1, meanHeartRate: 68.2, stress: stress, confidence: 0.93,
      factors: factors)
    measurement.range = stress.map { max(0, $0 - 9)...min(100, $0 + 11) }
    measurement.artefacts = 0.4
    return StatusReport(
      freshness: freshness, time: time(12), age: age, measurement: measurement, metric: .rmssd,
      isSimulated: isSimulated)
  }

  /// The page Now with a notice.
  static func state(_ notice: NowModel.Notice) -> NowModel {
    var model = NowModel()
    switch notice {
    case .nothing: break
    case .searching: model.feed = feed(.searching)
    case .collecting:
      (model.feed, model.report) = (feed(.connected), report(nil, .live))
      model.report?.collected = StatusReport.Collected(seconds: 14, required: 30)
    case .live: model.report = report(31, .live)
    case .lost: (model.feed, model.report) = (feed(.lost), report(38, .stale(reason: nil), age: 40))
    case .silent: (model.feed, model.report) = (feed(.connected), report(38, .stale(reason: nil), age: 40))
    case .interrupted: model.report = report(38, .stale(reason: nil), age: 300)
    case .ended: model.report = report(38, .ended, age: 7200)
    }
    return model
  }

  /// A session whose link has a state.
  static func feed(_ state: LinkChange.State, battery: Int? = nil) -> LiveSnapshot {
    var hello = FeedHello(
      version: programVersion, session: "sample", profile: profile, started: time(11, 55).rfc3339,
      isSimulated: false)
    (hello.state, hello.isStale, hello.battery) = (state.rawValue, state != .connected, battery)
    (hello.strap, hello.strapName) = ("00:00:00:00:00:00", "Polar H10")
    return LiveSnapshot(hello)
  }

  /// A session of five minutes with all values.
  static var running: NowModel {
    var model = live(31)
    var feed = feed(.connected, battery: 82)
    let lines = (0..<300).flatMap(lines)
    for line in lines { if let content = line.content { feed.update(content, at: 0) } }
    (model.feed, model.beats) = (feed, LiveBeats(lines))
    model.report = StatusReport(feed, metric: .rmssd, now: 0)
    model.moods = [8, 3, 0, 5, 6, 10, 7].enumerated().map {
      NowModel.DayMood(day: day - 6 + Int64($0), mood: Mood($1))
    }
    return model
  }

  /// The lines of one second.
  private static func lines(_ second: Int) -> [FeedLine] {
    let time = time(11, 55).moved(seconds: Int64(second)).rfc3339
    let breath = wave(second, 8)
    let slow = wave(second, 150)
    let interval = second == 222 ? 620 : 880 + 60 * breath
    let head = "\"time\":\"\(time)\",\"monotonic_s\":\(second)"
    let texts = [
      "{\"type\":\"notification\",\(head),\"hr_bpm\":\((60_000 / interval).fixed(0)),\"rr_ms\":[\(interval)]}",
      "{\"type\":\"motion\",\(head),\"respiration_brpm\":\(14 + slow)}",
      """
      {"type":"measurement",\(head),"verdict":"\(second == 222 ? "ectopic" : "normal")","rmssd_ms":\(42 + 4 * slow),\
      "sdnn_ms":\(55 + 3 * slow),"mean_hr_bpm":68,"stress":\(31 + 12 * slow),"stress_range_low":22,"stress_range_high":44,\
      "category":"mild","confidence":0.93,"artefact_percent":0.4}
      """,
    ]
    return texts.enumerated().map { place, text in
      FeedLine(session: "sample", number: 3 * second + place + 1, bytes: Array(text.utf8))
    }
  }

  /// A triangular wave from -1 to 1.
  private static func wave(_ time: Int, _ period: Int) -> Double {
    abs(Double(time % period) / Double(period) - 0.5) * 4 - 1
  }

  static var prompt: StoredPrompt {
    StoredPrompt(
      id: 1, profile: profile, session: session,
      measurement: StressPrompt(time: time(12), stress: 71, confidence: 0.9, rmssd: 24, normal: 36...58),
      answer: nil, answered: nil, entry: nil)
  }

  // MARK: Days

  /// Quarters of an hour from 7 to 22 h whose stress rises until the afternoon and falls again.
  static func quarters(_ day: Int64, highest: Double) -> [QuarterHour] {
    (28..<88).filter { $0 < 50 || $0 >= 54 }.map { quarter in
      let distance = abs(Double(quarter) - 62) / 34
      let stress = min(max(8, highest * (1 - distance) + 6 * wave(quarter, 5)), 98)
      return QuarterHour(
        start: time(0, Int64(15 * quarter), day: day),
        sums: MeasurementSums(90, stress: stress, rmssd: 60 - stress / 3, heartRate: 62 + stress / 4),
        isSimulated: false)
    }
  }

  /// The weeks before, whose days have each category.
  static var means: DayMeans { DayMeans(weeks, calendar) }

  /// The quarters of an hour of 24 days, by time.
  private static var weeks: [QuarterHour] {
    let earlier = (1...23).reversed().filter { $0 % 7 != 3 }.flatMap { place -> [QuarterHour] in
      let highest = Double(16 + place * 97 % 160)
      return quarters(day - Int64(place), highest: highest)
    }
    return earlier + quarters(day, highest: 88)
  }

  /// The trends of a week with two moods; none if nothing was measured.
  static func trends(isMeasured: Bool) -> TrendReport {
    let period = TrendPeriod(days: 7, step: .day, until: time(20), calendar)
    let moods = [mood(8, day: day - 2), mood(4, day: day)]
    let trends = Trends(
      period, isMeasured ? weeks.filter { period.times.contains($0.start) } : [],
      journal: isMeasured ? moods : [])
    return TrendReport(
      profile: profile, trends: trends, metric: .rmssd, baseline: .populationDefault, normal: 36...58)
  }

  private static func mood(_ rating: Int, day: Int64) -> JournalEntry {
    JournalEntry(
      profile: profile, time: time(17, 40, day: day), utcOffset: 0, mood: Mood(rating), triggers: [],
      note: nil)
  }

  /// Morning readings of 30 days.
  static var mornings: DailyTrend<StoredMorning> {
    let days = Int(day) - 29..<Int(day) + 1
    let all = (Int(day) - 60...Int(day)).filter { $0 % 6 != 1 }.map { day -> StoredMorning in
      var reading = StoredMorning(
        session: session, profile: profile, time: time(7, 5, day: Int64(day)), day: day, posture: .lying,
        seconds: 60)
      let slow = wave(day, 11)
      (reading.rmssd, reading.heartRate) = (46 + 9 * slow + 3 * wave(day, 4), 57 - 3 * slow)
      (reading.confidence, reading.counts) = (0.95, true)
      return reading
    }
    return DailyTrend(profile: profile, days: days, all: all)
  }

  /// A day with a session, a reading, an exercise and an entry of the journal.
  static var measuredDay: DayListing.Day {
    var entry = JournalEntry(
      profile: profile, time: time(17, 40), utcOffset: 0, mood: Mood(4), triggers: ["deadline", "coffee"],
      note: "Long meeting, no break.")
    entry.id = 1
    var exercise = StoredBreathing(
      session: session, profile: profile, time: time(18, 30), pattern: "coherent", cycles: 27,
      plannedCycles: 27,
      seconds: 297)
    (exercise.before, exercise.after, exercise.changed) = (rest(31, 58), rest(44, 37), .yes)
    return DayListing.Day(
      day: day, quarters: quarters(day, highest: 88), moods: [4],
      items: [
        .session(summary(time(7, 5), minutes: 320, stress: 41)),
        .session(summary(time(13, 30), minutes: 1, stress: 18, isReading: true)),
        .note(.entry(entry)), .note(.exercise(exercise)),
      ])
  }

  private static func summary(
    _ start: WallTime, minutes: Int64, stress: Double, isReading: Bool = false
  ) -> DayListing.SessionSummary {
    var means = SessionMeans()
    (means.count, means.isReading, means.stress) = (Int(minutes) * 6, isReading, stress)
    (means.rmssd, means.heartRate) = (39, 71)
    let info = SessionInfo(
      id: session, profile: profile, source: .strap, started: start, zone: "UTC", utcOffset: 0,
      monotonicNanoseconds: 0, settings: StressEngine.Settings(), baseline: .populationDefault,
      programVersion: programVersion)
    let length = SessionTime(seconds: Double(60 * minutes)) ?? SessionTime(ticks: 0)
    return DayListing.SessionSummary(
      session: StoredSession(
        info: info, outcome: .finished, ended: start.moved(seconds: 60 * minutes), length: length, events: 0,
        measurements: 0), means: means)
  }

  private static func rest(_ rmssd: Double, _ stress: Double) -> StoredBreathing.Part {
    StoredBreathing.Part(rmssd: rmssd, sdnn: rmssd + 9, heartRate: 66, stress: stress, confidence: 0.9)
  }

  /// An exercise with a result.
  static func exercise(_ changed: StoredBreathing.Changed, from before: Double, to after: Double)
    -> StoredBreathing
  {
    var exercise = StoredBreathing(
      session: session, profile: profile, time: time(18, 30), pattern: "coherent", cycles: 27,
      plannedCycles: 27,
      seconds: 297)
    (exercise.before, exercise.after) = (rest(before, 58), rest(after, 37))
    (exercise.during, exercise.changed) = (rest(after + 5, 44), changed)
    exercise.smallestDetectableRatio = 1.25
    exercise.ratio = StoredBreathing.Interval(
      value: after / before, low: 0.9 * after / before, high: 1.1 * after / before)
    return exercise
  }

  static func month(_ context: PageContext) throws -> HistoryModel {
    HistoryModel(
      span: try HistorySpan(context, newest: day, today: day), means: means, moods: [day: [4]],
      days: [measuredDay],
      hasEarlier: false, isSimulated: false)
  }
}
