import Glibc
import TestSupport
import Testing

/// Random sequences of faults, from bluetoothd to the history, at 50 times real time, with acceleration.
///
/// `STRESSMON_FAULT_SCHEDULES=1000 swift test --filter FaultScheduleTests` runs more schedules than the default, and
/// `STRESSMON_FAULT_SEED=17` runs one.
@Suite struct FaultScheduleTests {
  private static let atOnce = 6

  private static var seeds: Range<UInt64> {
    if let seed = number("STRESSMON_FAULT_SEED") { return seed..<(seed + 1) }
    return 0..<(number("STRESSMON_FAULT_SCHEDULES") ?? 40)
  }

  private static func number(_ name: String) -> UInt64? {
    getenv(name).flatMap { UInt64(String(cString: $0)) }
  }

  @Test func randomFaultsLoseNoData() async throws {
    var outcomes: [FaultOutcome] = []
    var early = 0
    try await withThrowingTaskGroup(of: FaultOutcome.self) { group in
      var waiting = Self.seeds.makeIterator()
      func add() {
        guard let seed = waiting.next() else { return }
        group.addTask { try await FaultRun(FaultSchedule(seed: seed)).run() }
      }
      for _ in 0..<Self.atOnce { add() }
      for try await outcome in group {
        outcomes.append(outcome)
        if outcomes.count == max(1, Self.seeds.count / 10) { early = residentMemory() }
        add()
      }
    }
    let late = residentMemory()
    print(FaultTable(outcomes, memory: (early, late)))
    for outcome in outcomes where !outcome.complaints.isEmpty {
      Issue.record(
        """
        schedule \(outcome.schedule.seed) (alone: STRESSMON_FAULT_SEED=\(outcome.schedule.seed)): \
        \(outcome.schedule.steps.map(\.fault.rawValue).joined(separator: ", ")):
        \(outcome.complaints.prefix(5).joined(separator: "\n"))
        """)
    }
    #expect(outcomes.allSatisfy { $0.stored > 0 && $0.beats > 0 && $0.measurements > 0 })
  }
}
