import Glibc
import Sync
import TestSupport
import Testing

/// Random schedules of devices and synchronisers with faults, in memory.
///
/// `STRESSMON_SYNC_SCHEDULES=100000 swift test --filter SyncSimulationTests` runs more schedules than the default,
/// `STRESSMON_SYNC_FORGET_SCHEDULES=10000` more of those with forgotten devices, and `STRESSMON_SYNC_SEED=17` runs one.
@Suite struct SyncSimulationTests {
  private static let defaultCount: UInt64 = 4000

  private static func seeds(_ variable: String, _ count: UInt64) -> Range<UInt64> {
    if let seed = number("STRESSMON_SYNC_SEED") { return seed..<(seed + 1) }
    return 0..<(number(variable) ?? count)
  }

  private static func number(_ name: String) -> UInt64? {
    getenv(name).flatMap { UInt64(String(cString: $0)) }
  }

  @Test func devicesAgreeAfterRandomSchedules() async {
    await Self.run(Self.seeds("STRESSMON_SYNC_SCHEDULES", Self.defaultCount)) { SyncSchedule(seed: $0) }
  }

  /// Nothing remains of what a forgotten device changed, and all data of the others remain, also if they do not have the new key.
  @Test func forgottenDevicesChangeNothing() async {
    await Self.run(Self.seeds("STRESSMON_SYNC_FORGET_SCHEDULES", 300)) { SyncSchedule(forgettingWith: $0) }
  }

  /// Devices that are updated to format 2 at different times lose nothing, and no device can write in the name of one that signs.
  @Test func upgradedDevicesLoseNothing() async {
    await Self.run(Self.seeds("STRESSMON_SYNC_UPGRADE_SCHEDULES", 300)) { SyncSchedule(upgradingWith: $0) }
  }

  private static func run(
    _ seeds: Range<UInt64>, _ schedule: @escaping @Sendable (UInt64) -> SyncSchedule
  ) async {
    let workers: UInt64 = 4
    await withTaskGroup(of: SyncSchedule?.self) { group in
      for worker in 0..<workers {
        group.addTask {
          firstFailure(stride(from: seeds.lowerBound + worker, to: seeds.upperBound, by: 4), schedule)
        }
      }
      for await failure in group {
        guard let failure else { continue }
        let shortest = failure.shrunk { !SyncSimulation.run($0).isEmpty }
        Issue.record(
          """
          schedule \(failure.seed) with \(failure.devices) devices (alone: STRESSMON_SYNC_SEED=\(failure.seed)); shortest form:
          \(shortest.steps.map { "  \($0)" }.joined(separator: "\n"))
          \(SyncSimulation.run(shortest).prefix(5).joined(separator: "\n"))
          """)
      }
    }
  }

  private static func firstFailure(
    _ seeds: StrideTo<UInt64>, _ schedule: (UInt64) -> SyncSchedule
  ) -> SyncSchedule? {
    for seed in seeds {
      let schedule = schedule(seed)
      if !SyncSimulation.run(schedule).isEmpty { return schedule }
    }
    return nil
  }
}
