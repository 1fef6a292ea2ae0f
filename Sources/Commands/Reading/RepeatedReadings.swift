import ArgumentParser
import HeartRate
import Platform
import Terminal

/// A reading at each moment of a rhythm, for as long as it is asked for. One that fails is told of, and the next is tried
/// at its time.
struct RepeatedReadings: Sendable {
  let every: Duration
  /// How many times it is tried; without end where nil.
  var count: Int?
  var manager = ServiceManager.current
  var clock = SeriesClock()
  /// Takes one reading; returns what of it could not be stored.
  let take: @Sendable (SeriesClock.Start) async throws -> CommandFailure?

  /// - Throws: `ExitCode` when there was not one reading; what cannot mend itself, such as a bad setting; cancellation.
  func run() async throws {
    var rhythm = FixedRateSchedule(start: clock.start, period: every)
    var outcomes = Outcomes(every: every)
    manager?.ready()
    while true {
      try await attempt(clock.start(rhythm.place, at: rhythm.due), &outcomes)
      if outcomes.tries == count { break }
      try await waitForNext(&rhythm)
    }
    if let status = outcomes.exitStatus { throw ExitCode(status.rawValue) }
  }

  private func attempt(_ start: SeriesClock.Start, _ outcomes: inout Outcomes) async throws {
    do {
      outcomes.noteTaken(unstored: try await take(start))
    } catch {
      guard let failure = CommandFailure(error), failure.status != .badData, !Task.isCancelled else {
        throw error
      }
      outcomes.note(failure)
    }
  }

  private func waitForNext(_ rhythm: inout FixedRateSchedule) async throws {
    var missed = rhythm.advance(to: clock.now)
    while true {
      manager?.status("Next reading at \(LocalZone.text(clock.wall(at: rhythm.due)))")
      try await clock.wait(until: rhythm.due, telling: manager)
      guard rhythm.isOver(at: clock.now) else { break }
      missed += 1 + rhythm.advance(to: clock.now)
    }
    guard missed > 0 else { return }
    printDiagnostic("stressmon: missed \(missed) reading\(missed == 1 ? "" : "s"), whose time had passed")
  }
}

/// How the tries went, told once until it changes.
private struct Outcomes {
  let every: Duration
  private(set) var tries = 0
  private var taken = 0
  private var last: CommandFailure?
  private var unstored: CommandFailure?
  private let notices = SessionAlerts(onScreen: false)

  init(every: Duration) { self.every = every }

  mutating func noteTaken(unstored: CommandFailure?) {
    tries += 1
    taken += 1
    if let unstored {
      printDiagnostic("stressmon: \(unstored.description)")
      self.unstored = unstored
    }
    notices.tell(.reading, nil, settled: "readings are taken again")
  }

  mutating func note(_ failure: CommandFailure) {
    tries += 1
    last = failure
    notices.tell(
      .reading, "no reading, which is tried again every \(every.shortText): \(failure.description)")
  }

  /// Nil if there was a reading, and every reading is stored.
  var exitStatus: ExitStatus? { unstored?.status ?? (taken > 0 ? nil : last?.status) }
}
