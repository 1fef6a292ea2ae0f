import HRV
import HeartRate
import Stress
import Terminal
import Testing

/// A session by hand: connected at 1 s, then one beat of `rr` ms each, arriving as it ends.
private func session(beats: [Double], then more: [SessionEvent] = []) -> LiveState {
  var state = LiveState()
  var engine = StressEngine()
  let strap = StrapIdentity(address: "C0:FF:EE:00:00:01", name: "Polar H10")
  var time = SessionTime(seconds: 1) ?? .zero
  var events = [
    SessionEvent(at: time, .link(LinkChange(.connected, strap: strap))),
    SessionEvent(at: time, .battery(BatteryLevel(percent: 80)!)),
  ]
  for beat in beats {
    let rr = RRInterval(milliseconds: beat)!
    time = time + rr
    let measurement = HeartRateMeasurement(
      heartRate: 60, contact: .detected, rrIntervals: RRIntervals(gattUnits: [rr.gattUnits]))
    events.append(SessionEvent(at: time, .notification(payload: measurement.encoded())))
  }
  for event in events + more {
    state.update(event)
    engine.update(event) {
      state.update($0)
    } measured: {
      state.update($0)
    }
  }
  return state
}

private let resting = (0..<80).map { 950 + Double($0 % 5) * 20 }
private let plainScreen = LiveScreen(
  style: .plain, baseline: Baseline.prior.summary(.rmssd), footer: "Kept in x.db. Ctrl-C ends the session.")

@Suite struct LiveScreenTests {
  @Test func showsLinesWhereThereIsNoRoomForTheFigure() {
    let lines = plainScreen.lines(session(beats: resting), profile: "me", width: 80, height: 16)
    #expect(lines.count == 8)
    #expect(lines[0] == "stressmon · Polar H10 · battery 80 % · me · RR not judged yet")
    #expect(lines[1].hasPrefix("Stress  ♣ "))
    #expect(lines[1].contains("Relaxed"))
    #expect(lines[2] == "Confidence 0.90: the baseline is younger than 30 days (0.90)")
    #expect(lines[3].hasPrefix("HR 61 bpm    RMSSD "))
    #expect(lines[4].hasPrefix("RR  "))
    #expect(lines[5] == "1:20 · 80 beats")
    #expect(lines[6] == "Baseline RMSSD 50.0 ms and 60.0 bpm, the prior, the same for everyone")
    #expect(lines[7] == "Kept in x.db. Ctrl-C ends the session.")
  }

  @Test(arguments: [(40, 12), (80, 24), (200, 60), (20, 4), (10, 3)])
  func fitsTheTerminal(width: Int, height: Int) {
    for state in [LiveState(), session(beats: []), session(beats: resting)] {
      let lines = plainScreen.lines(
        state, profile: "me", notices: ["the disk is full"], width: width, height: height)
      #expect(lines.allSatisfy { $0.columns <= width })
      #expect(lines.count < height || lines.count <= 2)
      #expect(lines.count >= 2)
    }
  }

  @Test func whatMattersStaysWhenThereIsLittleRoom() {
    let lines = plainScreen.lines(session(beats: resting), profile: "me", width: 80, height: 3)
    #expect(lines.count == 2)
    #expect(lines[0].hasPrefix("Stress"))
    #expect(lines[1].hasPrefix("HR"))
  }

  @Test func staleIsNeverShownAsLive() {
    let lost = SessionEvent(at: SessionTime(seconds: 90)!, .link(LinkChange(.lost, reason: "timeout")))
    let lines = plainScreen.lines(
      session(beats: resting, then: [lost]), profile: "me", width: 100, height: 16)
    #expect(lines.contains { $0.hasPrefix("Stress") && $0.contains("(not live)") })
    #expect(lines.contains("Link lost: timeout. What stands here is not live; reconnecting."))
  }

  @Test func aBeatJudgedBadIsMarked() {
    var beats = resting
    beats[70] = 560
    let lines = plainScreen.lines(session(beats: beats), profile: "me", width: 100, height: 16)
    #expect(lines.contains { $0.hasPrefix("RR  ") && $0.contains("x") })
  }

  @Test func theFooterMayStandElsewhere() {
    let block = LiveScreen(style: .plain, baseline: "RMSSD 50.0 ms", footer: nil)
    let lines = block.lines(session(beats: resting), profile: "anna", width: 80, height: 16)
    #expect(lines.count == 7)
    #expect(lines.first == "stressmon · Polar H10 · battery 80 % · anna · RR not judged yet")
    #expect(lines.last == "Baseline RMSSD 50.0 ms")
  }

  @Test func asciiNeedsNoOtherCharacter() {
    let screen = LiveScreen(
      style: TerminalStyle(colours: .none, unicode: false), baseline: "RMSSD 50.0 ms",
      footer: "Nothing is kept.")
    let lines = screen.lines(session(beats: resting), profile: "me", width: 80, height: 24)
    #expect(lines.allSatisfy { $0.utf8.allSatisfy { $0 < 0x80 } })
  }

  @Test func theKindOfIntervalsIsShownOnceItIsKnown() {
    var state = LiveState()
    func heading() -> String? {
      plainScreen.lines(state, profile: "me", width: 80, height: 16).first
    }
    #expect(heading()?.contains("RR") == false)
    state.update(SessionEvent(at: .zero, .notification(payload: [0x10, 0x40, 0x00, 0x04])))
    #expect(heading()?.hasSuffix("me · RR not judged yet") == true)
    #expect(LiveLine(style: .plain).sensorLine(state) == nil)
    for (found, words) in [
      (SensorClass.beatToBeat, "beat-to-beat RR"), (.smoothed, "smoothed RR"), (.noRR, "no RR"),
    ] {
      state.update(found)
      #expect(heading()?.hasSuffix("me · \(words)") == true)
    }
    state.update(SensorClass.beatToBeat)
    #expect(
      LiveLine(style: .plain).sensorLine(state) == "0:00  This sensor sends RR intervals from beat to beat.")
  }

  @Test func aSensorWithoutRRIsToldOf() {
    var state = LiveState()
    var engine = StressEngine()
    var told: [String?] = []
    for second in 0..<30 {
      let event = SessionEvent(
        at: SessionTime(seconds: Double(second))!, .notification(payload: [0x00, 0x40]))
      state.update(event)
      let known = engine.sensorClass
      engine.update(event) {
        state.update($0)
      } measured: {
        state.update($0)
      }
      guard let found = engine.sensorClass, found != known else { continue }
      state.update(found)
      told.append(LiveLine(style: .plain).sensorLine(state))
    }
    #expect(
      told == [
        "0:19  This sensor sends heart rate but no RR intervals: HRV and stress cannot be computed from it."
      ])
    var lines = plainScreen.lines(state, profile: "me", width: 120, height: 16)
    #expect(lines.contains { $0.contains("no RR intervals") })
    #expect(lines.contains { $0.contains("HR 64 bpm") })
    #expect(lines.contains("Stress  -"))
    state.update(SessionEvent(at: SessionTime(seconds: 40)!, .link(LinkChange(.lost))))
    lines = plainScreen.lines(state, profile: "me", width: 120, height: 16)
    #expect(lines.contains { $0.hasPrefix("Link lost") })
  }
}

@Suite struct LiveLineTests {
  @Test func oneOfSeveralSessionsIsToldByItsLabel() {
    var lines = LiveLine(style: .plain, label: "an\u{1B}na")
    let state = session(beats: resting)
    #expect(lines.linkLine(state) == "1:20  an\u{FFFD}na  Connected: Polar H10 · battery 80 %")
    #expect(lines.measurementLine(state)?.hasPrefix("1:20  an\u{FFFD}na  HR 61 bpm  RMSSD ") == true)
  }

  /// 20 beats end in the seconds 0 to 8 at 150 bpm, 0 to 19 at 62 bpm, and in one of two at 32 bpm.
  @Test(arguments: [(400.0, 9, "HR 150 bpm"), (970.0, 20, "HR 62 bpm"), (1900, 20, "HR 32 bpm")])
  func oneLineASecond(rr: Double, count: Int, heartRate: String) {
    var lines = LiveLine(style: .plain)
    var state = LiveState()
    var engine = StressEngine()
    var printed: [String] = []
    var time = SessionTime.zero
    for _ in 0..<20 {
      time = time + RRInterval(milliseconds: rr)!
      let event = SessionEvent(at: time, .interval(RRInterval(milliseconds: rr)!))
      state.update(event)
      engine.update(event) {
        state.update($0)
      } measured: {
        state.update($0)
        if let line = lines.measurementLine(state) { printed.append(line) }
      }
    }
    #expect(printed.count == count)
    #expect(printed[0].dropFirst(6).hasPrefix("\(heartRate)  RMSSD -  SDNN -  stress -  confidence "))
  }

  @Test func linkChangesAreLines() {
    let lines = LiveLine(style: .plain)
    var state = LiveState()
    state.update(SessionEvent(at: .zero, .link(LinkChange(.searching))))
    #expect(lines.linkLine(state) == "0:00  Searching for the strap. Wear it, and moisten its electrodes.")
    state = session(beats: [])
    #expect(lines.linkLine(state) == "0:01  Connected: Polar H10 · battery 80 %")
  }
}

@Suite struct ReadingCardTests {
  @Test func saysEverythingInWords() throws {
    let state = session(beats: resting)
    let measurement = try #require(state.measurement)
    let lines = ReadingCard(style: .plain).lines(measurement, baseline: .prior)
    #expect(lines[0].hasSuffix("Relaxed"))
    #expect(lines.contains("Confidence  0.90"))
    #expect(lines.contains("            the baseline is younger than 30 days (0.90)"))
    #expect(lines.contains("Beats       61 good of 61 in the last 60 s"))
    #expect(lines.last == "Baseline    RMSSD 50.0 ms and 60.0 bpm, the prior, the same for everyone")
  }

  @Test(
    "A baseline says where it comes from",
    arguments: [
      (1, "learned from 1 day; blended with the prior by 1/30"),
      (12, "learned from 12 days; blended with the prior by 12/30"), (30, "learned from 30 days"),
    ] as [(Double, String)])
  func provenance(days: Double, words: String) {
    let baseline = Baseline(rmssd: 41, sdnn: 62.5, restingHeartRate: 55, days: days, origin: .learned)
    #expect(baseline.summary(.sdnn) == "SDNN 62.5 ms and 55.0 bpm, " + words)
  }
}
