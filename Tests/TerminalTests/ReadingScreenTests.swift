import HRV
import HeartRate
import LiveSession
import Localization
import Stress
import TestSupport
import Testing

@testable import Terminal

@Suite struct ReadingScreenTests {
  /// A state after `seconds` of beats at 60 bpm.
  private static func state(seconds: Int) -> LiveState { played(seconds: seconds).state }

  private static func played(seconds: Int) -> (state: LiveState, last: StressMeasurement?) {
    var state = LiveState()
    var last: StressMeasurement?
    var engine = StressEngine()
    for index in 0..<seconds {
      let rr = UInt16(SteppedIntervals.interval(index, mean: 1024, step: 20))
      let payload: [UInt8] = [0x10, 60, UInt8(rr & 0xFF), UInt8(rr >> 8)]
      let event = SessionEvent(
        at: SessionTime(ticks: Int64(index) * RRInterval.ticksPerSecond), .notification(payload: payload))
      state.update(event)
      engine.update(event) {
        state.update($0)
      } measured: {
        state.update($0)
        last = $0
      }
    }
    return (state, last)
  }

  private static func lines(_ view: ReadingView, width: Int = 80, height: Int = 24) -> [String] {
    ReadingScreen(style: .plain, ending: Phrase("q ends the reading"))
      .lines(view, width: width, height: height)
  }

  private static func view(_ stage: MorningCourse.Stage, seconds: Int = 0) -> ReadingView {
    let course = MorningCourse(posture: .lying, length: .seconds(60))
    let live = seconds == 0 ? LiveState() : state(seconds: seconds)
    return ReadingView(ReadingStage(stage, of: course), live: live)
  }

  @Test func theScreenShowsCountdownHeartRateCurveAndQuality() {
    let view = Self.view(.reading(.lying, left: 42.3), seconds: 50)
    let lines = Self.lines(view)
    #expect(lines[0] == "Lie still and breathe normally.  0:43 left  [█████···············]")
    #expect(lines[1].hasPrefix("HR 60 bpm   HRV 19.5 ms (RMSSD)"))
    #expect(lines[2] == "Time between heartbeats in ms" && lines[3].contains("│"))
    #expect(lines.contains { $0.hasPrefix("Confidence ") })
    #expect(lines.contains { $0.contains("50 beats") })
  }

  @Test(arguments: [2, 5, 8, 24, 60])
  func theScreenFitsTheTerminal(height: Int) {
    let view = Self.view(.reading(.standing, left: 10), seconds: 50)
    for width in [10, 40, 200] {
      let lines = Self.lines(view, width: width, height: height)
      #expect(lines.count < height && lines.allSatisfy { $0.columns <= width })
    }
  }

  @Test(arguments: [
    (MorningCourse.Stage.waiting, "Getting ready. The reading begins with the first heartbeat."),
    (.reading(.sitting, left: 60), "Sit still and breathe normally.  1:00 left"),
    (.standingUp(left: 30), "Stand up now.  0:30 left"), (.over, "Done"),
  ])
  func eachStageHasAnInstruction(stage: MorningCourse.Stage, instruction: String) {
    #expect(Self.lines(Self.view(stage))[0].hasPrefix(instruction))
    #expect(
      ReadingLines(style: .plain).line(Self.view(stage)) == "0:00  \(instruction)"
    )
  }

  @Test func theCardStatesThePositionInTheNormalRange() throws {
    let measurement = try #require(Self.played(seconds: 80).last)
    let card = ReadingCard(
      style: .plain, normal: NormalPosition { _ in Phrase("within your normal \("36-53")") })
    #expect(
      card.lines(LiveMeasurement(measurement), isStored: true).contains(
        "HRV         19.5 ms (RMSSD), within your normal 36-53"))
    #expect(
      card.details(measurement, baseline: .populationDefault).contains(
        "RMSSD       19.5 ms, within your normal 36-53"))
    var simple = TerminalStyle.plain
    simple.isSimple = true
    let short = ReadingCard(style: simple).lines(LiveMeasurement(measurement), isStored: true)
    #expect(short.count <= 3 && short.last?.contains("stressmon ") == true)
    let none = ReadingCard(style: .plain).details(measurement, baseline: .populationDefault)
    #expect(none.contains("RMSSD       19.5 ms"))
  }

  @Test func theLiveScreenStatesThePositionInTheNormalRange() {
    let normal = NormalPosition { _ in Phrase("above your normal \("10-15")") }
    let screen = LiveScreen(style: .plain, footer: nil, normal: normal)
    for height in [12, 40] {
      let lines = screen.lines(Self.state(seconds: 80), profile: "me", width: 100, height: height)
      #expect(lines.contains("HRV above your normal 10-15"), "\(height)")
    }
    let early = screen.lines(Self.state(seconds: 10), profile: "me", width: 100, height: 40)
    #expect(!early.contains { $0.contains("your normal") })
  }
}
