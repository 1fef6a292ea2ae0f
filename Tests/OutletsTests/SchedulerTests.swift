import HeartRate
import LiveSession
import Testing

@testable import Outlets

@Suite struct SchedulerTests {
  private let second: Int64 = 1_000_000_000

  private func beat(_ time: Int64) -> TimedEvent { TimedEvent(.beat(RRInterval(gattUnits: 1024)), at: time) }

  @Test func beatsOfOneBatchAreReleasedAtTheirDistancesOneSecondLater() {
    var scheduler = EventScheduler()
    for time in [0, 800, 1700] as [Int64] { scheduler.add(beat(time * 1_000_000)) }
    #expect(scheduler.next == second)
    #expect(scheduler.take(at: second - 1) == [])
    #expect(scheduler.take(at: second) == [beat(0)])
    #expect(scheduler.next == 1_800_000_000)
    #expect(scheduler.take(at: 3 * second) == [beat(800_000_000), beat(1_700_000_000)])
    #expect(scheduler.next == nil)
  }

  @Test func theOrderIsKeptIfTimesAreNotMonotonic() {
    var scheduler = EventScheduler()
    scheduler.add(beat(500))
    scheduler.add(beat(100))
    #expect(scheduler.take(at: second + 499) == [])
    #expect(scheduler.take(at: second + 500) == [beat(500), beat(100)])
  }

  @Test func liveValuesAreReleasedAtOnceAndOnlyTheNewest() {
    var scheduler = EventScheduler()
    var newer = LiveValues.example
    newer.heartRate = 60
    scheduler.update(.example, at: 5)
    scheduler.update(newer, at: 6)
    #expect(scheduler.take(at: 6) == [TimedEvent(.values(newer), at: 6)])
    #expect(scheduler.take(at: 7) == [])
  }

  @Test func aWithdrawalFollowsThePendingBeats() {
    var scheduler = EventScheduler()
    scheduler.add(beat(0))
    scheduler.update(.withdrawn, at: 10)
    #expect(scheduler.take(at: 10) == [])
    #expect(scheduler.next == second)
    #expect(scheduler.take(at: second) == [beat(0), TimedEvent(.values(.withdrawn), at: 10)])
    #expect(scheduler.next == nil)
  }

  @Test func newLiveValuesReplaceAPendingWithdrawal() {
    var scheduler = EventScheduler()
    scheduler.add(beat(0))
    scheduler.update(.withdrawn, at: 10)
    scheduler.update(.example, at: 20)
    #expect(scheduler.take(at: 20) == [TimedEvent(.values(.example), at: 20)])
    #expect(scheduler.take(at: second) == [beat(0)])
  }

  @Test func noMoreThanTheLimitIsPending() {
    var scheduler = EventScheduler()
    for time in 0..<Int64(EventScheduler.limit + 3) { scheduler.add(beat(time)) }
    #expect(scheduler.take(at: 0) == [beat(0), beat(1), beat(2)])
  }
}

@Suite struct EventQueueTests {
  private func marker(_ number: Int) -> TimedEvent { TimedEvent(.marker("\(number)"), at: 0) }

  @Test func aFullQueueDropsTheOldestEventsAndCountsThem() {
    var queue = EventQueue()
    queue.append((0..<EventQueue.limit).map(marker))
    #expect(queue.dropped == 0)
    queue.append([marker(-1), marker(-2)])
    #expect(queue.dropped == 2)
    let events = queue.takeAll()
    #expect(events.count == EventQueue.limit)
    #expect(events.first == marker(2) && events.last == marker(-2))
    #expect(queue.takeAll() == [])
  }
}

@Suite struct SessionClockTests {
  private let second: Int64 = 1_000_000_000

  @Test func theShortestDelayDeterminesTheOffset() {
    var clock = BootTimeline()
    #expect(clock.boot(.zero) == nil)
    clock.observe(.zero, at: 100 * second + 50)
    clock.observe(SessionTime(nanoseconds: second), at: 101 * second + 25)
    clock.observe(SessionTime(nanoseconds: 2 * second), at: 102 * second + 900)
    #expect(clock.boot(SessionTime(nanoseconds: 2 * second)) == 102 * second + 25)
  }

  @Test func aPauseOfTheInputBeginsANewOffset() {
    var clock = BootTimeline()
    clock.observe(.zero, at: 0)
    clock.observe(SessionTime(nanoseconds: second), at: 4 * second)
    #expect(clock.boot(SessionTime(nanoseconds: second)) == 4 * second)
  }
}
