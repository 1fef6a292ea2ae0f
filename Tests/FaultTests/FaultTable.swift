/// The result of a schedule.
struct FaultOutcome: Sendable {
  let schedule: FaultSchedule
  var complaints: [String]
  var sent = 0
  var stored = 0
  /// Sensor frames sent while subscribed, and those of them that were in transit when a transport ended.
  var frames = 0
  var framesInTransit = 0
  var beats = 0
  var gaps = 0
  var losses = 0
  var measurements = 0
  /// Notifications sent to a subscription that was renewed after a silence.
  var inRepair = 0
  /// Duplicates for a second client that were stored.
  var copies = 0
  var recoveries: [(fault: Fault, time: Duration)] = []
  /// The longest time that a wait of 16 ms took.
  var longestPause = Duration.zero
}

/// The injected faults and their results.
struct FaultTable: CustomStringConvertible {
  private let outcomes: [FaultOutcome]

  /// Resident memory in bytes after a tenth of the schedules, and at the end.
  private let memory: (early: Int, late: Int)

  init(_ outcomes: [FaultOutcome], memory: (early: Int, late: Int)) {
    self.outcomes = outcomes
    self.memory = memory
  }

  var description: String {
    let total = { (value: (FaultOutcome) -> Int) in outcomes.reduce(0) { $0 + value($1) } }
    let failed = outcomes.filter { !$0.complaints.isEmpty }
    return """
      fault                              injected   live again after, in s of the session: median, longest
      \(rows)
      \(outcomes.count) schedules: \(total { $0.recoveries.count }) faults; \(total(\.sent)) notifications sent while \
      subscribed, \(total(\.stored)) stored, \(total(\.copies)) of them copies for a second client, \
      \(total(\.inRepair)) sent into a subscription being remade; \
      \(total(\.beats)) beats, \(total(\.losses)) links lost, \(total(\.gaps)) gaps, \
      \(total(\.measurements)) measurements; \(total(\.frames)) sensor frames, \(total(\.framesInTransit)) of them in \
      transit at the end of a bus or session and all others stored once.
      Resident memory of the tests: \(memory.early / 1_000_000) MB after a tenth of the schedules, \
      \(memory.late / 1_000_000) MB at the end.
      \(failed.isEmpty ? "All of them held." : "Failed: \(failed.map(\.schedule.seed).sorted())")
      """
  }

  private var rows: String {
    Fault.allCases.map { fault in
      let recoveries = outcomes.flatMap(\.recoveries).filter { $0.fault == fault }
      let times = recoveries.map { seconds($0.time) }.sorted()
      let padding = String(repeating: " ", count: 36 - fault.rawValue.count)
      guard let longest = times.last else { return "\(fault.rawValue)\(padding)0" }
      return "\(fault.rawValue)\(padding)\(times.count)   \(times[times.count / 2]), \(longest)"
    }.joined(separator: "\n")
  }

  private func seconds(_ time: Duration) -> Double {
    (time / .milliseconds(1) * Double(AcceleratedStrap.rate) / 100).rounded() / 10
  }
}
