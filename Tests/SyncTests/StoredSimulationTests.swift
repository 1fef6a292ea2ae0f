import Glibc
import Testing

/// Random schedules of devices with SQLite histories and real files.
///
/// `STRESSMON_SYNC_SQLITE_SCHEDULES=200 swift test --filter StoredSimulationTests` runs more schedules than the default, and
/// `STRESSMON_SYNC_SEED=17` runs one.
@Suite struct StoredSimulationTests {
  private static var seeds: Range<UInt64> {
    if let seed = number("STRESSMON_SYNC_SEED") { return seed..<(seed + 1) }
    return 0..<(number("STRESSMON_SYNC_SQLITE_SCHEDULES") ?? 20)
  }

  private static func number(_ name: String) -> UInt64? {
    getenv(name).flatMap { UInt64(String(cString: $0)) }
  }

  @Test func historiesAreEqualAfterRandomSchedules() {
    for seed in Self.seeds {
      let schedule = SyncSchedule(seed: seed)
      guard !StoredSimulation.run(schedule).isEmpty else { continue }
      let shortest = schedule.shrunk { !StoredSimulation.run($0).isEmpty }
      Issue.record(
        """
        schedule \(seed) with \(schedule.devices) devices (alone: STRESSMON_SYNC_SEED=\(seed)); shortest form:
        \(shortest.steps.map { "  \($0)" }.joined(separator: "\n"))
        \(StoredSimulation.run(shortest).prefix(5).joined(separator: "\n"))
        """)
    }
  }
}
