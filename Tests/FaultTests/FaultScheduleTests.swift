import Glibc
import TestSupport
import Testing

/// Random sequences of faults, from bluetoothd to the history, at 50 times real time, with acceleration.
///
/// `STRESSMON_FAULT_SCHEDULES=1000 swift test --filter FaultScheduleTests` runs more schedules than the default, and
/// `STRESSMON_FAULT_SEED=17` runs one.
@Suite struct FaultScheduleTests {
  private static let atOnce = 6
  /// The time after which a wait of 16 ms shows that the machine was busy: a value and its duplicates are 100 ms apart at
  /// most, and data are stale after 100 ms at this rate.
  private static let busy = Duration.milliseconds(50)

  private static var seeds: Range<UInt64> {
    if let seed = number("STRESSMON_FAULT_SEED") { return seed..<(seed + 1) }
    return 0..<(number("STRESSMON_FAULT_SCHEDULES") ?? 40)
  }

  private static func number(_ name: String) -> UInt64? {
    getenv(name).flatMap { UInt64(String(cString: $0)) }
  }

  /// Runs a schedule. A complaint of a run that a busy machine delayed is not proof of a fault, so such a run is repeated, up
  /// to four times.
  private static func outcome(of schedule: FaultSchedule) async throws -> FaultOutcome {
    for _ in 0..<4 {
      let outcome = try await FaultRun(schedule).run()
      if outcome.complaints.isEmpty || outcome.longestPause <= busy { return outcome }
      print(
        "schedule \(schedule.seed) is repeated: \(outcome.longestPause) without a turn; \(outcome.complaints[0])"
      )
    }
    return try await FaultRun(schedule).run()
  }

  @Test func randomFaultsLoseNoData() async throws {
    var outcomes: [FaultOutcome] = []
    var early = 0
    try await withThrowingTaskGroup(of: FaultOutcome.self) { group in
      var waiting = Self.seeds.makeIterator()
      func add() {
        guard let seed = waiting.next() else { return }
        group.addTask { try await Self.outcome(of: FaultSchedule(seed: seed)) }
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
