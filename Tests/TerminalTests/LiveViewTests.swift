import HRV
import HeartRate
import LiveSession
import Stress
import Terminal
import TestSupport
import Testing

@Suite struct LiveViewTests {
  @Test func pausedDisplayIsMarkedAsNotLive() {
    let (early, late) = (liveState(beats: Array(restingBeats.prefix(40))), liveState(beats: restingBeats))
    for (width, height) in [(40, 12), (80, 24), (120, 40)] {
      let lines = plainScreen.lines(early.held(while: late), profile: "me", width: width, height: height)
      #expect(lines.contains { $0.hasPrefix("Paused at 0:40, not live;") })
      #expect(lines.contains { $0.contains("Stress") && $0.contains("(not live)") })
    }
    #expect(!late.isStale && early.held(while: late).isStale)
    // Changes of the link are shown.
    let lost = SessionEvent(at: SessionTime(seconds: 90)!, .link(LinkChange(.lost)))
    let held = early.held(while: liveState(beats: restingBeats, then: [lost]))
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
    var state = liveState(beats: breathing(15, beats: 150, seed: 1))
    #expect(state.respiration == nil)
    state.analyzeRecentBeats()
    let rate = try #require(state.respiration?.rate.value)
    #expect(abs(rate - 15) < 0.5)
    func heart(_ width: Int) -> String? {
      plainScreen.lines(state, profile: "me", width: width, height: 30).first { $0.hasPrefix("HR") }
    }
    let reliability = try #require(heart(120)).suffix(5).dropLast()
    #expect(heart(120)?.contains("/min (reliability ") == true && Double(reliability) ?? 0 >= 0.66)
    #expect(heart(60)?.hasSuffix("/min") == true && heart(45)?.contains("Breath") == false)
  }

  @Test func unreliableRespirationRateIsADash() {
    for beats in [breathing(15, beats: 50, seed: 1), breathing(15, beats: 150, seed: 2, depth: 0)] {
      var state = liveState(beats: beats)
      state.analyzeRecentBeats()
      let lines = plainScreen.lines(state, profile: "me", width: 120, height: 30)
      #expect(lines.contains { $0.hasSuffix("    Breath -") })
    }
  }

  /// The estimate is computed at most every five seconds.
  @Test func respirationRateIsUpdatedEveryFiveSeconds() {
    var state = liveState(beats: breathing(15, beats: 150, seed: 1))
    state.analyzeRecentBeats()
    let found = state.respiration
    let time = SessionTime(ticks: state.now.ticks + 4 * RRInterval.ticksPerSecond)
    state.update(
      .beat(Beat(end: time, rr: RRInterval(milliseconds: 1900)!, verdict: .normal, followsBreak: false)))
    state.update(SessionEvent(at: time, .battery(BatteryLevel(percent: 79)!)))
    state.analyzeRecentBeats()
    #expect(state.respiration == found)
  }

  @Test func trendCoversTheLabelledTime() {
    func trend(_ state: LiveState, _ span: LiveView.Span) -> String? {
      var view = LiveView()
      view.span = span
      return plainScreen.lines(state, profile: "me", view: view, width: 150, height: 24)
        .first { $0.hasPrefix(span.words) }
    }
    // 80 s of beats, in columns of 2 s: RMSSD and stress, which require 30 s, do not fill a minute. In five minutes, about the
    // last sixth has stress.
    // Irregular, because the sensor would otherwise be classified as averaging.
    let state = liveState(beats: restingBeats.enumerated().map { $1 + Double($0 * $0 * 7 % 23) - 11 })
    let minute = trend(state, .minute)?.split(separator: " ", omittingEmptySubsequences: true)
    #expect(
      minute?.count == 6 && (25...26).contains(minute?[3].count ?? 0) && minute?[5].count == minute?[3].count,
      "\(minute ?? [])")
    let five = trend(state, .fiveMinutes)?.split(separator: " ", omittingEmptySubsequences: true)
    #expect(five?.count == 6 && (10...11).contains(five?[3].count ?? 0), "\(five ?? [])")
    // Empty in the last half minute, which has no data.
    let battery = SessionEvent(at: SessionTime(seconds: 112)!, .battery(BatteryLevel(percent: 79)!))
    let later = liveState(beats: restingBeats, then: [battery])
    #expect(trend(later, .minute)?.last == " ")
  }

  @Test(arguments: [10, 24, 40, 55, 80])
  func keyLineShowsTheKeysThatFit(width: Int) {
    let line = LiveKey.line(LiveKey.ofOne, width: width, .plain)
    #expect(line.columns <= width && line.hasPrefix("h help"))
    #expect(width < 80 || LiveKey.ofOne.allSatisfy { line.contains("\($0)") || $0 == .window })
    let help = KeyHelp(LiveKey.ofOne, style: .plain).lines(width: width, height: 24)
    #expect(help.allSatisfy { $0.columns <= width } && help.count < 24)
  }

  @Test func charactersMapToKeys() {
    let actions = { (keys: String, known: [LiveKey]) in keys.compactMap { LiveKey($0, of: known) } }
    #expect(actions("hqpmwb", LiveKey.ofOne) == [.help, .quit, .pause, .mark, .window, .breathe])
    #expect(actions(" ?Q\u{4}", LiveKey.ofOne) == [.pause, .help, .quit, .quit])
    #expect(actions("nqb", LiveKey.ofAttached) == [.next, .leave])
    #expect(actions("x\u{1B}\n1n", LiveKey.ofOne).isEmpty)
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
    let state = liveState(beats: restingBeats)
    #expect(lines.linkLine(state) == "1:20  an\u{FFFD}na  Connected: Polar H10 · battery 80 %")
    #expect(lines.measurementLine(state)?.hasPrefix("1:20  an\u{FFFD}na  HR 60 bpm  HRV ") == true)
  }

  /// 20 beats end in the seconds 0 to 8 at 150 bpm, 0 to 19 at 62 bpm, and in every other second at 32 bpm.
  @Test(arguments: [
    (400.0, 9, "mean HR 150 bpm"), (970.0, 20, "mean HR 62 bpm"), (1900, 20, "mean HR 32 bpm"),
  ])
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
    #expect(printed[0].dropFirst(6).hasPrefix("\(heartRate)  HRV -  collecting: "))
  }

  @Test func eachLinkChangeIsOneLine() {
    let lines = LiveLine(style: .plain)
    var state = LiveState()
    state.update(SessionEvent(at: .zero, .link(LinkChange(.searching))))
    #expect(lines.linkLine(state) == "0:00  Searching for the strap. Wear it, and moisten its electrodes.")
    state = liveState(beats: [])
    #expect(lines.linkLine(state) == "0:01  Connected: Polar H10 · battery 80 %")
  }
}

@Suite struct ReadingCardTests {
  private static func measurement(_ beats: Int = restingBeats.count) throws -> StressMeasurement {
    try #require(lastMeasurement(beats: Array(restingBeats.prefix(beats))))
  }

  @Test func theCardStatesTheResultInWords() throws {
    let lines = ReadingCard(style: .plain).lines(LiveMeasurement(try Self.measurement()), isStored: true)
    #expect(lines.count == 5 && lines[0].hasPrefix("Stress      ♣ ") && lines[0].hasSuffix("Relaxed"))
    #expect(
      lines[1].hasSuffix(
        " ms (RMSSD), your normal range is known after five days with a reading at rest"))
    #expect(
      lines[2...].map { $0 } == [
        "Mean HR     61 bpm", "Confidence  high (90 %): few own resting days in the baseline",
        "Next        See how the value comes about: stressmon explain",
      ])
  }

  @Test func anotherCommandIsNotOfferedForAReadingThatIsNotStored() throws {
    let lines = ReadingCard(style: .plain).lines(LiveMeasurement(try Self.measurement()), isStored: false)
    #expect(!lines.contains { $0.hasPrefix("Next") })
  }

  @Test func detailsContainAllValues() throws {
    let lines = ReadingCard(style: .plain).details(try Self.measurement(), baseline: .populationDefault)
    #expect(lines[0].hasSuffix("Relaxed"))
    #expect(lines.contains("Confidence  high (90 %)"))
    #expect(lines.contains("            few own resting days in the baseline (0.90)"))
    #expect(lines.contains("Beats       61 good of 61 in the last 60 s"))
    #expect(lines.last == "Baseline    RMSSD 50.0 ms and 60.0 bpm, population default")
  }

  @Test("At 40 columns a reading is wrapped between words, beside its labels")
  func narrow() throws {
    let lines = ReadingCard(style: .plain).details(
      try Self.measurement(), baseline: .populationDefault, width: 40)
    #expect(lines.allSatisfy { $0.columns <= 40 && !$0.contains("…") }, "\(lines)")
    #expect(lines.contains("Baseline    RMSSD 50.0 ms and 60.0 bpm,"))
    #expect(lines.contains("            population default"))
  }

  @Test("A reading of a partly filled window shows how much is collected")
  func collected() throws {
    let lines = ReadingCard(style: .plain).details(try Self.measurement(40), baseline: .populationDefault)
    #expect(lines.contains("            39 of 60 s collected"), "\(lines)")
    let few = ReadingCard(style: .plain).lines(LiveMeasurement(try Self.measurement(32)), isStored: true)
    #expect(few.contains { $0.hasSuffix("%): 31 of 60 s collected") }, "\(few)")
  }
}
