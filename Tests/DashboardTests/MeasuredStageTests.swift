import Breathing
import HeartRate
import LiveFeed
import LiveSession
import Reports
import Testing

@testable import Dashboard

/// Regression: in the rests of a measured exercise, the page said "Breathe in" and "The exercise has ended".
@Suite struct MeasuredStageTests {
  private let started = WallTime(rfc3339: "2026-11-21T07:30:00Z")!

  private func stage(_ marks: [(ExerciseMark, Int)], at second: Int) -> MeasuredStage {
    let marks = marks.map { FeedMark(text: $0.text, time: started.moved(seconds: Int64($1)).rfc3339) }
    return MeasuredStage(
      marks, since: started, breathing: 180, now: started.moved(seconds: Int64(second)))
  }

  private let rest = [(ExerciseMark.restBegins, 4)]
  private var breathing: [(ExerciseMark, Int)] { rest + [(.breathingBegins, 64), (.pattern(.box), 64)] }
  private var after: [(ExerciseMark, Int)] { breathing + [(.breathingEnds, 244)] }

  @Test func eachStageHasItsInstructionAndTheTimeLeft() {
    #expect(stage([], at: 3).kind == .waiting && stage([], at: 3).left == nil)
    #expect(stage(rest, at: 21).kind == .before && stage(rest, at: 21).left == 43)
    #expect(stage(breathing, at: 100).kind == .breathing && stage(breathing, at: 100).left == 144)
    #expect(stage(breathing, at: 100).elapsed == 36)
    #expect(stage(after, at: 250).kind == .after && stage(after, at: 250).left == 54)
    #expect(stage(after + [(.restEnds, 304)], at: 305).kind == .over)
    #expect(stage(rest, at: 19).progress == 0.25 && stage([], at: 3).progress == 0)
  }

  @Test func marksOfAnEarlierExerciseAndOfTheUserAreIgnored() {
    #expect(stage([(.restBegins, -400), (.restEnds, -10)], at: 3).kind == .waiting)
    let marks = [
      FeedMark(text: ExerciseMark.restBegins.text, time: started.rfc3339),
      FeedMark(text: "mark 1: tea", time: started.moved(seconds: 5).rfc3339),
    ]
    let stage = MeasuredStage(marks, since: started, breathing: 180, now: started.moved(seconds: 10))
    #expect(stage.kind == .before && stage.left == 50)
  }

  @Test func theFeedKeepsTheMarksOfASession() {
    var state = LiveSnapshot(
      FeedHello(
        version: "1", session: "01K", profile: "me", started: "2026-11-21T07:30:00Z", isSimulated: true))
    for number in 1...70 {
      let line = "{\"type\":\"mark\",\"time\":\"2026-11-21T07:30:00Z\",\"text\":\"mark \(number)\"}"
      state.update(SessionLine(Array(line.utf8))!, at: 0)
    }
    #expect(state.marks.count == 64 && state.marks.last?.text == "mark 70")
  }
}
