import HRV
import HeartRate
import History
import Localization
import Stress
import TestSupport
import Testing

@testable import Reports

@Suite struct ComparisonTests {
  private let scratch: Scratch
  private let sides: ComparedSides

  init() throws {
    let scratch = try Scratch()
    self.scratch = scratch
    sides = ComparedSides(
      location: try StoreLocation(path: scratch.path("none.db"), environment: ["HOME": scratch.folder]),
      profile: "me", open: { try SessionFile(path: $0) }, report: { _ in })
  }

  private func side(_ milliseconds: [Double], _ name: String, span: SessionSpan? = nil) throws -> ComparedSide
  {
    let path = try scratch.file(milliseconds.map { "\($0)\n" }.joined().utf8, name: name)
    return try sides.side(.named(path, span), named: name)
  }

  private func comparison() throws -> SessionComparison {
    SessionComparison(
      try side(Intervals.rest(800, by: 20, count: 480), "a"),
      try side(Intervals.rest(700, by: 40, count: 480), "b"), selection: .time,
      variability: .populationDefault)
  }

  private func row(_ metric: MetricDefinition) throws -> SessionComparison.Row {
    try #require(try comparison().rows.first { $0.a.metric == metric })
  }

  @Test func differenceIsBMinusA() throws {
    let mean = try row(.meanNN)
    #expect(isClose(mean.a.value, 800) && isClose(mean.b.value, 700) && isClose(mean.difference, -100))
    let rate = try row(.meanHeartRate)
    #expect(isClose(rate.difference, 60_000 / 700 - 75))
    let rmssd = try row(.rmssd)
    #expect(isClose(rmssd.a.value, 20) && isClose(rmssd.b.value, 40) && isClose(rmssd.difference, 20))
  }

  @Test func intervalContainsTheDifference() throws {
    for row in try comparison().rows {
      guard let interval = row.interval, let difference = row.difference else { continue }
      #expect(
        interval.lowerBound <= difference + 1e-9 && difference <= interval.upperBound + 1e-9,
        "\(row.a.metric.key)")
    }
  }

  @Test func rowsWithoutIntervalHaveAReason() throws {
    for row in try comparison().rows { #expect((row.interval == nil) == (row.reason != nil)) }
    #expect(try row(.minHeartRate).reason == Phrase("no mean that windows could vary around"))
  }

  @Test func rmssdAndLnRMSSDHaveTheIntervalOfOneTest() throws {
    let change = try comparison().change.get()
    #expect(isClose(change.ratio.value, 2))
    let rmssd = try #require(try row(.rmssd).interval)
    #expect(isClose(rmssd.lowerBound, 20 * (change.ratio.low - 1)))
    #expect(isClose(rmssd.upperBound, 20 * (change.ratio.high - 1)))
    #expect(try row(.lnRMSSD).interval == change.low...change.high)
  }

  @Test func jsonKeepsTheSidesApart() throws {
    let report = ComparisonReport(comparison: try comparison(), profile: nil)
    let json = try JSONValue(String(decoding: report.json, as: UTF8.self))
    #expect(json["a"]?["name"]?.text == "a" && json["b"]?["name"]?.text == "b")
    #expect(json["a"]?["kind"]?.text == "file" && json["a"]?["gaps"]?.number == 0)
    #expect(isClose(json["a"]?["rmssd_ms"]?.number, 20) && isClose(json["b"]?["rmssd_ms"]?.number, 40))
    #expect(
      isClose(json["a"]?["duration_s"]?.number, 384) && isClose(json["b"]?["duration_s"]?.number, 336))
    #expect(isClose(json["differences"]?["mean_nn_ms"]?["difference"]?.number, -100))
    #expect(isClose(json["rmssd_ratio"]?.number, 2) && json["changed"]?.bool != nil)
    #expect(json["variability_windows"]?.number == 0)
    #expect(json["sentence"]?.text?.contains("RMSSD 20 -> 40 ms (x2.00") == true)
    #expect(json["sentence"]?.text?.contains("population default") == true)
  }

  @Test func spanSelectsTheBeatsThatEndInIt() throws {
    let whole = Intervals.alternating(1000, count: 60) + Intervals.alternating(900, count: 100)
    let part = try side(
      whole, "c", span: .times(TimeSpan(from: .seconds(60), to: .seconds(150))))
    #expect(part.data.beats.count == 100)
    #expect(isClose(part.series.sums.meanNN, 900))
    #expect(isClose(SessionTime(ticks: part.data.duration).seconds, 90))
    let before = try side(whole, "c", span: .times(TimeSpan(from: nil, to: .seconds(60))))
    #expect(before.data.beats.count == 60 && isClose(before.series.sums.meanNN, 1000))
  }

  @Test func partsOfSeveralSessionsAreConcatenated() throws {
    var later = SessionPart(events: Intervals.events(Intervals.alternating(900, count: 10)))
    // Overlaps with the first part, which lasts 8 s.
    later.offset = Intervals.ticks(milliseconds: 5000)
    let beats = ComparedBeats([
      SessionPart(events: Intervals.events(Intervals.alternating(800, count: 10))), later,
    ])
    #expect(beats.beats.count == 20)
    #expect(zip(beats.beats, beats.beats.dropFirst()).allSatisfy { $0.end < $1.end })
    #expect(beats.stretches.map(\.end.seconds) == [8, 17] && beats.stretches.map(\.start.seconds) == [0, 8])
    #expect(isClose(SessionTime(ticks: beats.duration).seconds, 17))
    #expect(beats.beats[10].followsBreak)
  }

  @Test func missingDataThrowAnErrorWithTheNextCommand() throws {
    #expect(throws: ReportError(.noFileOrSession(profile: "me"), "zz")) {
      try sides.side(.named("zz", nil), named: "zz")
    }
    #expect(throws: ReportError(.noSession, "01K")) { try sides.side(.session("01K", nil), named: "x") }
    let times = WallTime(microseconds: 0)..<WallTime(microseconds: 1)
    #expect(throws: ReportError(.noSessionInRange(profile: "me"), "then")) {
      try sides.side(.history(times), named: "then")
    }
    #expect(throws: ReportError(.noBeats, "d")) {
      try side([800, 810], "d", span: .times(TimeSpan(from: .seconds(60), to: nil)))
    }
    #expect(throws: ReportError(.noStage(.before), "@before")) {
      try side([800, 810], "e", span: .exercise(.before))
    }
    let bad = [ReportError.Code.noBeats, .noStage(.during)]
    let missing = [
      ReportError.Code.noFileOrSession(profile: "me"), .noSession, .noSessionInRange(profile: "me"),
    ]
    for code in bad + missing {
      let error = ReportError(code, "na\u{1B}me")
      #expect(error.isBadData == bad.contains(code))
      #expect(error.description.contains("stressmon history") && !error.description.contains("\u{1B}"))
    }
  }
}

@Suite struct WindowTrustTests {
  /// The measurement of a full window of undisturbed rest.
  private static let rest: StressMeasurement? = {
    var engine = StressEngine()
    var (end, last) = (SessionTime.zero, StressMeasurement?.none)
    for beat in 0..<80 {
      guard let rr = RRInterval(milliseconds: 900 + Double(beat * 7 % 30)) else { continue }
      end = end + rr
      engine.update(SessionEvent(at: end, .interval(rr))) { last = $0 }
    }
    return last
  }()

  /// - Parameter changes: change the measurement of each window.
  private func trust(_ changes: [(inout StressMeasurement) -> Void]) throws -> WindowTrust {
    var samples = WindowTrust.Samples()
    for change in changes {
      var measurement = try #require(Self.rest)
      change(&measurement)
      samples.add(measurement)
    }
    return WindowTrust(samples)
  }

  private func confidence(_ factors: [Confidence.Factor: Double]) -> Confidence {
    var confidence = Confidence()
    for (factor, value) in factors { confidence[factor] = value }
    return confidence
  }

  @Test func figuresAreUpperMedians() throws {
    let even = try trust(
      [0.4, 0.8, 1, 0.6].map { value in
        { (measurement: inout StressMeasurement) in
          measurement.confidence = confidence([.lostData: value])
          measurement.coverage = value
        }
      })
    #expect(even.confidence == 0.8 && even.coverage == 0.8 && even.value == 1)
    #expect(even.factors.map(\.factor) == [.lostData] && even.factors.map(\.value) == [0.8])
    #expect(even.reasons == [Confidence.Factor.lostData.reason] && even.reasonsOfData.isEmpty)
  }

  @Test func valueIsTheFractionOfUsableWindows() throws {
    let trust = try trust([
      { $0.confidence = confidence([.lowHRV: 0.1, .baseline: 0.5, .tail: 0.1, .noise: 0.1]) },
      { $0.quality.lostData = 0.17 },
      { (measurement: inout StressMeasurement) in
        measurement.quality.lostData = 0.17
        measurement.quality.abnormalBeats = 0.26
      },
      { $0.confidence[.rhythm] = 0.49 },
    ])
    #expect(trust.value == 0.25 && trust.coverage == nil)
    #expect(
      trust.reasonsOfData
        == [Confidence.Factor.lostData, .rhythm, .abnormalBeats].map(\.reason))
  }

  @Test func eachLimitRejectsAWindow() throws {
    let changes: [(inout StressMeasurement) -> Void] = [
      { $0.quality.contactLost = 0.91 }, { $0.sensorClass = .smoothed }, { $0.confidence[.motion] = 0.49 },
      { $0.confidence[.rhythm] = 0.49 }, { $0.quality.abnormalBeats = 0.26 }, { $0.quality.lostData = 0.17 },
    ]
    for change in changes {
      let trust = try trust([change])
      #expect(trust.value == 0 && trust.reasonsOfData.count == 1)
    }
    let limits = try trust([
      { (measurement: inout StressMeasurement) in
        measurement.quality.contactLost = 0.9
        measurement.quality.abnormalBeats = 0.25
        measurement.quality.lostData = 0.16
        measurement.confidence[.rhythm] = 0.5
        measurement.confidence[.motion] = 0.5
      }
    ])
    #expect(limits.value == 1)
  }

  @Test func trustWithoutWindowsIsZero() throws {
    let trust = try trust([])
    #expect(trust.confidence == nil && trust.value == 0 && trust.factors.isEmpty && trust.reasons.isEmpty)
  }
}
