import Glibc
import Testing

/// Random schedules of devices with SQLite histories and real files.
///
/// `STRESSMON_SYNC_SQLITE_SCHEDULES=200 swift test --filter StoredSimulationTests` runs more schedules than the default,
/// `STRESSMON_SYNC_SQLITE_FORGET_SCHEDULES=200` more of those with forgotten devices, and `STRESSMON_SYNC_SEED=17` runs one.
@Suite struct StoredSimulationTests {
  private static func seeds(_ variable: String, _ count: UInt64) -> Range<UInt64> {
    if let seed = number("STRESSMON_SYNC_SEED") { return seed..<(seed + 1) }
    return 0..<(number(variable) ?? count)
  }

  private static func number(_ name: String) -> UInt64? {
    getenv(name).flatMap { UInt64(String(cString: $0)) }
  }

  @Test func historiesAreEqualAfterRandomSchedules() {
    Self.run(Self.seeds("STRESSMON_SYNC_SQLITE_SCHEDULES", 10)) { SyncSchedule(seed: $0) }
  }

  @Test func forgottenDevicesChangeNothing() {
    Self.run(Self.seeds("STRESSMON_SYNC_SQLITE_FORGET_SCHEDULES", 4)) { SyncSchedule(forgettingWith: $0) }
  }

  @Test func upgradedDevicesLoseNothing() {
    Self.run(Self.seeds("STRESSMON_SYNC_SQLITE_UPGRADE_SCHEDULES", 4)) { SyncSchedule(upgradingWith: $0) }
  }

  private static func run(_ seeds: Range<UInt64>, _ schedule: (UInt64) -> SyncSchedule) {
    for seed in seeds {
      let schedule = schedule(seed)
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
