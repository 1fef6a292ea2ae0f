import Breathing
import HeartRate
import Localization
import Terminal
import Testing

@Suite struct BreathingScreenTests {
  private func time(_ seconds: Double) -> SessionTime {
    SessionTime(ticks: Int64(seconds * Double(RRInterval.ticksPerSecond)))
  }

  /// A minute of rest, two cycles of 4-7-8 and half a minute of rest, starting at 0:00.
  private func view(_ seconds: Double, pausedAt: Double? = nil, notice: String? = nil) -> BreathingView {
    var course = ExerciseCourse(
      before: .seconds(60), breathing: PacedBreathing(.relaxing, cycles: 2), after: .seconds(30))
    course.begin(at: .zero)
    if let pausedAt { _ = course.pause(at: time(pausedAt)) }
    return BreathingView(
      stage: course.stage(at: time(seconds)), time: time(seconds), coherence: 0.71, notice: notice)
  }

  private let ascii = BreathingScreen(
    style: TerminalStyle(colours: .none, unicode: false), isStill: false, footer: "Space pauses, q ends")
  private let still = BreathingScreen(
    style: TerminalStyle(colours: .none, unicode: false), isStill: true, footer: "Space pauses, q ends")

  @Test("Values of a lost strap are marked until the next measurement")
  func staleValuesAreMarked() {
    for state in [LinkChange.State.lost, .searching, .connecting, .connected] {
      let change = SessionEvent.Kind.link(LinkChange(.lost))
      var live = play(beats: 70, spread: 40, mean: 900, then: change)
      live.update(SessionEvent(at: live.now, .link(LinkChange(state))))
      let view = BreathingView(stage: self.view(66).stage, time: time(66), live: live)
      #expect(ascii.lines(view, width: 80, height: 24).contains { $0.contains("(not live)") }, "\(state)")
      #expect(
        BreathingLines(style: .plain).line(
          BreathingView(stage: self.view(62).stage, time: time(62), live: live))?
          .hasSuffix("(not live)") == true)
    }
  }

  @Test func circleAreaFollowsTheBreath() {
    func area(_ seconds: Double) -> Int {
      ascii.lines(view(seconds), width: 80, height: 24).joined().count { $0 == "o" }
    }
    let areas = [60, 61, 62, 63, 64.0].map(area)
    #expect(areas == areas.sorted() && areas[0] < areas[4] / 4)
    #expect(area(66) == areas[4])
    #expect(area(75) < areas[4] && area(79.5) == areas[0])
  }

  @Test func fullLungsFillTheCircleAt80By24() {
    let text = ascii.lines(view(64), width: 80, height: 24).suffix(4).map { $0.drop { $0 == " " } }
    #expect(text == ["Hold 7", "Cycle 1 of 2, 4-7-8, 0:36 left", "", "Space pauses, q ends"])
  }

  @Test func stillScreenHasNoCircle() {
    let words = [0, 60, 64.5, 71, 79, 100, 129.5, 130].map { seconds in
      still.lines(view(seconds), width: 80, height: 24).map { String($0.drop { $0 == " " }) }[0]
    }
    #expect(
      words == [
        "Rest 60", "Breathe in 4", "Hold 7", "Breathe out 8", "Wait 1", "Rest again 30", "Rest again 1",
        "Done",
      ])
    #expect(still.lines(view(62, pausedAt: 61), width: 80, height: 24)[0].hasSuffix("Paused"))
  }

  @Test(arguments: [(1, 2), (3, 3), (20, 5), (40, 12), (80, 24), (120, 40), (200, 60)])
  func linesFitAnyTerminal(width: Int, height: Int) {
    for seconds in [0, 61, 66, 75, 79.5, 110] as [Double] {
      let notice = "A strap that is \u{1B}[2Jnasty, and a notice that is longer than some terminals are wide"
      for screen in [ascii, still, BreathingScreen(style: .plain, isStill: false, footer: "q ends")] {
        let lines = screen.lines(view(seconds, notice: notice), width: width, height: height)
        #expect(lines.allSatisfy { $0.columns <= width }, "\(width)x\(height)")
        #expect(lines.count < height || height <= 1 || lines.count == 1)
        #expect(!lines.joined().contains("\u{1B}"))
      }
    }
  }

  @Test func eachInstructionIsOneLine() {
    let lines = BreathingLines(style: .plain)
    let texts = [0, 60, 64, 71, 79, 100, 130].map { lines.line(view($0)) }
    #expect(
      texts == [
        "0:00  Rest for 60 s. Sit still and breathe normally: your HRV before the exercise is measured.",
        "1:00  Breathe in for 4 s (cycle 1 of 2)", "1:04  Hold for 7 s", "1:11  Breathe out for 8 s",
        "1:19  Wait for 1 s",
        "1:40  Rest again for 30 s. Sit still and breathe normally: your HRV after the exercise is measured.",
        nil,
      ])
    // A late update, as in a simulation at high speed.
    #expect(lines.line(view(100.8))?.contains("Rest again for 30 s.") == true)
    // One cue per instruction; the same instruction in the next cycle is a new cue.
    let cues = [60, 62, 64, 80, 84].map { view($0).cue }
    #expect(cues[0] == cues[1] && Set(cues).count == 4)
  }

  @Test func eachSenseHasATaskAndItsDots() {
    for sense in Grounding.Sense.allCases {
      let view = GroundingView(sense: sense, thing: 1)
      #expect(Language.english.text(view.task).contains("\(sense.things) thing"))
      #expect(view.dots(unicode: false).split(separator: " ").count == sense.things)
    }
    #expect(GroundingView(sense: .hearing, thing: 2).dots(unicode: true) == "● ● ○")
  }
}
