import HRV
import HeartRate
import History
import Localization
import Platform
import Stress
import TestSupport
import Testing

@testable import Reports

/// Morning readings of synthetic intervals with a known RMSSD.
@Suite struct MorningReportTests {
  private static let utc = LocalCalendar { _ in 0 }
  /// 2026-11-20, 07:00 UTC.
  private static let started = WallTime(rfc3339: "2026-11-20T07:00:00Z")!
  private static let day = 20_777
  private static let id = SessionID("01KA8M4X000000000000000000")!

  private static func result(
    _ intervals: [Double], _ course: MorningCourse = MorningCourse(posture: .lying, length: .seconds(60)),
    isStored: Bool = true
  ) throws -> MorningResult {
    let events = Intervals.events(intervals)
    let session = BreathingResult.Session(id: isStored ? id : nil, profile: "me", started: started)
    let first = try #require(CollectedBeats(events).beats.first)
    return MorningResult(events, from: first.end, course, of: session, utc)
  }

  private static func sentence(_ report: MorningReport) -> String {
    report.sentences.map { Language.english.text($0) }.joined(separator: " ")
  }

  private static func morning(_ day: Int, _ rmssd: Double) -> StoredMorning {
    var reading = StoredMorning(
      session: SessionID("01KA8M4X00000000000000\(1000 + day % 1000)")!, profile: "me", time: started,
      day: day, posture: .lying, seconds: 60)
    (reading.rmssd, reading.heartRate) = (rmssd, 60)
    reading.counts = true
    return reading
  }

  /// The reading of this day in the series, after `count` earlier mornings of 17 and 24 ms in turn.
  private static func report(after count: Int, of result: MorningResult) -> MorningReport {
    var own = result.stored[0]
    own.counts = true
    let earlier = (0..<count).map { morning(day - count + $0, $0.isMultiple(of: 2) ? 17 : 24) }
    return MorningReport(result, earlier: earlier + [own], storage: .stored)
  }

  @Test func aReadingHasTheMetricsOfItsIntervals() throws {
    let result = try Self.result(Intervals.rest(1000, count: 70))
    #expect(result.day == Self.day && result.reading.refusal == nil)
    #expect(result.reading.sums.count == 60 && result.reading.seconds == 60)
    let stored = try #require(result.stored.first)
    #expect(isClose(stored.rmssd, 20, 1e-6) && isClose(stored.heartRate, 60, 1e-6))
    #expect(stored.beats == 60 && stored.normalBeats == 60 && result.stored.count == 1)
  }

  @Test(arguments: [
    (0, "HRV (RMSSD) 20.0 ms. 5 more mornings until your normal range is known."),
    (4, "HRV (RMSSD) 20.0 ms. 1 more morning until your normal range is known."),
    (5, "54 of 100: usual for you. HRV (RMSSD) 20.0 ms, within your normal 14-28. Go on as planned."),
    (
      14,
      "48 of 100: usual for you. HRV (RMSSD) 20.0 ms, within your normal 15-28; 7-day mean steady. Go on as planned."
    ),
  ])
  func theSentenceStatesTheNormalRangeOrWhatIsMissing(count: Int, sentence: String) throws {
    let report = Self.report(after: count, of: try Self.result(Intervals.rest(1000, count: 70)))
    #expect(report.counts)
    #expect(Self.sentence(report) == sentence)
  }

  @Test func aValueBelowTheRangeIsStatedWithItsFirstDay() throws {
    let result = try Self.result(Intervals.rest(1000, count: 70))
    var own = result.stored[0]
    own.counts = true
    let usual = (0..<14).map { Self.morning(Self.day - 16 + $0, $0.isMultiple(of: 2) ? 38 : 42) }
    let low = [Self.morning(Self.day - 1, 20)]
    let report = MorningReport(result, earlier: usual + low + [own], storage: .stored)
    #expect(
      Self.sentence(report).hasPrefix(
        "0 of 100: well below your normal. HRV (RMSSD) 20.0 ms, below your normal "))
    #expect(Self.sentence(report).contains(" since 19 Nov 2026; 7-day mean lower."))
  }

  /// 200 ms is excluded from the mornings of the range, so the number of missing mornings does not fall.
  @Test func anOutlierBeforeTheRangeIsExplained() throws {
    let result = try Self.result(Intervals.rest(1000, count: 70))
    let earlier = [18.0, 20, 19, 200].enumerated().map { Self.morning(Self.day - 4 + $0.offset, $0.element) }
    let sentence = Self.sentence(MorningReport(result, earlier: earlier, storage: .stored))
    #expect(
      sentence.contains(
        "2 more mornings until your normal range is known. 1 earlier morning differs too much"))
  }

  @Test func threeLowMorningsReplaceTheAdviceForOne() throws {
    let result = try Self.result(Intervals.rest(1000, count: 70))
    let usual = (0..<20).map { Self.morning(Self.day - 22 + $0, $0.isMultiple(of: 2) ? 38 : 42) }
    let low = [Self.morning(Self.day - 2, 21), Self.morning(Self.day - 1, 20), Self.morning(Self.day, 20)]
    let sentence = Self.sentence(MorningReport(result, earlier: usual + low, storage: .stored))
    #expect(
      sentence.contains(
        "Your last three mornings together are clearly lower than usual: plan some easy days."))
    #expect(!sentence.contains("one morning alone"))
  }

  @Test func aSecondReadingOfADayIsNotCounted() throws {
    let result = try Self.result(Intervals.rest(1000, count: 70))
    let report = MorningReport(result, earlier: [Self.morning(Self.day, 43.6)], storage: .stored)
    #expect(!report.counts)
    #expect(
      Self.sentence(report).hasSuffix(
        "It is stored but not added to the series: the reading of this day with HRV 43.6 ms counts."))
  }

  @Test func anIncompleteReadingIsRefused() throws {
    let result = try Self.result(Intervals.rest(1000, count: 40))
    #expect(result.reading.refusal == .interrupted)
    #expect(
      Self.sentence(MorningReport(result, earlier: [], storage: .stored))
        == "This reading is not added to the series: it ended before its planned length. "
        + "Repeat it to the end with: stressmon morning")
  }

  @Test func aReadingWithManyArtefactsIsRefused() throws {
    let intervals = Intervals.rest(1000, count: 80).enumerated().map { place, interval in
      place % 14 == 5 ? interval * 0.6 : place % 14 == 6 ? interval * 1.4 : interval
    }
    #expect(try Self.result(intervals).reading.refusal == .artefacts)
  }

  /// The final classification does not examine the last intervals of a session.
  @Test func aPrematureBeatAtTheEndIsNotNormal() throws {
    var intervals = Intervals.rest(1000, count: 61)
    (intervals[59], intervals[60]) = (600, 1400)
    let reading = try Self.result(intervals).reading
    #expect((reading.sums.rmssd ?? 0) < 25, "\(reading.sums.rmssd ?? 0)")
  }

  @Test func anOrthostaticReadingComparesBothParts() throws {
    let intervals = Intervals.rest(1000, count: 76) + Intervals.rest(800, count: 110)
    let result = try Self.result(intervals, MorningCourse(orthostatic: .seconds(60)))
    #expect(result.parts.map(\.refusal) == [nil, nil])
    #expect(isClose(result.heartRateRise, 15, 0.5))
    #expect(result.stored.map(\.isStandingPart) == [false, true])
    #expect(result.stored[1].time == result.stored[0].time.advanced(ticks: 90 * RRInterval.ticksPerSecond))
    #expect(Self.sentence(Self.report(after: 0, of: result)).contains("Standing: HRV "))
  }

  @Test func jsonHasTheStatistics() throws {
    let report = Self.report(after: 14, of: try Self.result(Intervals.rest(1000, count: 70)))
    let json = try JSONValue(String(decoding: report.json, as: UTF8.self))
    #expect(isClose(json["ln_rmssd"]?.number, 2.995732273553991, 1e-6))
    #expect(isClose(json["rmssd_ms"]?.number, 20, 1e-6))
    let range = try #require(report.assessment?.normal?.rmssd)
    #expect(json["normal_low_ms"]?.number == range.lowerBound)
    #expect(json["normal_high_ms"]?.number == range.upperBound)
    #expect(json["normal_position"]?.text == "within" && json["normal_source"]?.text == "mornings")
    #expect(json["seven_day_mean_ln_rmssd"]?.number == report.assessment?.week?.mean)
    #expect(json["cv_percent"]?.number == report.assessment?.week?.variation)
    #expect(json["counted"]?.bool == true && json["day"]?.text == "2026-11-20")
  }
}

@Suite struct MorningTriggersTests {
  /// Twelve mornings; the evening before each second one has the trigger, which lowers RMSSD by a third.
  @Test func aTriggerOfTheEveningIsComparedOnTheNextMorning() throws {
    let start = WallTime(rfc3339: "2026-11-01T07:00:00Z")!
    var journal: [JournalEntry] = []
    var readings: [MorningTrend.Day] = []
    for day in 0..<12 {
      let time = start.moved(seconds: Int64(day) * 86_400)
      let isAfter = day.isMultiple(of: 2)
      let rmssd = (isAfter ? 30.0 : 45) + Double(day % 3)
      var reading = StoredMorning(
        session: SessionID("01KA8M4X000000000000000000")!, profile: "me", time: time, day: day,
        posture: .lying, seconds: 60)
      reading.rmssd = rmssd
      readings.append(
        MorningTrend.Day(
          reading: reading, assessment: MorningAssessment(rmssd: rmssd, on: day, in: MorningSeries([]))))
      if isAfter {
        journal.append(
          JournalEntry(profile: "me", time: time.moved(seconds: -36_000), utcOffset: 0, triggers: ["wine"]))
      }
    }
    let trend = MorningTrend(profile: "me", days: 0..<12, readings: readings)
    let effect = try #require(MorningTriggers(trend, journal: journal).effects.effects.first)
    #expect(effect.trigger == "wine" && effect.with == 6 && effect.without == 6)
    #expect(effect.isBeyondChance && isClose(effect.difference, -39.4, 1))
    #expect(MorningTriggers(trend, journal: []).effects.effects.isEmpty)
  }
}
