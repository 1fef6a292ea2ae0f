import ArgumentParser
import HeartRate

/// A reading at each moment of a rhythm, for as long as it is asked for. One that fails is told of, and the next is tried
/// at its time.
struct RepeatedReadings: Sendable {
  let every: Duration
  /// How many times it is tried; without end where nil.
  var count: Int?
  var manager = ServiceManager.current
  /// Takes one.
  let take: @Sendable () async throws -> Void

  /// - Throws: `ExitCode` when there was not one reading; what cannot mend itself, such as a bad setting; cancellation.
  func run() async throws {
    var rhythm = Rhythm(start: SystemClock.boot, period: every)
    var outcomes = Outcomes(every: every)
    manager?.ready()
    while true {
      try outcomes.note(await failure())
      if outcomes.tries == count { break }
      try await waitForNext(&rhythm)
    }
    if let status = outcomes.exitStatus { throw ExitCode(status.rawValue) }
  }

  /// What kept the reading from being taken; nil when it was taken.
  private func failure() async throws -> CommandFailure? {
    do {
      try await take()
      return nil
    } catch {
      guard let failure = CommandFailure(error), failure.status != .badData, !Task.isCancelled else {
        throw error
      }
      return failure
    }
  }

  private func waitForNext(_ rhythm: inout Rhythm) async throws {
    var missed = rhythm.advance(to: SystemClock.boot)
    while true {
      let rest = Duration.nanoseconds(rhythm.due - SystemClock.boot)
      manager?.status("Next reading at \(LocalZone.text(SystemClock.wall.advanced(ticks: rest.ticks)))")
      try await wait(until: rhythm.due, telling: manager)
      guard rhythm.isOver(at: SystemClock.boot) else { break }
      missed += 1 + rhythm.advance(to: SystemClock.boot)
    }
    guard missed > 0 else { return }
    say("stressmon: missed \(missed) reading\(missed == 1 ? "" : "s"), whose time had passed")
  }
}

/// How the tries went, told once until it changes.
private struct Outcomes {
  let every: Duration
  private(set) var tries = 0
  private var taken = 0
  private var last: CommandFailure?
  private let notices = Notices(onScreen: false)

  init(every: Duration) { self.every = every }

  mutating func note(_ failure: CommandFailure?) {
    tries += 1
    if failure == nil { taken += 1 }
    last = failure
    let text = failure.map { "no reading, which is tried again every \(every.shortText): \($0.description)" }
    notices.tell(.reading, text, settled: "readings are taken again")
  }

  /// Nil when there was a reading.
  var exitStatus: ExitStatus? { taken > 0 ? nil : last?.status }
}
