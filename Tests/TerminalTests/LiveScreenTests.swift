import HRV
import HeartRate
import Stress
import Terminal
import TestSupport
import Testing

@Suite struct LiveScreenTests {
  @Test func smallTerminalShowsLinesWithoutTheFace() {
    let lines = plainScreen.lines(liveState(beats: restingBeats), profile: "me", width: 80, height: 16)
    #expect(lines.count == 7)
    #expect(lines[0] == "stressmon · Polar H10 · battery 80 % · me · RR not classified yet")
    #expect(lines[1].hasPrefix("Stress  ♣ "))
    #expect(lines[1].contains("Relaxed"))
    #expect(lines[2] == "Confidence high (90 %): few own resting days in the baseline")
    #expect(lines[3].hasPrefix("HR 60 bpm    HRV "))
    #expect(lines[4].hasPrefix("RR  "))
    #expect(lines[5] == "1:20 · 80 beats")
    #expect(lines[6] == "Kept in x.db. Ctrl-C ends the session.")
  }

  @Test(arguments: [(40, 12), (80, 24), (200, 60), (20, 4), (10, 3)])
  func screenFitsTheTerminal(width: Int, height: Int) {
    for state in [LiveState(), liveState(beats: []), liveState(beats: restingBeats)] {
      let lines = plainScreen.lines(
        state, profile: "me", notices: ["the disk is full"], width: width, height: height)
      #expect(lines.allSatisfy { $0.columns <= width })
      #expect(lines.count < height || lines.count <= 2)
      #expect(lines.count >= 2)
    }
  }

  @Test func theSimpleScreenShowsOneValueOneSentenceAndOneAction() {
    var style = TerminalStyle.plain
    style.isSimple = true
    let screen = LiveScreen(style: style, footer: "Kept in x.db. Ctrl-C ends the session.")
    let view = LiveView(keys: LiveKey.ofOne)
    let lines = screen.lines(
      liveState(beats: restingBeats), profile: "me", view: view, width: 120, height: 40)
    #expect(lines.count == 3)
    #expect(lines[0].hasPrefix("Stress  ♣ ") && lines[1].hasPrefix("Confidence high"))
    #expect(lines[2].contains("q"))
    let notice = screen.lines(
      liveState(beats: restingBeats), profile: "me", notices: ["the disk is full"], view: view, width: 40,
      height: 12)
    #expect(notice[1] == "the disk is full" && notice.allSatisfy { $0.columns <= 40 })
  }

  /// A question ends with the command that answers it.
  @Test(arguments: [false, true], [12, 40]) func aLongNoticeIsWrapped(isSimple: Bool, height: Int) {
    var style = TerminalStyle.plain
    style.isSimple = isSimple
    let notice =
      "Stressed? Answer with: stressmon prompts answer yes --prompt 1 --profile anna --trigger work"
    let lines = LiveScreen(style: style, footer: nil).lines(
      liveState(beats: restingBeats), profile: "anna", notices: [notice], width: 60, height: height)
    #expect(lines.joined(separator: " ").contains(notice) && lines.allSatisfy { $0.columns <= 60 })
  }

  @Test func smallTerminalKeepsStressAndHeartRate() {
    let lines = plainScreen.lines(liveState(beats: restingBeats), profile: "me", width: 80, height: 3)
    #expect(lines.count == 2)
    #expect(lines[0].hasPrefix("Stress"))
    #expect(lines[1].hasPrefix("HR"))
  }

  @Test func staleValuesAreMarkedAsNotLive() {
    let lost = SessionEvent(at: SessionTime(seconds: 90)!, .link(LinkChange(.lost, reason: "timeout")))
    let lines = plainScreen.lines(
      liveState(beats: restingBeats, then: [lost]), profile: "me", width: 100, height: 16)
    #expect(lines.contains { $0.hasPrefix("Stress") && $0.contains("(not live)") })
    #expect(lines.contains("Link lost: timeout. The values shown are not live; reconnecting."))
  }

  @Test("Every state without live data is marked", arguments: LinkChange.State.allCases, [16, 30])
  func everyStateWithoutDataIsMarked(state: LinkChange.State, height: Int) {
    let time = SessionTime(seconds: 90)!
    let changes = [.lost, state].map { SessionEvent(at: time, .link(LinkChange($0))) }
    let lines = plainScreen.lines(
      liveState(beats: restingBeats, then: changes), profile: "me", width: 100, height: height)
    #expect(lines.contains { $0.contains("Stress  ") && $0.contains("(not live)") })
    #expect(lines.contains { $0.hasPrefix("HR ") && $0.contains("(not live)") })
    #expect(lines.contains { $0.contains("The values shown are not live") })
  }

  @Test func artefactIsMarkedInTheChart() {
    var beats = restingBeats
    beats[70] = 560
    let lines = plainScreen.lines(liveState(beats: beats), profile: "me", width: 100, height: 16)
    #expect(lines.contains { $0.hasPrefix("RR  ") && $0.contains("x") })
  }

  @Test func screenWithoutFooterHasNoFooterLine() {
    let block = LiveScreen(style: .plain, footer: nil)
    let lines = block.lines(liveState(beats: restingBeats), profile: "anna", width: 80, height: 16)
    #expect(lines.count == 6)
    #expect(lines.first == "stressmon · Polar H10 · battery 80 % · anna · RR not classified yet")
    #expect(lines.last == "1:20 · 80 beats")
  }

  @Test("Until there are enough data for a stress value, the screen shows how much is collected")
  func collecting() {
    let state = liveState(beats: Array(restingBeats.prefix(14)))
    for (width, height) in [(40, 12), (80, 24), (120, 40)] {
      let lines = plainScreen.lines(state, profile: "me", width: width, height: height)
      #expect(lines.contains { $0.contains("Stress  collecting: 13 of 30 s") }, "\(lines)")
    }
    var line = LiveLine(style: .plain)
    let text = line.measurementLine(state)
    #expect(text?.hasSuffix("  collecting: 13 of 30 s") == true && text?.contains("stress") == false)
    #expect(
      plainScreen.lines(liveState(beats: []), profile: "me", width: 80, height: 24).contains {
        $0.contains("collecting: 0 of 30 s")
      })
  }

  @Test("If 30 s contain too few beats, the screen shows how many are collected")
  func collectingBeats() {
    let state = liveState(beats: (0..<17).map { 1800 + Double($0 % 5) * 20 })
    let lines = plainScreen.lines(state, profile: "me", width: 80, height: 24)
    #expect(lines.contains { $0.contains("collecting: 17 of 20 normal beats") })
  }

  @Test("The reason of the confidence is clipped at no width", arguments: [40, 60, 80, 100, 120, 200])
  func confidenceIsWhole(width: Int) {
    let beats = (0..<40).map { $0.isMultiple(of: 5) ? 480 : 900 + Double($0 % 3) * 9 }
    let state = liveState(beats: beats)
    for height in [12, 16, 24, 40, 60] {
      let lines = plainScreen.lines(
        state, profile: "me", view: LiveView(keys: LiveKey.ofOne), width: width, height: height)
      let start = lines.firstIndex { $0.contains("Confidence ") }
      #expect(start != nil && !lines.contains { $0.contains("Confidence") && $0.contains("…") }, "\(lines)")
      let words = lines.joined(separator: " ")
      #expect(!words.contains("low_hrv") && !words.contains("window_fill"))
      #expect(height < 16 || words.contains(": HRV is far below"), "\(lines)")
    }
  }

  @Test("The face is described, and below a confidence of 0.5 it is not")
  func face() {
    let sure = plainScreen.lines(liveState(beats: restingBeats), profile: "me", width: 80, height: 24)
    #expect(sure.contains { $0.contains("the face ") })
    let beats = (0..<60).map { $0.isMultiple(of: 5) ? 480 : 900 + Double($0 % 3) * 9 }
    let unsure = plainScreen.lines(liveState(beats: beats), profile: "me", width: 80, height: 24)
    #expect(unsure.contains { $0.contains("Confidence ") } && !unsure.contains { $0.contains("the face ") })
  }

  @Test("A stress value and a heart rate have large digits, unless they are stale")
  func largeDigits() {
    let live = plainScreen.lines(liveState(beats: restingBeats), profile: "me", width: 200, height: 60)
    #expect(live.count { $0.contains("██") } >= 5 && live.contains { $0.contains("██ bpm") })
    let lost = SessionEvent(at: SessionTime(seconds: 90)!, .link(LinkChange(.lost)))
    let stale = plainScreen.lines(
      liveState(beats: restingBeats, then: [lost]), profile: "me", width: 200, height: 60)
    #expect(!stale.contains { $0.contains("██ bpm") })
  }

  @Test("RMSSD that varies by a few ms does not fill the height of its trend")
  func noiseInTrend() throws {
    let state = liveState(beats: restingBeats.enumerated().map { $1 + Double($0 * $0 * 7 % 23) - 11 })
    let lines = plainScreen.lines(state, profile: "me", width: 100, height: 24)
    let line = try #require(lines.first { $0.hasPrefix("5 min") })
    let rmssd = try #require(line.split(separator: "RMSSD").last)
    #expect(Set(rmssd.filter { "▁▂▃▄▅▆▇█".contains($0) }).count <= 4, "\(line)")
  }

  @Test func asciiScreenContainsOnlyASCII() {
    let screen = LiveScreen(
      style: TerminalStyle(colours: .none, unicode: false), footer: "Nothing is stored.")
    let lines = screen.lines(liveState(beats: restingBeats), profile: "me", width: 80, height: 24)
    #expect(lines.allSatisfy { $0.utf8.allSatisfy { $0 < 0x80 } })
  }

  @Test func kindOfIntervalsIsShownWhenKnown() {
    var state = LiveState()
    func heading() -> String? {
      plainScreen.lines(state, profile: "me", width: 80, height: 16).first
    }
    #expect(heading()?.contains("RR") == false)
    state.update(SessionEvent(at: .zero, .notification(payload: [0x10, 0x40, 0x00, 0x04])))
    #expect(heading()?.hasSuffix("me · RR not classified yet") == true)
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

  @Test func sensorWithoutRRIsReported() {
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
