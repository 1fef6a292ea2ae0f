import HeartRate
import LiveSession
import Stress
import Terminal
import TestSupport
import Testing

/// Exertion on the screen, in lines, in speech and in the status bar.
@Suite struct ExertionTests {
  /// A heart at 140 bpm.
  private static let running: LiveState = {
    var random = SeededGenerator(seed: 4)
    return liveState(beats: (0..<150).map { _ in 428 + .random(in: -6...6, using: &random) })
  }()

  @Test func screenShowsExertionInPlaceOfTheCategory() throws {
    let measurement = try #require(Self.running.measurement)
    let stress = try #require(measurement.stress)
    for (width, height) in [(40, 12), (80, 24), (120, 40)] {
      let lines = plainScreen.lines(Self.running, profile: "me", width: width, height: height)
      #expect(lines.contains { $0.contains("Stress  moving?") })
      #expect(!lines.contains { $0.contains("\(Int(stress.rounded())) (") })
      #expect(!lines.contains { $0.contains(StressCategory(score: stress).word) })
    }
  }

  @Test func lineShowsExertion() throws {
    var view = LiveLine(style: .plain)
    let text = view.measurementLine(Self.running)
    let line = try #require(text)
    #expect(line.contains("moving?"))
    #expect(line.contains("physical exertion"))
  }

  @Test func speechStatesExertionInPlaceOfStress() throws {
    let text = SpokenReading(style: .plain).text(try #require(Self.running.measurement))
    #expect(text.hasPrefix("Perhaps in motion: exertion raises the heart rate, so no stress is stated."))
    #expect(text.contains("Mean heart rate 140 beats per minute."))
  }

  @Test func statusBarShowsExertionAndHeartRate() {
    var factors = Confidence()
    factors[.exertion] = 0.2
    var status = StatusReport(
      freshness: .live, time: WallTime(microseconds: 0), age: 4,
      measurement: LiveMeasurement(rmssd: 5, stress: 80, confidence: 0.2, factors: factors), metric: .rmssd,
      isSimulated: false)
    status.heartRate = 140
    #expect(StatusText(style: .plain).text(status, .small) == "moving? · HR 140 bpm")
    #expect(StatusText(style: .plain).text(status, .spoken).hasPrefix("Perhaps in motion:"))
  }
}

/// Walking or running by acceleration in lines, in speech and in the status bar.
@Suite struct MovementTests {
  private static let walking: LiveState = {
    var random = SeededGenerator(seed: 4)
    let beats = (0..<150).map { _ in 800 + Double.random(in: -20...20, using: &random) }
    var state = liveState(beats: beats)
    var measurement = lastMeasurement(beats: beats)!
    measurement.motion = MotionSummary(still: 0, locomotion: 1, isMoving: true)
    state.update(measurement)
    return state
  }()

  @Test func lineShowsMovingInPlaceOfTheCategory() throws {
    var view = LiveLine(style: .plain)
    let text = view.measurementLine(Self.walking)
    let line = try #require(text)
    #expect(line.contains("  stress moving"))
    #expect(!line.contains("moving?"))
  }

  @Test func speechStatesMovementInPlaceOfStress() throws {
    let text = SpokenReading(style: .plain).text(try #require(Self.walking.measurement))
    #expect(text.hasPrefix("In motion, so no stress is stated."))
    #expect(text.contains("beats per minute"))
  }

  @Test func liveSpeechReportsTheBeginOfMovement() throws {
    var speech = LiveSpeech(style: .plain, every: .seconds(3600))
    var state = Self.walking
    var said: [String] = []
    for second in 1...12 {
      state.update(
        SessionEvent(at: SessionTime(ticks: state.now.ticks + Int64(second) * 80_000_000), .mark("")))
      said += speech.sentences(state)
    }
    #expect(said.contains { $0.hasPrefix("In motion, so no stress is stated.") })
  }

  @Test func statusBarShowsMovement() {
    var factors = Confidence()
    factors[.motion] = 0.2
    var status = StatusReport(
      freshness: .live, time: WallTime(microseconds: 0), age: 4,
      measurement: LiveMeasurement(rmssd: 5, stress: 80, confidence: 0.2, factors: factors), metric: .rmssd,
      isSimulated: false)
    status.heartRate = 95
    #expect(StatusText(style: .plain).text(status, .small) == "moving · HR 95 bpm")
    #expect(StatusText(style: .plain).text(status, .spoken).hasPrefix("In motion, so no stress is stated."))
  }
}

/// DFA alpha1 on the live screen.
@Suite struct LiveAlphaTests {
  private func lines(_ state: LiveState, height: Int = 30) -> [String] {
    plainScreen.lines(state, profile: "me", width: 100, height: height)
  }

  /// `count` beats at about 140 bpm; those at `long` are twice as long.
  private func running(_ count: Int, long: Set<Int> = []) -> LiveState {
    var random = SeededGenerator(seed: 4)
    var state = liveState(
      beats: (0..<count).map { (long.contains($0) ? 856 : 428) + .random(in: -6...6, using: &random) })
    state.analyzeRecentBeats()
    return state
  }

  @Test func exertionShowsAlphaWithItsIntervalAndThresholds() throws {
    for height in [12, 30] {
      let line = try #require(lines(running(300), height: height).first { $0.hasPrefix("DFA alpha1") })
      let parts = line.split(separator: ":").map(String.init)
      #expect(parts.count == 2 && parts[0].hasSuffix(")"), "\(line)")
      #expect(parts[1].hasSuffix("threshold (0.75)") || parts[1].hasSuffix("threshold (0.5)"), "\(line)")
    }
  }

  @Test func aNarrowScreenWrapsTheSentence() throws {
    let state = running(300)
    let whole = try #require(lines(state).first { $0.hasPrefix("DFA alpha1") })
    let narrow = plainScreen.lines(state, profile: "me", width: 40, height: 16)
    let start = try #require(narrow.firstIndex { $0.hasPrefix("DFA alpha1") })
    #expect(narrow[start...start + 2].joined(separator: " ") == whole)
  }

  @Test func alphaIsUpdatedEveryThirtySeconds() {
    var state = running(300)
    let found = state.alpha
    for (seconds, isSame) in [(10, true), (31, false)] as [(Int64, Bool)] {
      state.update(
        SessionEvent(
          at: SessionTime(ticks: state.now.ticks + seconds * RRInterval.ticksPerSecond),
          .battery(BatteryLevel(percent: 79)!)))
      state.analyzeRecentBeats()
      #expect((state.alpha == found) == isSame)
    }
  }

  @Test func artefactsAreStatedInPlaceOfAlpha() {
    let state = running(300, long: Set(stride(from: 40, to: 290, by: 14)))
    #expect(
      lines(state).contains { $0.hasPrefix("DFA alpha1 -: ") && $0.hasSuffix("in two minutes, at most 5 %") })
  }

  @Test func restAndTooFewBeatsHaveNoAlpha() {
    #expect(!lines(running(120)).contains { $0.contains("alpha1") })
    var rest = liveState(beats: restingBeats + restingBeats + restingBeats)
    rest.analyzeRecentBeats()
    #expect(rest.alpha == nil && !lines(rest).contains { $0.contains("alpha1") })
  }
}
