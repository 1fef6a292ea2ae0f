import TestSupport
import Testing

@testable import Session

@Suite struct FixedRateScheduleTests {
  private static let second: Int64 = 1_000_000_000

  @Test func aLateExecutionDoesNotMoveLaterTimes() {
    var schedule = FixedRateSchedule(start: 5 * Self.second, period: .seconds(10))
    #expect(schedule.due == 5 * Self.second)
    #expect(schedule.advance(to: 6 * Self.second) == 0)
    #expect(schedule.due == 15 * Self.second)
    // A time that is due now is not skipped.
    #expect(schedule.advance(to: 25 * Self.second) == 0)
    #expect(schedule.due == 25 * Self.second)
    // A reading that took 31 s skips three times.
    #expect(schedule.advance(to: 56 * Self.second) == 3)
    #expect(schedule.due == 65 * Self.second)
  }

  @Test func aSuspendSkipsTimesAndKeepsTheRate() {
    var schedule = FixedRateSchedule(start: 0, period: .seconds(900))
    _ = schedule.advance(to: 0)
    #expect(!schedule.isMissed(at: 901 * Self.second))
    // Suspended at 10 minutes, resumed eight hours later.
    let morning = 29_000 * Self.second
    #expect(schedule.isMissed(at: morning))
    #expect(schedule.advance(to: morning) == 31)
    #expect(schedule.due % (900 * Self.second) == 0 && schedule.due >= morning)
    #expect(schedule.due - morning < 900 * Self.second)
  }

  /// For random execution times: the times are multiples of the period in increasing order, and the used and skipped times
  /// together are all of them.
  @Test(arguments: 0..<50)
  func everyTimeIsUsedOrSkippedOnce(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let period = Int64.random(in: 1...1000, using: &generator)
    let start = Int64.random(in: 0...10_000, using: &generator)
    var schedule = FixedRateSchedule(start: start, period: .nanoseconds(period))
    var now = start
    var counted: Int64 = 1
    for _ in 0..<200 {
      now = schedule.due + Int64.random(in: 0...(5 * period), using: &generator)
      let missed = schedule.advance(to: now)
      counted += Int64(missed) + 1
      #expect(schedule.due >= now && schedule.due - now < 2 * period)
      #expect((schedule.due - start) % period == 0)
      #expect(schedule.due == start + (counted - 1) * period)
    }
  }
}
