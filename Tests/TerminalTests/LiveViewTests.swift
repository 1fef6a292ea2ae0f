import HRV
import HeartRate
import Stress
import Terminal
import TestSupport
import Testing

/// A synthetic session: connected at 1 s, then one notification per beat of `rr` ms, at its end.
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
  style: .plain, baseline: Baseline.populationDefault.summary(.rmssd),
  footer: "Kept in x.db. Ctrl-C ends the session.")

@Suite struct LiveScreenTests {
  @Test func smallTerminalShowsLinesWithoutTheFace() {
    let lines = plainScreen.lines(session(beats: resting), profile: "me", width: 80, height: 16)
    #expect(lines.count == 8)
    #expect(lines[0] == "stressmon · Polar H10 · battery 80 % · me · RR not judged yet")
    #expect(lines[1].hasPrefix("Stress  ♣ "))
    #expect(lines[1].contains("Relaxed"))
    #expect(lines[2] == "Confidence 0.90: the baseline is younger than 30 days (0.90)")
    #expect(lines[3].hasPrefix("HR 61 bpm    RMSSD "))
    #expect(lines[4].hasPrefix("RR  "))
    #expect(lines[5] == "1:20 · 80 beats")
    #expect(lines[6] == "Baseline RMSSD 50.0 ms and 60.0 bpm, population default, not yet yours")
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

  @Test func smallTerminalKeepsStressAndHeartRate() {
    let lines = plainScreen.lines(session(beats: resting), profile: "me", width: 80, height: 3)
    #expect(lines.count == 2)
    #expect(lines[0].hasPrefix("Stress"))
    #expect(lines[1].hasPrefix("HR"))
  }

  @Test func staleValuesAreMarkedAsNotLive() {
    let lost = SessionEvent(at: SessionTime(seconds: 90)!, .link(LinkChange(.lost, reason: "timeout")))
    let lines = plainScreen.lines(
      session(beats: resting, then: [lost]), profile: "me", width: 100, height: 16)
    #expect(lines.contains { $0.hasPrefix("Stress") && $0.contains("(not live)") })
    #expect(lines.contains("Link lost: timeout. The values shown are not live; reconnecting."))
  }

  @Test("Issue 11: every state without live data is marked", arguments: LinkChange.State.allCases, [16, 30])
  func everyStateWithoutDataIsMarked(state: LinkChange.State, height: Int) {
    let time = SessionTime(seconds: 90)!
    let changes = [.lost, state].map { SessionEvent(at: time, .link(LinkChange($0))) }
    let lines = plainScreen.lines(
      session(beats: resting, then: changes), profile: "me", width: 100, height: height)
    #expect(lines.contains { $0.contains("Stress  ") && $0.contains("(not live)") })
    #expect(lines.contains { $0.hasPrefix("HR ") && $0.contains("(not live)") })
    #expect(lines.contains { $0.contains("The values shown are not live") })
  }

  @Test func artefactIsMarkedInTheChart() {
    var beats = resting
    beats[70] = 560
    let lines = plainScreen.lines(session(beats: beats), profile: "me", width: 100, height: 16)
    #expect(lines.contains { $0.hasPrefix("RR  ") && $0.contains("x") })
  }

  @Test func screenWithoutFooterHasNoFooterLine() {
    let block = LiveScreen(style: .plain, baseline: "RMSSD 50.0 ms", footer: nil)
    let lines = block.lines(session(beats: resting), profile: "anna", width: 80, height: 16)
    #expect(lines.count == 7)
    #expect(lines.first == "stressmon · Polar H10 · battery 80 % · anna · RR not judged yet")
    #expect(lines.last == "Baseline RMSSD 50.0 ms")
  }

  /// Issue 11.
  @Test("Until there are enough data for a stress value, the screen shows how much is collected")
  func collecting() {
    let state = session(beats: Array(resting.prefix(14)))
    for (width, height) in [(40, 12), (80, 24), (120, 40)] {
      let lines = plainScreen.lines(state, profile: "me", width: width, height: height)
      #expect(lines.contains { $0.contains("Stress  collecting: 13 of 30 s") }, "\(lines)")
    }
    var line = LiveLine(style: .plain)
    let text = line.measurementLine(state)
    #expect(text?.hasSuffix("  collecting: 13 of 30 s") == true && text?.contains("stress") == false)
    #expect(
      plainScreen.lines(session(beats: []), profile: "me", width: 80, height: 24).contains {
        $0.contains("collecting: 0 of 30 s")
      })
  }

  /// Issue 11.
  @Test("If 30 s contain too few beats, the screen shows how many are collected")
  func collectingBeats() {
    let state = session(beats: (0..<17).map { 1800 + Double($0 % 5) * 20 })
    let lines = plainScreen.lines(state, profile: "me", width: 80, height: 24)
    #expect(lines.contains { $0.contains("collecting: 17 of 20 normal beats") })
  }

  /// Issue 11.
  @Test("No reason of the confidence is clipped at any width", arguments: [40, 60, 80, 100, 120, 200])
  func confidenceIsWhole(width: Int) {
    let beats = (0..<40).map { $0.isMultiple(of: 5) ? 480 : 900 + Double($0 % 3) * 9 }
    let state = session(beats: beats)
    for height in [12, 16, 24, 40, 60] {
      let lines = plainScreen.lines(
        state, profile: "me", view: LiveView(keys: LiveKey.allCases), width: width, height: height)
      let start = lines.firstIndex { $0.contains("Confidence 0.") }
      #expect(start != nil && !lines.contains { $0.contains("Confidence") && $0.contains("…") }, "\(lines)")
      let words = lines.joined(separator: " ")
      #expect(!words.contains("low_hrv") && !words.contains("window_fill"))
      #expect(height < 16 || words.contains("collected") || words.contains("more"), "\(lines)")
    }
  }

  /// Issue 11.
  @Test("The face is described, and below a confidence of 0.5 it is not")
  func face() {
    let sure = plainScreen.lines(session(beats: resting), profile: "me", width: 80, height: 24)
    #expect(sure.contains { $0.contains("the face ") })
    let beats = (0..<60).map { $0.isMultiple(of: 5) ? 480 : 900 + Double($0 % 3) * 9 }
    let unsure = plainScreen.lines(session(beats: beats), profile: "me", width: 80, height: 24)
    #expect(unsure.contains { $0.contains("Confidence 0.") } && !unsure.contains { $0.contains("the face ") })
  }

  /// Issue 11.
  @Test("A stress value and a heart rate have large digits, unless they are stale")
  func largeDigits() {
    let live = plainScreen.lines(session(beats: resting), profile: "me", width: 200, height: 60)
    #expect(live.count { $0.contains("██") } >= 5 && live.contains { $0.contains("██ bpm") })
    let lost = SessionEvent(at: SessionTime(seconds: 90)!, .link(LinkChange(.lost)))
    let stale = plainScreen.lines(
      session(beats: resting, then: [lost]), profile: "me", width: 200, height: 60)
    #expect(!stale.contains { $0.contains("██ bpm") })
  }

  /// Issue 11.
  @Test("RMSSD that varies by a few ms does not fill the height of its trend")
  func noiseInTrend() throws {
    let state = session(beats: resting.enumerated().map { $1 + Double($0 * $0 * 7 % 23) - 11 })
    let lines = plainScreen.lines(state, profile: "me", width: 100, height: 24)
    let line = try #require(lines.first { $0.hasPrefix("5 min") })
    let rmssd = try #require(line.split(separator: "RMSSD").last)
    #expect(Set(rmssd.filter { "▁▂▃▄▅▆▇█".contains($0) }).count <= 4, "\(line)")
  }

  @Test func asciiScreenContainsOnlyASCII() {
    let screen = LiveScreen(
      style: TerminalStyle(colours: .none, unicode: false), baseline: "RMSSD 50.0 ms",
      footer: "Nothing is kept.")
    let lines = screen.lines(session(beats: resting), profile: "me", width: 80, height: 24)
    #expect(lines.allSatisfy { $0.utf8.allSatisfy { $0 < 0x80 } })
  }

  @Test func kindOfIntervalsIsShownWhenKnown() {
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

@Suite struct LiveViewTests {
  @Test func pausedDisplayIsMarkedAsNotLive() {
    let (early, late) = (session(beats: Array(resting.prefix(40))), session(beats: resting))
    for (width, height) in [(40, 12), (80, 24), (120, 40)] {
      let lines = plainScreen.lines(early.held(while: late), profile: "me", width: width, height: height)
      #expect(lines.contains { $0.hasPrefix("Paused at 0:40, not live;") })
      #expect(lines.contains { $0.contains("Stress") && $0.contains("(not live)") })
    }
    #expect(!late.isStale && early.held(while: late).isStale)
    // Changes of the link are shown.
    let lost = SessionEvent(at: SessionTime(seconds: 90)!, .link(LinkChange(.lost)))
    let held = early.held(while: session(beats: resting, then: [lost]))
    #expect(
      plainScreen.lines(held, profile: "me", width: 100, height: 30).contains { $0.hasPrefix("Link lost") })
  }

  /// Beats of about 900 ms, modulated by breathing at `rate` per minute.
  private func breathing(_ rate: Double, beats: Int, seed: UInt64, depth: Double = 40) -> [Double] {
    var random = SeededGenerator(seed: seed)
    return (0..<beats).map { beat in
      let phase = Double(beat) * 0.9 * rate / 60
      let breath = (phase - phase.rounded(.down)) * 4 - 2
      return 900 + depth * (abs(breath) - 1) + .random(in: -12...12, using: &random)
    }
  }

  @Test func respirationRateIsEstimatedFromBeats() throws {
    var state = session(beats: breathing(15, beats: 150, seed: 1))
    #expect(state.respiration == nil)
    state.lookForBreath()
    let rate = try #require(state.respiration?.rate.value)
    #expect(abs(rate - 15) < 0.5)
    func heart(_ width: Int) -> String? {
      plainScreen.lines(state, profile: "me", width: width, height: 30).first { $0.hasPrefix("HR") }
    }
    let reliability = try #require(heart(120)).suffix(5).dropLast()
    #expect(heart(120)?.contains("/min (reliability ") == true && Double(reliability) ?? 0 >= 0.66)
    #expect(heart(80)?.hasSuffix("/min") == true && heart(62)?.contains("Breath") == false)
  }

  @Test func unreliableRespirationRateIsADash() {
    for beats in [breathing(15, beats: 50, seed: 1), breathing(15, beats: 150, seed: 2, depth: 0)] {
      var state = session(beats: beats)
      state.lookForBreath()
      let lines = plainScreen.lines(state, profile: "me", width: 120, height: 30)
      #expect(lines.contains { $0.hasSuffix("    Breath -") })
    }
  }

  /// The estimate is computed at most every five seconds.
  @Test func respirationRateIsUpdatedEveryFiveSeconds() {
    var state = session(beats: breathing(15, beats: 150, seed: 1))
    state.lookForBreath()
    let found = state.respiration
    let time = SessionTime(ticks: state.now.ticks + 4 * RRInterval.ticksPerSecond)
    state.update(
      .beat(Beat(end: time, rr: RRInterval(milliseconds: 1900)!, verdict: .normal, followsBreak: false)))
    state.update(SessionEvent(at: time, .battery(BatteryLevel(percent: 79)!)))
    state.lookForBreath()
    #expect(state.respiration == found)
  }

  @Test func trendCoversTheLabelledTime() {
    func trend(_ state: LiveState, _ span: LiveView.Span) -> String? {
      var view = LiveView()
      view.span = span
      return plainScreen.lines(state, profile: "me", view: view, width: 150, height: 24)
        .first { $0.hasPrefix(span.words) }
    }
    // 80 s of beats, in columns of 2 s: RMSSD, which requires 20 beats, fills a minute; stress, which requires 30 s, does not.
    // In five minutes, about the last sixth has stress.
    // Irregular, because the sensor would otherwise be classified as averaging.
    let state = session(beats: resting.enumerated().map { $1 + Double($0 * $0 * 7 % 23) - 11 })
    let minute = trend(state, .minute)?.split(separator: " ", omittingEmptySubsequences: true)
    #expect(
      minute?.count == 6 && (25...26).contains(minute?[3].count ?? 0) && minute?[5].count == 30,
      "\(minute ?? [])")
    let five = trend(state, .fiveMinutes)?.split(separator: " ", omittingEmptySubsequences: true)
    #expect(five?.count == 6 && (10...11).contains(five?[3].count ?? 0), "\(five ?? [])")
    // Empty in the last half minute, which has no data.
    let battery = SessionEvent(at: SessionTime(seconds: 112)!, .battery(BatteryLevel(percent: 79)!))
    let later = session(beats: resting, then: [battery])
    #expect(trend(later, .minute)?.last == " ")
  }

  @Test(arguments: [10, 24, 40, 55, 80])
  func keyLineShowsTheKeysThatFit(width: Int) {
    let line = LiveKey.line(LiveKey.allCases, width: width, .plain)
    #expect(line.columns <= width && line.hasPrefix("h help"))
    #expect(width < 80 || LiveKey.allCases.allSatisfy { line.contains("\($0)") || $0 == .window })
    let help = KeyHelp(LiveKey.allCases, style: .plain).lines(width: width, height: 24)
    #expect(help.allSatisfy { $0.columns <= width } && help.count < 24)
  }

  @Test func charactersMapToKeys() {
    #expect("hqpmwb".compactMap { LiveKey($0) } == [.help, .quit, .pause, .mark, .window, .breathe])
    #expect(" ?Q\u{4}".compactMap { LiveKey($0) } == [.pause, .help, .quit, .quit])
    #expect("x\u{1B}\n1".allSatisfy { LiveKey($0) == nil })
    #expect(!LiveKey.ofSeveral.contains(.breathe) && !LiveKey.ofReplay.contains(.mark))
  }

  @Test func textIsWrappedBetweenWords() {
    #expect("one two three".wrapped(to: 7) == ["one two", "three"])
    #expect("incomprehensible word".wrapped(to: 8) == ["incompr…", "word"])
    #expect("".wrapped(to: 5).isEmpty)
  }
}

@Suite struct LiveLineTests {
  @Test func linesOfSeveralSessionsHaveTheirLabel() {
    var lines = LiveLine(style: .plain, label: "an\u{1B}na")
    let state = session(beats: resting)
    #expect(lines.linkLine(state) == "1:20  an\u{FFFD}na  Connected: Polar H10 · battery 80 %")
    #expect(lines.measurementLine(state)?.hasPrefix("1:20  an\u{FFFD}na  HR 61 bpm  RMSSD ") == true)
  }

  /// 20 beats end in the seconds 0 to 8 at 150 bpm, 0 to 19 at 62 bpm, and in every other second at 32 bpm.
  @Test(arguments: [(400.0, 9, "HR 150 bpm"), (970.0, 20, "HR 62 bpm"), (1900, 20, "HR 32 bpm")])
  func atMostOneLinePerSecond(rr: Double, count: Int, heartRate: String) {
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
    #expect(printed[0].dropFirst(6).hasPrefix("\(heartRate)  RMSSD -  SDNN -  collecting: "))
  }

  @Test func eachLinkChangeIsOneLine() {
    let lines = LiveLine(style: .plain)
    var state = LiveState()
    state.update(SessionEvent(at: .zero, .link(LinkChange(.searching))))
    #expect(lines.linkLine(state) == "0:00  Searching for the strap. Wear it, and moisten its electrodes.")
    state = session(beats: [])
    #expect(lines.linkLine(state) == "0:01  Connected: Polar H10 · battery 80 %")
  }
}

@Suite struct ReadingCardTests {
  @Test func cardContainsAllValues() throws {
    let state = session(beats: resting)
    let measurement = try #require(state.measurement)
    let lines = ReadingCard(style: .plain).lines(measurement, baseline: .populationDefault)
    #expect(lines[0].hasSuffix("Relaxed"))
    #expect(lines.contains("Confidence  0.90"))
    #expect(lines.contains("            the baseline is younger than 30 days (0.90)"))
    #expect(lines.contains("Beats       61 good of 61 in the last 60 s"))
    #expect(lines.last == "Baseline    RMSSD 50.0 ms and 60.0 bpm, population default, not yet yours")
  }

  /// Issue 11.
  @Test("At 40 columns a reading is wrapped between words, beside its labels")
  func narrow() throws {
    let measurement = try #require(session(beats: resting).measurement)
    let lines = ReadingCard(style: .plain).lines(measurement, baseline: .populationDefault, width: 40)
    #expect(lines.allSatisfy { $0.columns <= 40 && !$0.contains("…") }, "\(lines)")
    #expect(lines.contains("Baseline    RMSSD 50.0 ms and 60.0 bpm,"))
    #expect(lines.contains("            population default, not yet"))
  }

  /// Issue 11.
  @Test("A reading of a partly filled window shows how much is collected")
  func collected() throws {
    let measurement = try #require(session(beats: Array(resting.prefix(40))).measurement)
    let lines = ReadingCard(style: .plain).lines(measurement, baseline: .populationDefault)
    #expect(lines.contains("            39 of 60 s collected"), "\(lines)")
  }

  @Test(
    "A baseline says where it comes from",
    arguments: [
      (1, "learned from 1 day; blended with the population default by 1/30"),
      (12, "learned from 12 days; blended with the population default by 12/30"),
      (30, "learned from 30 days"),
    ] as [(Double, String)])
  func provenanceDependsOnDays(days: Double, words: String) {
    let baseline = Baseline(rmssd: 41, sdnn: 62.5, restingHeartRate: 55, days: days, origin: .learned)
    #expect(baseline.summary(.sdnn) == "SDNN 62.5 ms and 55.0 bpm, " + words)
  }
}
