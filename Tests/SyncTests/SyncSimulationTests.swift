import Glibc
import Sync
import TestSupport
import Testing

/// Random schedules of devices and synchronisers with faults, in memory.
///
/// `STRESSMON_SYNC_SCHEDULES=100000 swift test --filter SyncSimulationTests` runs more schedules than the default, and
/// `STRESSMON_SYNC_SEED=17` runs one.
@Suite struct SyncSimulationTests {
  private static let defaultCount: UInt64 = 10_000

  private static var seeds: Range<UInt64> {
    if let seed = number("STRESSMON_SYNC_SEED") { return seed..<(seed + 1) }
    return 0..<(number("STRESSMON_SYNC_SCHEDULES") ?? defaultCount)
  }

  private static func number(_ name: String) -> UInt64? {
    getenv(name).flatMap { UInt64(String(cString: $0)) }
  }

  @Test func devicesAgreeAfterRandomSchedules() async {
    let workers: UInt64 = 4
    await withTaskGroup(of: SyncSchedule?.self) { group in
      for worker in 0..<workers {
        group.addTask {
          Self.firstFailure(stride(from: Self.seeds.lowerBound + worker, to: Self.seeds.upperBound, by: 4))
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

  private static func firstFailure(_ seeds: StrideTo<UInt64>) -> SyncSchedule? {
    for seed in seeds {
      let schedule = SyncSchedule(seed: seed)
      if !SyncSimulation.run(schedule).isEmpty { return schedule }
    }
    return nil
  }
}
