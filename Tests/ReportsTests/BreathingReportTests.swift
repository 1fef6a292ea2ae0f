import Breathing
import HRV
import HeartRate
import History
import JSONLines
import Localization
import Stress
import TestSupport
import Testing

@testable import Reports

/// An exercise over synthetic rests whose metrics are known.
@Suite struct BreathingReportTests {
  /// A rest of 60 s at 60 bpm with an RMSSD of 20 ms, breathing at 60 bpm, and a rest at about 63 bpm.
  private static let intervals =
    Intervals.rest(1000, count: 120) + Intervals.rest(950, count: 70)

  private static let pattern = BreathingPattern.calming

  private static func result(rests: Duration = .seconds(60), id: SessionID? = nil) throws -> BreathingResult {
    let breathing = PacedBreathing(pattern, cycles: 6)
    var course = ExerciseCourse(before: rests, breathing: breathing, after: rests)
    course.begin(at: .zero)
    let end = SessionTime(ticks: course.length.ticks)
    let marks = course.marks(through: end).map { SessionEvent(at: $0.at, .mark($0.mark.text)) }
    let events = (Intervals.events(intervals).filter { $0.at <= end } + marks).sorted { $0.at < $1.at }
    let session = BreathingResult.Session(
      id: id, profile: "me", started: WallTime(microseconds: 1_790_000_000_000_000))
    return try #require(
      BreathingResult(
        events, of: session, breathing: breathing, findsResonance: false, variability: .populationDefault))
  }

  @Test func partsHaveTheMetricsOfTheirIntervals() throws {
    let result = try Self.result()
    let (before, after) = (try #require(result.before), try #require(result.after))
    #expect(before.seconds == 60 && result.during.seconds == 60 && after.seconds == 60)
    #expect(before.side?.series.sums.count == 60)
    #expect(isClose(before.side?.series.sums.meanHeartRate, 60, 1e-6))
    #expect(isClose(before.side?.series.sums.rmssd, 20, 1e-6))
    #expect(isClose(result.during.side?.series.sums.meanHeartRate, 60, 1e-6))
    #expect(isClose(after.side?.series.sums.meanHeartRate, 60 / 0.95, 0.1))
    #expect(result.cycles == 6 && result.plannedCycles == 6)
  }

  @Test func differencesAreAfterMinusBefore() throws {
    let rows = RestDifferences(try Self.result()).rows
    let metrics: [MetricDefinition] = [
      .rmssd, .sdnn, .meanHeartRate, .stress, .confidence, .artefacts,
    ]
    #expect(rows.map(\.metric) == metrics)
    let rate = try #require(rows.first { $0.metric == .meanHeartRate })
    #expect(isClose(rate.difference, 60 / 0.95 - 60, 0.1))
    #expect(isClose(rate.values[0], 60, 1e-6) && isClose(rate.values[2], 60 / 0.95, 0.1))
    let interval = try #require(rate.interval)
    #expect(isClose((interval.lowerBound + interval.upperBound) / 2, try #require(rate.difference)))
    let rmssd = try #require(rows.first { $0.metric == .rmssd })
    #expect(isClose(rmssd.difference, 0, 1e-6) && rmssd.interval?.contains(0) == true)
    #expect(rows.filter { !$0.isCompared }.allSatisfy { $0.difference == nil && $0.interval == nil })
  }

  @Test func stressOfEachPartHasItsRange() throws {
    let result = try Self.result()
    let before = try #require(result.before)
    let (score, range) = (try #require(before.score), try #require(before.range))
    let narrow = StressInterval(score, try #require(before.side?.data.trust.quality))
    #expect(range.low < narrow.low && range.high > narrow.high)
    let stress = try #require(RestDifferences(result).rows.first { $0.metric == .stress })
    #expect(stress.ranges.count == 3 && stress.ranges[0] == range.low...range.high)
    let json = try JSONValue(String(decoding: BreathingReport(result: result).json, as: UTF8.self))
    #expect(json["before"]?["stress_range_low"]?.number == range.low)
    #expect(json["before"]?["stress_range_high"]?.number == range.high)
  }

  @Test func namesOfRowsAreTheHeadingsOfTheCatalogue() throws {
    for row in RestDifferences(try Self.result()).rows {
      let metric = row.metric == .meanHeartRate ? MetricDefinition.heartRate : row.metric
      #expect(Language.english.text(row.name) == metric.heading)
    }
  }

  @Test func jsonHasThePartsAndTheDifferences() throws {
    let report = BreathingReport(result: try Self.result(), simulatedResonance: 5.5)
    let json = try JSONValue(String(decoding: report.json, as: UTF8.self))
    #expect(isClose(json["before"]?["mean_hr_bpm"]?.number, 60, 1e-6))
    #expect(json["before"]?["start_s"]?.number == 0 && json["during"]?["start_s"]?.number == 60)
    #expect(json["after"]?["start_s"]?.number == 120 && json["before"]?["duration_s"]?.number == 60)
    #expect(isClose(json["difference"]?["mean_hr_bpm"]?["difference"]?.number, 60 / 0.95 - 60, 0.1))
    #expect(json["difference"]?.members.count == 4)
    #expect(json["changed"]?.bool == false && isClose(json["rmssd_ratio"]?.number, 1, 1e-6))
    #expect(json["session"] == .null && json["profile"]?.text == "me" && json["pattern"]?.text == "4-0-6-0")
    // Without an estimate of the resonance, that of the simulated person is left out too.
    #expect(json["simulated_resonance_brpm"] == nil && json["resonance_brpm"] == nil)
  }

  private static let id = SessionID("01ARZ3NDEKTSV4RRFFQ69G5FAV")

  /// The origin of the variability is not stored.
  @Test func sentencesFromTheHistoryAreThoseOfTheReport() throws {
    let result = try Self.result(id: Self.id)
    let sentence = BreathingSentence(try #require(result.stored))
    #expect(sentence.lines == Array(BreathingReport(result: result).sentences.prefix(2)))
    let missing = try Self.result(rests: .zero, id: Self.id)
    #expect(
      BreathingSentence(try #require(missing.stored)).lines == BreathingReport(result: missing).sentences)
  }

  @Test func anIncompleteRecordHasNoConclusion() throws {
    let complete = try #require(try Self.result(id: Self.id).stored)
    let changes: [(inout StoredBreathing) -> Void] = [
      { $0.changed = .cannotTell }, { $0.ratio = nil }, { $0.before.rmssd = nil }, { $0.after = .init() },
      { $0.smallestDetectableRatio = nil }, { $0.smallestDetectableRatio = 0 },
    ]
    for change in changes {
      var exercise = complete
      change(&exercise)
      let lines = BreathingSentence(exercise).lines
      #expect(
        lines.count == 1
          && Language.english.text(lines[0]).hasPrefix("It cannot be told whether your HRV changed: "))
    }
  }

  @Test func withoutRestsTheSentenceStatesWhatIsMissing() throws {
    let result = try Self.result(rests: .zero)
    #expect(result.before == nil && result.after == nil && result.comparison == nil)
    #expect(result.changed == .cannotTell)
    #expect(
      BreathingReport(result: result).sentences.english
        == "It cannot be told whether your HRV changed: the rest before was not measured.")
  }

  @Test func storedRecordHasTheMetricsOfTheParts() throws {
    #expect(try Self.result().stored == nil)
    var random = SystemRandomNumberGenerator()
    let id = SessionID(started: WallTime(microseconds: 1_790_000_000_000_000), using: &random)
    let stored = try #require(try Self.result(id: id).stored)
    #expect(stored.session == id && stored.seconds == 60 && stored.changed == .no)
    // The breathing begins 60 s after the session.
    #expect(stored.time == WallTime(microseconds: 1_790_000_060_000_000))
    #expect(isClose(stored.before.heartRate, 60, 1e-6) && isClose(stored.after.heartRate, 60 / 0.95, 0.1))
    #expect(isClose(stored.before.rmssd, 20, 1e-6) && isClose(stored.ratio?.value, 1, 1e-6))
  }

  @Test func eventsWithoutMarksGiveNoResult() {
    #expect(
      BreathingResult(
        Intervals.events(Self.intervals), of: BreathingResult.Session(),
        breathing: PacedBreathing(Self.pattern, cycles: 6), findsResonance: true,
        variability: .populationDefault) == nil)
  }
}
