import HeartRate
import TestSupport
import Testing

@testable import Stress

private func time(_ seconds: Double) -> SessionTime { SessionTime(ticks: Int64(seconds * 8e7)) }

/// One measurement per second at rest; `change` alters it.
private func firstDue(
  seconds: Int = 1200, margin: Double = 0.25, _ change: (Int, inout PromptInput) -> Void
) -> Int? {
  var rule = PromptRule(usual: 25...60, restingHeartRate: 60, margin: margin)
  return (0..<seconds).first { second in
    var input = PromptInput(
      time: time(Double(second)), rmssd: 40, heartRate: 64, stress: 60, confidence: 0.9)
    change(second, &input)
    return rule.update(input)
  }
}

@Suite struct PromptRuleTests {
  @Test func aLastingChangeAtRestIsDue() throws {
    #expect(firstDue { _, _ in } == nil)
    let due = try #require(firstDue { if $0 >= 400 { $1.rmssd = 12 } })
    #expect((580...900).contains(due))
    // From the start: after five minutes of rest.
    #expect(firstDue { $1.rmssd = 12 } == 480)
  }

  @Test func aChangeThatEndsWithinThreeMinutesIsNotDue() {
    #expect(firstDue { if $0 % 220 < 170 { $1.rmssd = 12 } } == nil)
  }

  @Test func aSmallChangeIsNotDueAndTheMarginIsRespected() {
    #expect(firstDue { $1.rmssd = 24 } == nil)
    #expect(firstDue(margin: 0.4) { $1.rmssd = 18 } == nil)
    #expect(firstDue { $1.rmssd = 18 } != nil)
    // Margins outside of the limits are limited.
    #expect(firstDue(margin: 0) { $1.rmssd = 23 } == nil)
    #expect(firstDue(margin: 9) { $1.rmssd = 15 } != nil)
  }

  @Test(arguments: [
    "low confidence", "no category", "relaxed", "high heart rate", "walking", "fidgeting", "no RMSSD",
    "pause",
  ])
  func anythingDoubtfulIsNotDue(_ reason: String) {
    let due = firstDue { second, input in
      input.rmssd = 12
      switch reason {
      case "low confidence": input.confidence = 0.59
      case "no category": input.isStated = false
      case "relaxed": input.isRaised = false
      case "high heart rate": input.heartRate = 73
      case "walking": input.motion = MotionSummary(still: 0.9, locomotion: 0.02, isMoving: false)
      case "fidgeting": input.motion = MotionSummary(still: 0.4, locomotion: 0, isMoving: false)
      case "no RMSSD": input.rmssd = nil
      default: input.time = time(11 * Double(second))
      }
    }
    #expect(due == nil)
  }

  @Test func stillnessPermitsAHigherHeartRate() {
    let due = firstDue { _, input in
      (input.rmssd, input.heartRate) = (12, 88)
      input.motion = MotionSummary(still: 0.8, locomotion: 0, isMoving: false)
    }
    #expect(due == 480)
  }

  @Test func aLostLinkStartsTheRuleAgain() {
    var rule = PromptRule(usual: 25...60, restingHeartRate: 60)
    func due(_ seconds: Range<Int>) -> Int? {
      for second in seconds {
        let input = PromptInput(
          time: time(Double(second)), rmssd: 12, heartRate: 64, stress: 60, confidence: 0.9)
        if rule.update(input) { return second }
      }
      return nil
    }
    #expect(due(0..<299) == nil)
    rule.interrupt()
    #expect(due(299..<900) == 779)
  }
}

@Suite struct PromptLimitsTests {
  private static let day = WallTime(microseconds: 1_795_046_400_000_000)

  private func at(_ minutes: Int64) -> WallTime { Self.day.advanced(ticks: minutes * 60 * 80_000_000) }

  private func permits(_ minutes: Int64, _ earlier: [(Int64, StressPrompt.Answer?)]) -> Bool {
    PromptLimits.permit(
      at: at(minutes), dayStart: Self.day,
      earlier: earlier.map { PromptLimits.Earlier(time: at($0.0), answer: $0.1) })
  }

  @Test func atMostTwoADayNinetyMinutesApart() {
    #expect(permits(600, []))
    #expect(!permits(600, [(511, nil)]) && permits(600, [(510, nil)]))
    #expect(!permits(900, [(600, .no), (700, .yes)]))
    #expect(permits(900, [(-100, .no), (-200, .yes), (600, .no)]))
    // The distance applies across midnight and after the clock was set back.
    #expect(!permits(10, [(-70, nil)]) && !permits(600, [(650, nil)]))
  }

  @Test func notTodayLastsUntilMidnight() {
    #expect(!permits(900, [(600, .notToday)]))
    #expect(permits(900, [(-600, .notToday)]))
  }

  @Test func theMarginStaysWithinItsLimits() {
    let margin = { (answers: [StressPrompt.Answer]) in PromptLimits.margin(answers) }
    #expect(margin([]) == 0.25 && margin([.yes, .no, .breathe]) == 0.25)
    #expect(margin([.notToday, .notToday]) == 0.25)
    #expect(margin([.no]) > 0.25 && margin([.no]) < 0.29)
    let all = margin(Array(repeating: .no, count: 12))
    #expect(all > 0.35 && all <= PromptRule.margins.upperBound)
    // Older answers do not count.
    #expect(margin(Array(repeating: .yes, count: 12) + Array(repeating: .no, count: 50)) == 0.25)
    #expect(margin(Array(repeating: .no, count: 500)) == all)
  }

  @Test func quietHoursCrossMidnight() throws {
    let night = try #require(QuietHours("22:00-07:00"))
    #expect(night == .usual)
    #expect([1320, 1439, 0, 419].allSatisfy { night.contains(minute: $0) })
    #expect(![420, 1319, 720].contains { night.contains(minute: $0) })
    let noon = try #require(QuietHours("12:30-13:15"))
    #expect(noon.contains(minute: 750) && noon.contains(minute: 794) && !noon.contains(minute: 795))
    for text in [
      "", "22-7", "24:00-07:00", "22:00-22:00", "22:00", "22:00-07:60", "2:00-07:00", "aa:bb-cc:dd",
    ] {
      #expect(QuietHours(text) == nil, "\(text)")
    }
  }
}

@Suite struct AlarmTests {
  @Test(arguments: [
    ("hr > 170 for 30s", "hr > 170 for 30s"), ("HR>170 for 0.5m", "hr > 170 for 30s"),
    ("stress > 80 for 2m", "stress > 80 for 2m"), ("rmssd < 15.5 for 60s", "rmssd < 15.5 for 1m"),
    (" rmssd  < 15 for 1h ", "rmssd < 15 for 60m"),
  ])
  func conditionsAreParsed(text: String, canonical: String) throws {
    let condition = try #require(AlarmCondition(text))
    #expect(condition.description == canonical && AlarmCondition(condition.description) == condition)
  }

  @Test(arguments: [
    "", "hr", "hr > 170", "hr = 170 for 30s", "pulse > 170 for 30s", "hr > 300 for 30s", "hr > x for 30s",
    "stress > 101 for 1m", "hr > 170 for 30", "hr > 170 for 0s", "hr > 170 for 2h", "hr > nan for 30s",
    "hr > 170 for -5s", "hr > 170 for infs",
  ])
  func otherTextIsRejected(_ text: String) {
    #expect(AlarmCondition(text) == nil && AlarmCondition.list("hr > 170 for 30s;\(text)") == nil)
  }

  @Test func listsHaveSemicolons() {
    #expect(AlarmCondition.list("hr > 170 for 30s; rmssd < 15 for 1m")?.count == 2)
    #expect(AlarmCondition.list(Array(repeating: "hr > 170 for 30s", count: 9).joined(separator: ";")) == nil)
  }

  private func raised(_ rates: [(Double, Double)], interruptedAt: Double? = nil) throws -> [Double] {
    var watch = AlarmWatch(try #require(AlarmCondition("hr > 170 for 30s")))
    return rates.compactMap { seconds, rate in
      if seconds == interruptedAt { watch.interrupt() }
      return watch.update(heartRate: rate, at: time(seconds)) ? seconds : nil
    }
  }

  @Test func anAlarmHoldsForItsTimeAndRepeatsAfterFiveMinutes() throws {
    let high = (0...400).map { (Double($0), 171.0) }
    #expect(try raised(high) == [30, 330])
    #expect(try raised(high.map { ($0.0, 170) }) == [])
    #expect(try raised(high.map { ($0.0, Int($0.0) % 25 == 0 ? 160 : 180) }) == [])
    // Once more within five minutes: still one alarm.
    #expect(try raised(high.map { ($0.0, (100...120).contains($0.0) ? 150 : 180) }) == [30, 330])
  }

  @Test func valuesThatAreNotLiveRaiseNoAlarm() throws {
    #expect(try raised([(0, 180), (15, 180), (40, 180), (60, 180)]) == [])
    #expect(try raised((0...50).map { (Double($0), 180) }, interruptedAt: 25) == [])
  }
}

@Suite struct CategoryFeedbackTests {
  private func reports(_ categories: [StressCategory], interruptedAt: Int? = nil) -> [Int] {
    var feedback = CategoryFeedback()
    return categories.enumerated().compactMap { second, category in
      if second == interruptedAt { feedback.interrupt() }
      return feedback.update(category, at: time(Double(second))) == nil ? nil : second
    }
  }

  private func lasting(_ parts: (StressCategory, Int)...) -> [StressCategory] {
    parts.flatMap { Array(repeating: $0.0, count: $0.1) }
  }

  @Test func aStableChangeIsReportedOnce() {
    #expect(reports(lasting((.mild, 100))) == [])
    #expect(reports(lasting((.mild, 100), (.high, 100))) == [110])
    #expect(reports(lasting((.mild, 100), (.high, 9), (.mild, 100))) == [])
  }

  @Test func atMostOneReportAMinute() {
    let flapping = (0..<20).flatMap { lasting(($0 % 2 == 0 ? .mild : .high, 15)) }
    let seconds = reports(flapping)
    #expect(seconds.count > 1 && zip(seconds, seconds.dropFirst()).allSatisfy { $1 - $0 >= 60 })
  }

  @Test func aPendingChangeStartsAgainAfterAnInterruption() {
    #expect(reports(lasting((.mild, 100), (.high, 12)), interruptedAt: 105) == [])
  }

  @Test func aPauseOfTheDataIsNotStability() {
    var feedback = CategoryFeedback()
    let categories: [(Double, StressCategory)] = [
      (0, .mild), (90, .mild), (95, .high), (106, .high), (115, .high),
    ]
    #expect(categories.allSatisfy { feedback.update($0.1, at: time($0.0)) == nil })
    #expect(feedback.update(.high, at: time(116)) == .high)
  }
}
