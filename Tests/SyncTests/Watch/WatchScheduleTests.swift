import Sync
import Testing

/// The times of syncs, in ms.
@Suite struct WatchScheduleTests {
  private var schedule: WatchSchedule

  init() {
    schedule = WatchSchedule(now: 1000)
    schedule.ended(at: 1000, hasFailed: false, changes: false)
  }

  @Test func firstSyncIsDueAtOnce() { #expect(WatchSchedule(now: 1000).due == 1000) }

  @Test mutating func changeStartsASyncAfterAQuietTime() {
    #expect(schedule.due == 301_000)
    schedule.changed(at: 5000)
    #expect(schedule.due == 7000)
    schedule.changed(at: 6500)
    #expect(schedule.due == 8500)
  }

  /// A live session changes the history every second.
  @Test mutating func continuousChangesDelayASyncByALimitedTime() {
    for time in stride(from: Int64(5000), through: 40_000, by: 1000) { schedule.changed(at: time) }
    #expect(schedule.due == 20_000)
  }

  @Test mutating func failedSyncIsRepeated() {
    schedule.changed(at: 5000)
    schedule.ended(at: 8000, hasFailed: true, changes: true)
    #expect(schedule.due == 38_000)
  }

  /// A sync writes to the history, which must not start syncs forever.
  @Test mutating func changesDuringASyncStartOneFurtherSync() {
    schedule.changed(at: 5000)
    schedule.ended(at: 7500, hasFailed: false, changes: true)
    #expect(schedule.due == 9500)
    schedule.ended(at: 9800, hasFailed: false, changes: true)
    #expect(schedule.due == 309_800)
  }
}
