import Breathing
import HeartRate
import LiveSession
import Localization
import Stress
import Terminal
import TestSupport
import Testing

@Suite struct LiveSpeechTests {
  private static let strap = StrapIdentity(address: "C0:FF:EE:00:00:01", name: "Polar H10")

  /// The sentences during `play`.
  private func said(
    every: Duration = .seconds(300), label: String? = nil, style: TerminalStyle = .plain,
    _ play: (inout Played, (LiveState) -> Void) -> Void
  ) -> [String] {
    var speech = LiveSpeech(style: style, every: every, label: label)
    var said: [String] = []
    var played = Played()
    play(&played) { said += speech.sentences($0) }
    return said
  }

  @Test func onlyChangesOfTheCategoryAreSpoken() {
    let said = said { played, see in
      played.update(.link(LinkChange(.searching)), seen: see)
      played.update(.link(LinkChange(.connected, strap: Self.strap)), seen: see)
      played.beat(seconds: 130, mean: 1000, spread: 60, seen: see)
      played.beat(seconds: 130, mean: 700, spread: 21, seen: see)
      played.update(.end, seen: see)
    }
    #expect(said[0] == "Searching for the strap. Wear it, and moisten its electrodes.")
    #expect(said[1] == "Connected to Polar H10.")
    let categories = said.filter { $0.hasPrefix("Stress ") }
    #expect(
      categories.first?.hasPrefix(
        """
        Stress 0 of 100, between 0 and 15: Relaxed, the face is asleep. Heart rate 56 beats per minute. \
        Heart rate variability 60 milliseconds. Confidence high
        """) == true, "\(categories)")
    #expect((3...6).contains(categories.count), "\(categories)")
    #expect(categories.last?.contains(": Moderate, the face looks tense.") == true, "\(categories)")
    #expect(said.last == "The session has ended after 4 minutes 21 seconds.")
  }

  @Test func valuesAreSpokenAtTheInterval() {
    let said = said(every: .seconds(60)) { played, see in
      played.update(.link(LinkChange(.connected, strap: Self.strap)), seen: see)
      played.beat(seconds: 630, mean: 1000, spread: 60, seen: see)
    }
    #expect((9...12).contains(said.count { $0.hasPrefix("Stress 0 of 100") }))
  }

  @Test func changesOfLinkAndSkinContactAreSpoken() {
    let said = said(label: "anna") { played, see in
      played.update(.link(LinkChange(.connected, strap: Self.strap)), seen: see)
      if let level = BatteryLevel(percent: 12) { played.update(.battery(level), seen: see) }
      played.beat(seconds: 20, mean: 900, spread: 40, seen: see)
      played.update(.link(LinkChange(.stale, reason: "no data for 5 s")), seen: see)
      played.wait(seconds: 8)
      played.beat(seconds: 3, mean: 900, spread: 40, contact: .notDetected, seen: see)
      played.beat(seconds: 3, mean: 900, spread: 40, seen: see)
      played.beat(seconds: 9, mean: 900, spread: 40, contact: .notDetected, seen: see)
      played.beat(seconds: 9, mean: 900, spread: 40, seen: see)
      played.update(.link(LinkChange(.lost, reason: "timeout")), seen: see)
      played.update(.link(LinkChange(.connecting)), seen: see)
      played.update(.link(LinkChange(.connected, strap: Self.strap)), seen: see)
    }
    #expect(said.allSatisfy { $0.hasPrefix("anna: ") })
    #expect(
      said.map { $0.dropFirst(6) }.filter { !$0.hasPrefix("Stress") && !$0.hasPrefix("Collecting") } == [
        "Connected to Polar H10.", "The strap's battery is low: 12 percent.",
        "No data are received from the strap. The last values are not live.", "Data are received again.",
        "No contact with the skin: check the strap.", "The strap has contact with the skin again.",
        "The link to the strap is lost; reconnecting. The last values are not live.",
        "Connected to Polar H10.",
      ])
  }

  @Test("While data are collected, progress is spoken instead of a stress value")
  func progressIsSpoken() {
    let said = said(every: .seconds(15)) { played, see in
      played.update(.link(LinkChange(.connected, strap: Self.strap)), seen: see)
      played.beat(seconds: 22, mean: 1000, spread: 60, seen: see)
    }
    #expect(
      said.dropFirst().map { $0.replacing(/\d+ (of 30|beats)/) { "N \($0.1)" } }
        == Array(
          repeating: "Collecting data: N of 30 seconds. Heart rate N beats per minute.",
          count: said.count - 1)
        && said.count > 1, "\(said)")
  }

  @Test("No value is spoken between the loss of the strap and the next measurement")
  func staleValuesAreNotSpoken() {
    var isSilent = true
    let said = said(every: .seconds(10)) { played, see in
      played.update(.link(LinkChange(.connected, strap: Self.strap)), seen: see)
      played.beat(seconds: 90, mean: 1000, spread: 60, seen: see)
      for state in [LinkChange.State.lost, .searching, .connecting, .connected] {
        played.update(.link(LinkChange(state, strap: Self.strap)), seen: see)
        played.wait(seconds: 20)
        isSilent = isSilent && played.state.isStale
        see(played.state)
      }
    }
    let lost = said.firstIndex { $0.contains("is lost") }.map { said[$0...] } ?? []
    #expect(isSilent && !lost.isEmpty && !lost.contains { $0.contains("Stress") }, "\(lost)")
  }

  @Test("The face is omitted at low confidence") func faceRequiresConfidence() {
    var played = Played()
    played.beat(seconds: 90, mean: 1000, spread: 60)
    guard var measurement = played.state.measurement else { return }
    let reading = SpokenReading(style: .plain)
    #expect(reading.text(measurement).contains(": Relaxed, the face is asleep. Mean heart rate"))
    measurement.confidence = 0.3
    #expect(reading.text(measurement).contains(": Relaxed. Mean heart rate"))
  }

  /// A category or a low confidence is spoken only after it has been stable.
  @Test func unstableCategoryIsNotSpoken() {
    let said = said { played, see in
      played.update(.link(LinkChange(.connected, strap: Self.strap)), seen: see)
      played.beat(seconds: 90, mean: 1000, spread: 60, seen: see)
      for _ in 0..<20 {
        played.beat(seconds: 4, mean: 1000, spread: 60, contact: .notDetected, seen: see)
        played.beat(seconds: 4, mean: 1000, spread: 60, seen: see)
      }
    }
    #expect(!said.contains { $0.contains("contact with the skin again") })
  }

  @Test func sensorWithoutRRIsReportedOnce() {
    let said = said { played, see in
      played.update(.link(LinkChange(.connected, strap: Self.strap)), seen: see)
      for _ in 0..<60 {
        played.wait(seconds: 1)
        played.update(.notification(payload: [0x00, 0x40]), seen: see)
      }
    }
    #expect(said.count { $0.contains("no RR intervals") } == 1)
  }

  /// No symbol that a screen reader would spell out, in any language.
  @Test(arguments: ["en"] + MessageCatalogue.languages)
  func sentencesContainNoSymbols(language: String) throws {
    var style = TerminalStyle.plain
    if language != "en" { style.language = try MessageCatalogue(language).words }
    let said = said(every: .seconds(20), style: style) { played, see in
      played.update(.link(LinkChange(.connected, strap: Self.strap)), seen: see)
      if let level = BatteryLevel(percent: 9) { played.update(.battery(level), seen: see) }
      for (mean, spread) in [(1000.0, 60.0), (800, 30), (600, 12), (330, 4)] {
        played.beat(seconds: 100, mean: mean, spread: spread, seen: see)
      }
      played.update(.link(LinkChange(.lost)), seen: see)
      played.update(.end, seen: see)
    }
    #expect(said.count > 20)
    for sentence in said {
      let strange = sentence.unicodeScalars.filter {
        !$0.properties.isAlphabetic && !(48...57).contains($0.value)
          && !" .,:;'’-".unicodeScalars.contains($0)
      }
      #expect(strange.isEmpty, "\(sentence)")
      #expect(!sentence.contains(" ms") && !sentence.contains("bpm"), "\(sentence)")
    }
  }
}

@Suite struct BreathingSpeechTests {
  @Test func instructionsAreSpokenWhenTheyChange() {
    var course = ExerciseCourse(
      before: .seconds(60), breathing: PacedBreathing(.relaxing, cycles: 3), after: .seconds(30))
    course.begin(at: .zero)
    var played = Played()
    played.beat(seconds: 30, mean: 1000, spread: 50)
    var speech = BreathingSpeech(style: .plain, every: .seconds(90))
    var said: [String] = []
    for tenth in 0...1520 {
      let time = SessionTime(ticks: Int64(tenth) * RRInterval.ticksPerSecond / 10)
      let view = BreathingView(
        stage: course.stage(at: time), time: time, live: played.state, coherence: 0.714)
      said += speech.sentences(view)
    }
    let cycle = ["Hold.", "Breathe out.", "Wait."]
    #expect(
      said == [
        "Rest for 60 seconds. Sit still and breathe normally: your HRV before the exercise is measured.",
        "Breathe in for 4 seconds.", "Hold for 7 seconds.", "Breathe out for 8 seconds.",
        "Wait for 1 second.",
        "Breathe in.",
      ] + cycle + [
        "Heart rate 63 beats per minute. Heart rate variability 50 milliseconds. Coherence 71 percent.",
        "Last cycle. Breathe in.",
      ] + cycle + [
        "Rest again for 30 seconds. Sit still and breathe normally: your HRV after the exercise is measured.",
        "The exercise is over.",
      ])
  }

  @Test("Within a breath only instructions are spoken")
  func nothingInterruptsABreath() {
    var course = ExerciseCourse(
      before: .zero, breathing: PacedBreathing(.calming, cycles: 3), after: .zero)
    course.begin(at: .zero)
    var played = Played()
    var speech = BreathingSpeech(style: .plain, every: .seconds(90))
    var said: [(Int, String)] = []
    for tenth in 0...310 {
      let time = SessionTime(ticks: Int64(tenth) * RRInterval.ticksPerSecond / 10)
      let strap = StrapIdentity(address: "C0:FF:EE:00:00:01", name: "Polar H10")
      if tenth == 3 { played.update(.link(LinkChange(.searching))) }
      if tenth == 52 { played.update(.link(LinkChange(.connected, strap: strap))) }
      let notice = tenth > 130 ? "A notice." : nil
      let view = BreathingView(stage: course.stage(at: time), time: time, live: played.state, notice: notice)
      said += speech.sentences(view).map { (tenth / 10, $0) }
    }
    #expect(said.map(\.0) == [0, 4, 10, 10, 14, 20, 20, 24, 30])
    #expect(
      said.map(\.1) == [
        "Breathe in for 4 seconds.", "Breathe out for 6 seconds.", "Connected to Polar H10.", "Breathe in.",
        "Breathe out.", "A notice.", "Last cycle. Breathe in.", "Breathe out.", "The exercise is over.",
      ])
  }

  @Test func spokenStatusContainsItsAge() {
    var status = StatusReport(
      freshness: .stale(reason: Phrase("link lost")), time: WallTime(microseconds: 0), age: 3600,
      measurement: LiveMeasurement(rmssd: 47.6, meanHeartRate: 62.2, stress: 12.4, confidence: 0.9),
      metric: .rmssd, isSimulated: false)
    status.trend = .up
    #expect(
      StatusText(style: .plain).text(status, .spoken) == """
        Stress 12 of 100: Relaxed, the face looks calm. Heart rate variability 48 milliseconds. It is rising. \
        Mean heart rate 62 beats per minute. Confidence high. Not live, link lost: measured 1 hour ago.
        """)
  }
}

extension MessageCatalogue {
  /// A language read from the catalogue without gettext.
  var words: Language { Language(language) { self.text($0, $1) } }
}
