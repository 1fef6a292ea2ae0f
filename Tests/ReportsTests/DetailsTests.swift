import Glibc
import HRV
import HeartRate
import History
import Platform
import Simulator
import Stress
import TestSupport
import Testing

@testable import Reports

@Suite struct ExplanationTests {
  /// nHRV = (50 - 20) / 50 = 0.6, nHR = (90 - 60) / 60 = 0.5.
  private static let inputs = StressScore.Inputs(
    hrv: 20, heartRate: 90, baselineHRV: 50, restingHeartRate: 60)

  @Test func jsonHasTheNumbersOfTheFormula() throws {
    let explanation = Explanation(
      score: try StressScore(Self.inputs), confidence: Confidence(Self.inputs, goodBeats: 60),
      reference: Explanation.Reference(baseline: .populationDefault, metric: .rmssd))
    let json = try JSONValue(String(decoding: explanation.json, as: UTF8.self))
    #expect(json["hrv_ms"]?.number == 20 && json["mean_hr_bpm"]?.number == 90)
    #expect(json["baseline_hrv_ms"]?.number == 50 && json["resting_hr_bpm"]?.number == 60)
    #expect(isClose(json["normalised_hrv"]?.number, 0.6) && isClose(json["normalised_hr"]?.number, 0.5))
    // 0.6 ^ 0.8 and atan(1) / (pi / 2); 100 (0.7 * 0.66454 + 0.3 * 0.5).
    #expect(isClose(json["hrv_component"]?.number, 0.664_540, 1e-5))
    #expect(isClose(json["hr_component"]?.number, 0.5, 1e-9))
    #expect(isClose(json["stress"]?.number, 61.517_8, 1e-3) && json["category"]?.text == "moderate")
    #expect(json["baseline_origin"]?.text == "prior" && json["baseline_weight"]?.number == 0)
    #expect(try #require(json["level_low"]?.number) < 30 && json["level_high"]?.number ?? 0 > 75)
  }

  @Test func theRangeOfTheLevelIsAbsentWithASolidBaseline() throws {
    var baseline = Baseline.populationDefault
    baseline.weight = 0.8
    let explanation = Explanation(
      score: try StressScore(Self.inputs), confidence: Confidence(),
      reference: Explanation.Reference(baseline: baseline, metric: .rmssd))
    let json = try JSONValue(String(decoding: explanation.json, as: UTF8.self))
    #expect(json["level_low"] == nil && json["level_high"] == nil && json["baseline_weight"]?.number == 0.8)
  }

  @Test func jsonHasTheIntervalTheRangeAndTheComponents() throws {
    let score = try StressScore(Self.inputs)
    var quality = WindowQuality()
    quality.contactLost = 0.5
    let interval = ExplainedInterval(score, quality: quality)
    let explanation = Explanation(score: score, confidence: Confidence(), interval: interval)
    let json = try JSONValue(String(decoding: explanation.json, as: UTF8.self))
    let expected = StressInterval(score, quality)
    #expect(json["stress_low"]?.number == expected.low && json["stress_high"]?.number == expected.high)
    #expect(try #require(json["stress_range_low"]?.number) < expected.low)
    #expect(try #require(json["stress_range_high"]?.number) > expected.high)
    let components = try #require(json["stress_interval"])
    #expect(Set(components.members.keys) == ["every_window", "contact_lost"])
    // The fall of ln HRV by 0.5, in percent of HRV.
    let contact = try #require(StressInterval.components(quality).first { $0.quantity == .contactLost })
    #expect(
      isClose(components["contact_lost"]?["hrv_fall_percent"]?.number, 100 * (1 - exp(-contact.fall)), 1e-9))
    #expect(
      isClose(components["contact_lost"]?["hrv_rise_percent"]?.number, 100 * (exp(contact.rise) - 1), 1e-9))
  }

  @Test func typedNumbersAssumeAnUndisturbedWindow() throws {
    let score = try StressScore(Self.inputs)
    let typed = ExplainedInterval(score)
    #expect(typed.isAssumed && typed.ofWindow == StressInterval(score, .undisturbed))
    #expect(!ExplainedInterval(score, quality: .undisturbed).isAssumed)
  }

  @Test func anUnknownQualityGivesNoInterval() throws {
    let explanation = Explanation(score: try StressScore(Self.inputs), confidence: Confidence())
    let json = try JSONValue(String(decoding: explanation.json, as: UTF8.self))
    #expect(json["stress_low"] == .null && json["stress_range_high"] == .null)
    #expect(json["stress_interval"] == nil)
  }

  @Test func aTypedBaselineHasNoOrigin() throws {
    let explanation = Explanation(score: try StressScore(Self.inputs), confidence: Confidence())
    let json = try JSONValue(String(decoding: explanation.json, as: UTF8.self))
    #expect(json["baseline_origin"] == .null && json["baseline_days"] == .null)
  }
}

@Suite struct BaselineReportJSONTests {
  @Test func jsonHasTheBaselineAndTheEstimateUnderTheirKeys() throws {
    var estimator = BaselineEstimator()
    for day in 0..<6 {
      estimator.append(
        RestingWindow(time: .zero, heartRate: 60 + Double(day), rmssd: 30, sdnn: 50 + Double(day)), day: day)
    }
    let baseline = Baseline(rmssd: 99, sdnn: 52, restingHeartRate: 57, days: 15, origin: .manual)
    let report = BaselineReport(profile: "me", baseline: baseline, evidence: estimator.evidence)
    let json = try JSONValue(String(decoding: report.json, as: UTF8.self))
    #expect(json["baseline_rmssd_ms"]?.number == 99 && json["baseline_sdnn_ms"]?.number == 52)
    #expect(json["resting_hr_bpm"]?.number == 57 && json["maturity"]?.number == 0.5)
    #expect(json["weight"]?.number == 0.5)
    #expect(json["days"]?.number == 6 && json["resting_windows"]?.number == 6)
    #expect(isClose(json["learned_rmssd_ms"]?.number, 30))
    #expect(try #require(json["normal_sdnn_low_ms"]?.number) < 52.4)
    #expect(try #require(json["normal_sdnn_high_ms"]?.number) > 52.4)
    #expect(json["baseline_rmssd_in_normal_range"]?.bool == false)
    #expect(json["baseline_sdnn_in_normal_range"]?.bool == true)
  }

  @Test func withoutEvidenceTheEstimateIsNull() throws {
    let report = BaselineReport(profile: "me", baseline: .populationDefault, evidence: nil)
    let json = try JSONValue(String(decoding: report.json, as: UTF8.self))
    #expect(json["learned_rmssd_ms"] == .null && json["normal_rmssd_low_ms"] == .null)
    #expect(json["days"]?.number == 0 && json["origin"]?.text == "prior")
  }
}

/// Reports on a simulated session in a database.
@Suite struct StoredSessionReportTests {
  private static let start = WallTime(microseconds: 1_795_000_000_000_000)
  private let folder: TemporaryFolder
  private let location: StoreLocation

  init() async throws {
    folder = try TemporaryFolder(prefix: "details")
    location = try StoreLocation(path: folder.file("heart.db"), environment: ["HOME": folder.path])
    var random = SystemRandomNumberGenerator()
    let info = SessionInfo(
      id: SessionID(started: Self.start, using: &random), profile: "me", source: .simulated,
      started: Self.start, zone: "UTC", utcOffset: 0, monotonicNanoseconds: 0, settings: .init(),
      baseline: .populationDefault, programVersion: "0.1.0")
    let writer = SessionWriter(info, at: location)
    var engine = StressEngine()
    for event in SimulatedStrap(seed: 3, startWall: Self.start, duration: .seconds(150), faults: .none) {
      writer.append(event)
      engine.update(event) { writer.append($0) }
    }
    _ = await writer.finish(at: SessionTime(ticks: 150 * RRInterval.ticksPerSecond))
    let history = try HistoryWriter(location)
    for minutes in [1, 2, 30] as [Int64] {
      _ = try history.addToJournal(
        JournalEntry(
          profile: "me", time: Self.start.moved(seconds: 60 * minutes), utcOffset: 0, note: "\(minutes)"))
    }
  }

  private func reader() throws -> HistoryReader { try #require(try HistoryReader(location)) }

  @Test func measurementDetailsHaveTheSessionAndTheEntriesAroundIt() throws {
    let reader = try reader()
    let latest = try #require(try reader.latestMeasurements(of: "me", limit: 1).first)
    let details = try #require(try MeasurementDetails(latest.id, of: "me", reader))
    #expect(details.session.info.id == latest.session)
    #expect(details.journal.map(\.note) == ["1", "2"])
    let explanation = try #require(details.explanation)
    #expect(isClose(explanation.score.value, try #require(latest.stress), 1e-9))
    #expect(explanation.score.inputs.hrv == latest.rmssd)
    let json = try JSONValue(String(decoding: details.json, as: UTF8.self))
    #expect(json["explanation"]?["stress"]?.number == json["stress"]?.number)
    #expect(json["stress_low"]?.number != nil)
    #expect(json["explanation"]?["stress_low"]?.number == json["stress_low"]?.number)
    #expect(json["explanation"]?["stress_high"]?.number == json["stress_high"]?.number)
    #expect(try MeasurementDetails(latest.id, of: "anna", reader) == nil)
    #expect(try MeasurementDetails(9999, of: "me", reader) == nil)
  }

  @Test func sessionDetailsAreComputedFromTheEvents() throws {
    let reader = try reader()
    let session = try #require(try reader.sessions(of: "me", limit: 1).first)
    let details = try SessionDetails(session, reader)
    #expect(details.minutes.map(\.number) == [0, 1, 2])
    #expect(details.finalVerdicts.values.reduce(0, +) == details.beats && details.beats > 100)
    #expect(details.notifications > 100 && details.gaps.isEmpty && details.undecodable == 0)
    let last = try #require(try reader.latestMeasurements(of: "me", limit: 1).first)
    let minute = try #require(details.minutes.last)
    #expect(minute.at >= last.at)
    #expect(isClose(minute.heartRate, try #require(last.meanHeartRate), 3))
    let json = try JSONValue(String(decoding: details.json, as: UTF8.self))
    #expect(json["beats"]?.number == Double(details.beats) && json["minutes"]?.elements.count == 3)
    #expect(json["minutes"]?.elements.last?["rmssd_ms"]?.number == minute.rmssd)
    #expect(json["minutes"]?.elements.last?["sdnn_ms"]?.number == minute.sdnn)
    #expect(json["minutes"]?.elements.last?["stress_high"]?.number == minute.interval?.high)
    #expect(json["baseline_rmssd_ms"]?.number == Baseline.populationDefault.rmssd)
    #expect(
      json["final_artefact_percent"]?.number
        == details.artefactFraction(details.finalVerdicts).map { $0 * 100 })
  }

  @Test func listingIsLimitedToTheNewestRecords() throws {
    let reader = try reader()
    func listing(_ limit: Int?, of profile: String = "me") -> HistoryListing {
      HistoryListing(reader: reader, profile: profile, filter: HistoryFilter(), limit: limit)
    }
    var (all, two) = ([Int64](), [Int64]())
    try listing(nil).forEachMeasurement { all.append($0.id) }
    try listing(2).forEachMeasurement { two.append($0.id) }
    #expect(all.count > 5 && two == Array(all.suffix(2)))
    #expect(try listing(nil).sessions().count == 1 && listing(nil, of: "anna").sessions().isEmpty)
    // With a limit, the notes begin with the first listed measurement, which is later than minute 2.
    #expect(try listing(nil).notes().count == 3)
    #expect(try listing(1).notes().count == 1)
    #expect(try listing(nil).exercises().isEmpty)
  }

  @Test func comparedSessionEqualsItsPart() throws {
    let sides = ComparedSides(
      location: location, profile: "me", open: { try SessionFile(path: $0) }, report: { _ in })
    let id = try #require(try reader().sessions(of: "me", limit: 1).first).info.id.text
    let whole = try sides.side(.session(String(id.prefix(5)), nil), named: "x")
    let part = try sides.side(
      .session(id, .times(TimeSpan(from: .seconds(30), to: .seconds(90)))), named: "y")
    #expect(whole.kind == .session && whole.profile == "me" && whole.sensor.source == .simulated)
    #expect(part.data.beats.count < whole.data.beats.count)
    #expect(isClose(SessionTime(ticks: part.data.duration).seconds, 60, 2))
    let times = Self.start.moved(seconds: 30)..<Self.start.moved(seconds: 90)
    let history = try sides.side(.history(times), named: "z")
    #expect(history.kind == .history && history.data.beats.count == part.data.beats.count)
    #expect(history.series.sums.rmssd == part.series.sums.rmssd)
  }
}
