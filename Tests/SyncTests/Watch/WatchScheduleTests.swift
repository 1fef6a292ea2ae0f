import Sync
import Testing

/// The times of syncs, in ms.
@Suite struct WatchScheduleTests {
  private var schedule: WatchSchedule

  init() {
    schedule = WatchSchedule(now: 1000)
    schedule.ended(at: 1000, hasFailed: false, changes: [])
  }

  @Test func firstSyncIsDueAtOnce() { #expect(WatchSchedule(now: 1000).due == 1000) }

  @Test mutating func changeStartsASyncAfterAQuietTime() {
    #expect(schedule.due == 301_000)
    schedule.changed(.history, at: 5000)
    #expect(schedule.due == 7000)
    schedule.changed(.history, at: 6500)
    #expect(schedule.due == 8500)
  }

  /// A live session changes the history every second.
  @Test mutating func continuousChangesDelayASyncByALimitedTime() {
    for time in stride(from: Int64(5000), through: 40_000, by: 1000) { schedule.changed(.history, at: time) }
    #expect(schedule.due == 15_000)
  }

  @Test mutating func failedSyncIsRepeated() {
    schedule.changed(.history, at: 5000)
    schedule.ended(at: 8000, hasFailed: true, changes: [.history])
    #expect(schedule.due == 38_000)
  }

  /// A sync writes to the history, which must not start syncs forever.
  @Test mutating func changesDuringASyncStartOneFurtherSync() {
    schedule.changed(.history, at: 5000)
    schedule.ended(at: 7500, hasFailed: false, changes: [.history])
    #expect(schedule.due == 9500)
    schedule.ended(at: 9800, hasFailed: false, changes: [.history])
    #expect(schedule.due == 309_800)
  }

  /// A live session does not delay what other devices wrote.
  @Test mutating func changesOfTheFolderAreIndependent() {
    for time in stride(from: Int64(5000), through: 8000, by: 1000) { schedule.changed(.history, at: time) }
    schedule.changed(.folder, at: 7000)
    #expect(schedule.due == 9000)
    schedule.changed(.history, at: 8900)
    #expect(schedule.due == 9000)
    schedule.ended(at: 9200, hasFailed: false, changes: [.folder])
    #expect(schedule.due == 11_200)
  }
}
