import Breathing
import HRV
import HeartRate
import Stress
import Terminal
import Testing

/// The breathing screen in each state.
@Suite struct GoldenBreathingTests {
  enum Scene: String, CaseIterable, Sendable {
    case waiting, rest, inhale, hold, exhale, pause, paused, done
    case restAgain = "rest-again"
    case noStrap = "no-strap"
    case lost

    /// Seconds since the first heartbeat, in a minute of rest, two cycles of 4-7-8 and half a minute of rest.
    var seconds: Double {
      switch self {
      case .waiting: 0
      case .rest: 12
      case .inhale: 62
      case .hold, .lost: 66
      case .exhale: 75
      case .pause: 79.5
      case .paused: 90
      case .noStrap: 82
      case .restAgain: 110
      case .done: 131
      }
    }

    func view(_ live: LiveState) -> BreathingView {
      func time(_ seconds: Double) -> SessionTime { SessionTime(seconds: seconds) ?? .zero }
      var course = ExerciseCourse(
        before: .seconds(60), breathing: PacedBreathing(.relaxing, cycles: 2), after: .seconds(30))
      if self != .waiting { course.begin(at: .zero) }
      if self == .paused { _ = course.pause(at: time(85)) }
      return BreathingView(
        stage: course.stage(at: time(seconds)), time: time(seconds), live: live,
        coherence: [.exhale, .pause, .paused].contains(self) ? 0.71 : nil,
        notice: self == .noStrap
          ? "No heart rate: the breathing goes on without. See why with: stressmon doctor" : nil)
    }
  }

  /// The state of the session at that time.
  private func live(_ scene: Scene) -> LiveState {
    switch scene {
    case .waiting, .noStrap: LiveState()
    case .lost: play(beats: 70, spread: 40, mean: 900, then: .link(LinkChange(.lost, reason: "timeout")))
    default: play(beats: max(2, Int(scene.seconds / 0.9)), spread: 40, mean: 900)
    }
  }

  @Test(arguments: Scene.allCases)
  func breathingScreenEqualsItsGoldenFile(scene: Scene) throws {
    try Golden.expect("breathing-\(scene.rawValue)") { lines(scene, isStill: false, $0, $1) }
  }

  @Test("The still screen equals its golden file", arguments: [Scene.rest, .hold, .paused])
  func stillScreenEqualsItsGoldenFile(scene: Scene) throws {
    try Golden.expect("breathing-still-\(scene.rawValue)") { lines(scene, isStill: true, $0, $1) }
  }

  private func lines(_ scene: Scene, isStill: Bool, _ width: Int, _ height: Int) -> [String] {
    BreathingScreen(
      style: .plain, isStill: isStill, footer: "Space pauses, q ends and keeps what was measured"
    ).lines(scene.view(live(scene)), width: width, height: height)
  }
}
