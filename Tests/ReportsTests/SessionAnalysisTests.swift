import HRV
import HeartRate
import Stress
import TestSupport
import Testing

@testable import Reports

@Suite struct SessionAnalysisTests {
  private func analysis(
    _ milliseconds: [Double], _ top: SessionAnalysis.Top, selection: MetricsSelection = .time,
    started: WallTime? = nil
  ) -> SessionAnalysis {
    SessionAnalysis(
      events: Intervals.events(milliseconds), file: "a.txt", started: started, top: top, selection: selection)
  }

  private func json(_ bytes: [UInt8]) throws -> JSONValue {
    try JSONValue(String(decoding: bytes, as: UTF8.self))
  }

  /// Sixty regular beats with one premature beat and its pause.
  private static let ectopic =
    Intervals.alternating(800, count: 30) + [500, 1100] + Intervals.alternating(800, count: 30)

  @Test func topSeriesIsTheFirst() {
    #expect(analysis(Self.ectopic, .normal).series.map(\.name) == ["normal", "raw", "corrected"])
    #expect(analysis(Self.ectopic, .corrected).series.map(\.name) == ["corrected", "raw", "normal"])
    #expect(analysis(Self.ectopic, .raw).series.map(\.name) == ["raw"])
  }

  @Test func anEctopicBeatCountsInTheRawSeriesOnly() throws {
    let analysis = analysis(Self.ectopic, .normal)
    let (normal, raw) = (analysis.series[0].metrics, analysis.series[1].metrics)
    #expect(analysis.beats == 62 && raw.beats == 62)
    #expect(analysis.verdicts.values.reduce(0, +) == 62)
    let artefacts = 62 - (analysis.verdicts[.normal] ?? 0)
    #expect(artefacts > 0 && normal.beats == 62 - artefacts)
    #expect(isClose(analysis.artefactFraction, Double(artefacts) / 62))
    #expect(isClose(normal[.rmssd], 20, 0.5))
    // The raw series has the differences -310, 600 and -310 among about 60 differences of 20 ms.
    #expect(try #require(raw[.rmssd]) > 90)
    #expect(analysis.topBeats == analysis.classified)
  }

  @Test func rawAnalysisHasNoVerdicts() throws {
    let analysis = analysis(Self.ectopic, .raw)
    #expect(analysis.artefactFraction == nil && analysis.verdicts.isEmpty && analysis.sensorClass == nil)
    let json = try json(analysis.json)
    #expect(json["raw"]?.bool == true && json["artefact_percent"] == nil && json["verdicts"] == nil)
    #expect(json["series"]?.members.keys.sorted() == ["raw"])
  }

  @Test func jsonHasTheTopSeriesAsMembers() throws {
    for top in [SessionAnalysis.Top.normal, .corrected] {
      let analysis = analysis(Self.ectopic, top)
      let json = try json(analysis.json)
      #expect(json["rmssd_ms"] == json["series"]?[analysis.series[0].name]?["rmssd_ms"])
      #expect(json["beats"]?.number == Double(analysis.series[0].metrics.beats))
      #expect(json["file"]?.text == "a.txt" && json["format"]?.text == "recording")
      #expect(isClose(json["duration_s"]?.number, 49.6))
      #expect(isClose(json["artefact_percent"]?.number, try #require(analysis.artefactFraction) * 100))
      #expect(json["verdicts"]?["normal"]?.number == Double(try #require(analysis.verdicts[.normal])))
    }
  }

  @Test func durationIsFromTheStartOfTheFirstIntervalToTheEndOfTheLast() {
    #expect(analysis([1000, 500, 250], .raw).duration == Intervals.ticks(milliseconds: 1750))
    #expect(analysis([], .raw).duration == 0)
  }

  @Test func rrTextEqualsItsEvents() throws {
    let scratch = try Scratch()
    let path = try scratch.file(Self.ectopic.map { "\($0)\n" }.joined().utf8)
    for (top, keepsBeats) in [(SessionAnalysis.Top.raw, false), (.raw, true), (.normal, false)] {
      guard case .rrText(let text) = try SessionFile(path: path) else { throw ReportError(.noSession, path) }
      let ofText = try SessionAnalysis(
        text: text, file: "a.txt", top: top, selection: .time, keepsBeats: keepsBeats)
      let ofEvents = analysis(Self.ectopic, top)
      #expect(ofText.format == "rr-text (ms)")
      #expect(ofText.duration == ofEvents.duration && ofText.beats == ofEvents.beats)
      for (a, b) in zip(ofText.series, ofEvents.series) {
        #expect(a.name == b.name && a.metrics.metrics.map(\.value) == b.metrics.metrics.map(\.value))
      }
    }
  }
}

@Suite struct AnalysisWindowsTests {
  /// 5 s of beats of 1000 ms, 5 s of beats of 500 ms, and 2 s that fill no window.
  private static let intervals =
    Array(repeating: 1000.0, count: 5) + Array(repeating: 500, count: 10) + [1000, 1000]

  private func windows(_ length: Int, _ step: Int, started: WallTime? = nil) -> AnalysisWindows? {
    AnalysisWindows(
      SessionAnalysis(
        events: Intervals.events(Self.intervals), file: "a", started: started, top: .raw, selection: .time),
      length: .seconds(length), step: .seconds(step))
  }

  @Test func windowsContainTheBeatsThatEndInThem() throws {
    let windows = try #require(self.windows(5, 5))
    #expect(windows.windows.map(\.start.seconds) == [0, 5] && windows.windows.map(\.end.seconds) == [5, 10])
    #expect(windows.windows.map(\.metrics.beats) == [5, 10])
    #expect(windows.windows.map { $0.metrics[.meanNN] } == [1000, 500])
    #expect(windows.windows.map { $0.metrics[.meanHeartRate] } == [60, 120])
    #expect(windows.windows.allSatisfy { $0.artefactFraction == nil })
  }

  @Test func windowsOverlapIfTheStepIsShorter() throws {
    let windows = try #require(self.windows(10, 1))
    #expect(windows.windows.map(\.start.seconds) == [0, 1, 2])
    // 5 + 10, 4 + 10 + 1 and 3 + 10 + 2 beats.
    #expect(windows.windows.map(\.metrics.beats) == [15, 15, 15])
  }

  @Test func noWindowFitsIntoAShorterSession() {
    #expect(windows(13, 1) == nil)
    #expect(windows(12, 1) != nil)
  }

  @Test func jsonHasOneObjectPerWindowWithItsTime() throws {
    let start = try #require(WallTime(rfc3339: "2026-11-21T06:30:00Z"))
    let windows = try #require(self.windows(5, 5, started: start))
    let lines = try String(decoding: windows.json, as: UTF8.self).split(separator: "\n").map {
      try JSONValue(String($0))
    }
    #expect(lines.map { $0["start_s"]?.number } == [0, 5])
    #expect(lines.map { $0["duration_s"]?.number } == [5, 5])
    #expect(lines.map { $0["mean_hr_bpm"]?.number } == [60, 120])
    #expect(
      lines.map { $0["time"]?.text } == ["2026-11-21T06:30:00.000000Z", "2026-11-21T06:30:05.000000Z"])
    #expect(lines.allSatisfy { $0["series"]?.text == "raw" && $0["artefact_percent"] == nil })
  }
}
