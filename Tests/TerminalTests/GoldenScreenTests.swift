import HRV
import HeartRate
import LiveSession
import Stress
import Terminal
import TestSupport
import Testing

/// The live screen in each state.
@Suite struct GoldenScreenTests {
  enum Scene: String, CaseIterable, Sendable {
    case nothing, searching
    case warmingUp = "warming-up"
    case relaxed, mild, moderate, high, moving
    case lowConfidence = "low-confidence"
    case stale, gap
    case noContact = "no-contact"
    case finished, paused, error

    var state: LiveState { state(.updates) }

    func state(_ delivery: Delivery) -> LiveState {
      switch self {
      case .nothing: LiveState()
      case .searching: play(delivery, connected: false)
      case .warmingUp: play(delivery, beats: 1)
      case .relaxed: play(delivery, beats: 90, spread: 55, mean: 980)
      case .mild: play(delivery, beats: 90, spread: 40, mean: 880)
      case .moderate: play(delivery, beats: 90, spread: 26, mean: 700)
      case .high: play(delivery, beats: 120, spread: 4, mean: 620)
      case .moving: play(delivery, beats: 200, spread: 4, mean: 440)
      case .lowConfidence: play(delivery, beats: 90, spread: 60, mean: 760, brokenEach: 3)
      case .stale:
        play(delivery, beats: 90, spread: 40, mean: 900, then: .link(LinkChange(.lost, reason: "timeout")))
      case .gap: play(delivery, beats: 90, spread: 40, mean: 900, gapAt: 60)
      case .noContact: play(delivery, beats: 90, spread: 40, mean: 900, contact: .notDetected)
      case .finished: play(delivery, beats: 90, spread: 40, mean: 900, then: .end)
      case .paused:
        play(delivery, beats: 60, spread: 40, mean: 900).held(
          while: play(delivery, beats: 90, spread: 40, mean: 900))
      case .error: play(delivery, beats: 90, spread: 40, mean: 900)
      }
    }

    var notices: [String] {
      self == .error
        ? ["The history cannot be written: the disk is full. Kept in memory, and written once it can be."]
        : []
    }
  }

  @Test(arguments: Scene.allCases)
  func liveScreenEqualsItsGoldenFile(scene: Scene) throws {
    let screen = LiveScreen(
      style: .plain, footer: "Kept in stressmon.db. Ctrl-C ends the session.")
    let state = scene.state
    try Golden.expect(scene.rawValue) { width, height in
      screen.lines(
        state, profile: "me", notices: scene.notices, view: LiveView(keys: LiveKey.ofOne), width: width,
        height: height)
    }
  }

  /// The screen of another process, which receives the lines of the session, equals the screen of the session.
  @Test(arguments: Scene.allCases)
  func screenFromLinesEqualsTheScreenOfTheSession(scene: Scene) {
    let screen = LiveScreen(style: .plain, footer: "y")
    let (own, attached) = (scene.state, scene.state(.lines))
    for (width, height) in Golden.sizes {
      let expected = screen.lines(own, profile: "me", width: width, height: height)
      #expect(screen.lines(attached, profile: "me", width: width, height: height) == expected)
    }
  }

  /// Without Unicode, all characters are ASCII and all lines fit.
  @Test(arguments: Scene.allCases)
  func asciiScreenContainsOnlyASCII(scene: Scene) {
    let screen = LiveScreen(style: TerminalStyle(colours: .none, unicode: false), footer: "y")
    for (width, height) in Golden.sizes {
      let lines = screen.lines(
        scene.state, profile: "me", notices: scene.notices, width: width, height: height)
      #expect(lines.allSatisfy { $0.utf8.allSatisfy { $0 < 0x80 } && $0.columns <= width })
    }
  }

  /// At every size, the screen fits and contains the stress value.
  @Test func screenFitsFrom40x12To200x60() {
    let screen = LiveScreen(style: .plain, footer: "y")
    let state = Scene.relaxed.state
    for width in stride(from: 40, through: 200, by: 7) {
      for height in 12...60 {
        let lines = screen.lines(state, profile: "me", notices: ["a notice"], width: width, height: height)
        #expect(lines.count < height && lines.allSatisfy { $0.columns <= width })
        #expect(lines.contains { $0.contains("Relaxed") } && lines.contains { $0.contains("HR 64 bpm") })
      }
    }
  }
}

/// How a state receives a session.
enum Delivery: Sendable {
  /// From the engine.
  case updates
  /// From the lines of its feed, which are decoded again.
  case lines
}

/// A synthetic session: a strap, then beats around `mean` ms that differ by about `spread`.
func play(
  _ delivery: Delivery = .updates, connected: Bool = true, beats: Int = 0, spread: Double = 0,
  mean: Double = 900, brokenEach: Int? = nil,
  gapAt: Int? = nil, contact: SensorContact = .detected, then last: SessionEvent.Kind? = nil
) -> LiveState {
  var state = LiveState()
  var engine = StressEngine()
  var random = SeededGenerator(seed: 7)
  var encoder = SessionLineEncoder(session: "01K", profile: "me")
  func update(_ event: SessionEvent) {
    engine.process(event) { update in
      switch (delivery, update) {
      case (.lines, _): encoder.put(update)
      case (.updates, .event(let event)): state.update(event)
      case (.updates, .part(let part)): state.update(part)
      case (.updates, .measurement(let measurement)): state.update(measurement)
      case (.updates, .sensorClass(let found)): state.update(found)
      case (.updates, _): break
      }
    }
    unsafe encoder.take { bytes in
      for line in unsafe bytes.split(separator: 0x0A) {
        if let line = SessionLine(Array(unsafe line)) { state.update(line) }
      }
    }
  }
  let strap = StrapIdentity(address: "C0:FF:EE:00:00:01", name: "Polar H10")
  var time = SessionTime(seconds: 1) ?? .zero
  update(
    SessionEvent(
      at: time, .link(LinkChange(connected ? .connected : .searching, strap: connected ? strap : nil))))
  guard connected else { return state }
  if let level = BatteryLevel(percent: 80) { update(SessionEvent(at: time, .battery(level))) }
  for beat in 0..<beats {
    // One breath has nine beats.
    let breath = [0, 0.64, 0.98, 0.87, 0.34, -0.34, -0.87, -0.98, -0.64][beat % 9]
    var milliseconds = mean + spread * (breath + Double.random(in: -0.7...0.7, using: &random))
    if let brokenEach, beat % brokenEach == brokenEach - 1 { milliseconds *= 0.55 }
    guard let rr = RRInterval(milliseconds: milliseconds) else { continue }
    time = time + rr
    if beat == gapAt, let pause = RRInterval(milliseconds: 12_000) { time = time + pause }
    let measurement = HeartRateMeasurement(
      heartRate: UInt16(60_000 / milliseconds), contact: contact,
      rrIntervals: RRIntervals(gattUnits: [rr.gattUnits]))
    update(SessionEvent(at: time, .notification(payload: measurement.encoded())))
  }
  if let last { update(SessionEvent(at: time, last)) }
  state.analyzeRecentBeats()
  return state
}
