import HeartRate
import TestSupport
import Testing

@testable import Breathing

@Suite struct CourseTests {
  private func time(_ seconds: Double) -> SessionTime {
    SessionTime(ticks: Int64(seconds * Double(RRInterval.ticksPerSecond)))
  }

  private func course(before: Int = 60, after: Int = 30) -> ExerciseCourse {
    ExerciseCourse(
      before: .seconds(before), breathing: PacedBreathing(.relaxing, cycles: 2), after: .seconds(after))
  }

  private func pause(_ course: inout ExerciseCourse, _ seconds: Double) -> Bool {
    course.pause(at: time(seconds))
  }
  private func resume(_ course: inout ExerciseCourse, _ seconds: Double) -> Bool {
    course.resume(at: time(seconds))
  }

  private func marks(_ course: inout ExerciseCourse, _ seconds: Double) -> [String] {
    course.marks(through: time(seconds)).map { "\($0.at.seconds) \($0.mark.text)" }
  }

  @Test("The stages follow one another at their times") func stages() {
    var course = course()
    #expect(course.stage(at: time(5)) == .waiting)
    course.begin(at: time(3))
    course.begin(at: time(50))
    #expect(course.start == time(3))
    #expect(course.stage(at: time(2)) == .waiting)
    #expect(course.stage(at: time(3)) == .before(left: 60, of: 60))
    #expect(course.stage(at: time(62.5)) == .before(left: 0.5, of: 60))
    guard case .breathing(let position) = course.stage(at: time(63)) else {
      Issue.record("expected breathing")
      return
    }
    #expect(position.cycle == 0 && position.phase == .inhale && position.progress == 0)
    #expect(course.stage(at: time(103)) == .after(left: 30, of: 30))
    #expect(course.stage(at: time(133)) == .over)
  }

  @Test("Each mark is returned once and in order") func marksInOrder() {
    var course = course()
    #expect(marks(&course, 100) == [])
    course.begin(at: time(3))
    #expect(marks(&course, 50) == ["3.0 rest before breathing begins"])
    #expect(marks(&course, 62.9) == [])
    #expect(
      marks(&course, 200) == [
        "63.0 breathing exercise begins", "63.0 breathing at 4-7-8-1", "103.0 breathing exercise ends",
        "133.0 rest after breathing ends",
      ])
    #expect(marks(&course, 300) == [])
  }

  @Test(
    "An interrupted exercise ends its open stages once",
    arguments: [
      (1.0, []), (3.0, ["rest after breathing ends"]), (40, ["rest after breathing ends"]),
      (63, ["breathing exercise ends", "rest after breathing ends"]),
      (90.5, ["breathing exercise ends", "rest after breathing ends"]), (110, ["rest after breathing ends"]),
      (140, []),
    ] as [(Double, [String])])
  func interruption(second: Double, closing: [String]) {
    var course = course()
    course.begin(at: time(3))
    _ = course.marks(through: time(second))
    course.interrupt(at: time(second))
    #expect(marks(&course, second) == closing.map { "\(second) \($0)" })
    #expect(marks(&course, 500) == [] && course.stage(at: time(max(3, second))) == .over)
    course.interrupt(at: time(200))
    #expect(marks(&course, 500) == [])
  }

  @Test("A pause stops the pacer and shifts the following stages") func pauseAndResume() {
    var course = course()
    course.begin(at: time(0))
    #expect(!pause(&course, 30))
    #expect(!resume(&course, 30))
    _ = marks(&course, 65)
    #expect(pause(&course, 66))
    #expect(!pause(&course, 67))
    for seconds in [66, 67, 500.0] {
      guard case .paused(let position) = course.stage(at: time(seconds)) else {
        Issue.record("not paused at \(seconds)")
        continue
      }
      #expect(position.phase == .hold && abs(position.remaining - 5) < 1e-9)
    }
    #expect(marks(&course, 500) == ["66.0 breathing paused"])
    #expect(resume(&course, 100))
    guard case .breathing(let position) = course.stage(at: time(100)) else {
      Issue.record("expected breathing")
      return
    }
    #expect(abs(position.remaining - 5) < 1e-9)
    #expect(
      marks(&course, 999) == [
        "100.0 breathing resumed", "134.0 breathing exercise ends", "164.0 rest after breathing ends",
      ])
  }

  @Test(
    "Arbitrary pauses preserve the duration of the breathing, and the marks restore the times",
    arguments: 0..<50 as Range<UInt64>) func arbitraryPauses(seed: UInt64) throws
  {
    var random = SeededGenerator(seed: seed)
    var course = course(
      before: Int.random(in: 0...40, using: &random), after: Int.random(in: 0...40, using: &random))
    course.begin(at: time(2))
    var events: [SessionEvent] = []
    var now = 0.0
    while course.stage(at: time(now)) != .over {
      events += course.marks(through: time(now)).map { SessionEvent(at: $0.at, .mark($0.mark.text)) }
      now += Double.random(in: 0.1...7, using: &random)
      if Bool.random(using: &random) { if !course.pause(at: time(now)) { _ = course.resume(at: time(now)) } }
      if now > 5000 { break }
    }
    events += course.marks(through: time(now)).map { SessionEvent(at: $0.at, .mark($0.mark.text)) }
    #expect(events.map(\.at) == events.map(\.at).sorted())
    let times = try #require(ExerciseTimes(events + [SessionEvent(at: time(now), .end)]))
    let paused = times.pauses.reduce(0) { $0 + $1.upperBound.ticks - $1.lowerBound.ticks }
    #expect(times.isWhole)
    #expect(times.during.upperBound.ticks - times.during.lowerBound.ticks - paused == course.breathing.ticks)
    #expect(times.stretches.map(\.times) == [times.during])
    #expect(
      (times.before == nil) == (course.before == .zero) && (times.after == nil) == (course.after == .zero))
    if let after = times.after {
      #expect(after.upperBound.ticks - after.lowerBound.ticks == course.after.ticks)
    }
  }

  @Test("The marks of several patterns restore their periods") func severalPatterns() throws {
    var course = ExerciseCourse(before: .zero, breathing: try ResonanceProtocol().breathing, after: .zero)
    course.begin(at: .zero)
    let end = SessionTime(ticks: course.breathing.ticks)
    let marks = course.marks(through: end).map { SessionEvent(at: $0.at, .mark($0.mark.text)) }
    let times = try #require(ExerciseTimes(marks))
    #expect(times.stretches.map(\.pattern) == course.breathing.stretches.map(\.pattern))
    #expect(times.before == nil && times.after == nil && times.during == .zero..<end)
    #expect(abs(course.breathing.duration.components.seconds - 720) <= 6)
  }

  @Test("An interrupted stage ends with the session") func interruptedStage() throws {
    func event(_ seconds: Double, _ mark: ExerciseMark) -> SessionEvent {
      SessionEvent(at: time(seconds), .mark(mark.text))
    }
    let begun = [
      event(1, .restBegins), event(61, .breathingBegins), event(61, .pattern(.box)), event(70, .paused),
    ]
    let times = try #require(ExerciseTimes(begun + [SessionEvent(at: time(90), .end)]))
    #expect(times.before == time(1)..<time(61) && times.during == time(61)..<time(90) && times.after == nil)
    #expect(!times.isWhole && times.pauses == [time(70)..<time(90)])
    #expect(ExerciseTimes(Array(begun.prefix(1))) == nil)
    #expect(ExerciseTimes([]) == nil)
    // Notes of the user are not exercise marks.
    #expect(ExerciseTimes([SessionEvent(at: .zero, .mark("breathing"))]) == nil)
  }

  @Test("Marks in arbitrary order give valid ranges", arguments: 0..<200 as Range<UInt64>)
  func arbitraryMarks(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let kinds: [ExerciseMark] = [
      .restBegins, .breathingBegins, .pattern(.box), .paused, .resumed, .breathingEnds, .restEnds,
    ]
    let events = (0..<12).map { _ in
      SessionEvent(
        at: time(Double.random(in: 0...50, using: &random)),
        .mark(kinds[Int.random(in: 0..<kinds.count, using: &random)].text))
    }
    guard let times = ExerciseTimes(events) else { return }
    #expect(times.during.lowerBound <= times.during.upperBound)
    #expect(times.stretches.allSatisfy { !$0.times.isEmpty })
  }

  @Test("Marks are formatted and parsed back, and other text is rejected") func textOfMarks() {
    for mark in [ExerciseMark.restBegins, .breathingBegins, .paused, .resumed, .breathingEnds, .restEnds] {
      #expect(ExerciseMark(text: mark.text) == mark && !mark.text.isEmpty)
    }
    for text in ["", "breathing at", "breathing at 0-0", "Breathing paused"] {
      #expect(ExerciseMark(text: text) == nil)
    }
  }
}
