import ArgumentParser
import Platform
import Synchronization
import TestSupport
import Testing

@testable import Commands

@Suite struct FixedRateScheduleTests {
  private static let second: Int64 = 1_000_000_000

  @Test func momentsStayWhereTheyAreHoweverLateOneIs() {
    var rhythm = FixedRateSchedule(start: 5 * Self.second, period: .seconds(10))
    #expect(rhythm.due == 5 * Self.second)
    #expect(rhythm.advance(to: 6 * Self.second) == 0)
    #expect(rhythm.due == 15 * Self.second)
    // Exactly on time is not over.
    #expect(rhythm.advance(to: 25 * Self.second) == 0)
    #expect(rhythm.due == 25 * Self.second)
    // A reading that took 31 s goes over three moments.
    #expect(rhythm.advance(to: 56 * Self.second) == 3)
    #expect(rhythm.due == 65 * Self.second)
  }

  @Test func afterASuspendTheNextMomentIsOfTheSameRhythm() {
    var rhythm = FixedRateSchedule(start: 0, period: .seconds(900))
    _ = rhythm.advance(to: 0)
    #expect(!rhythm.isOver(at: 901 * Self.second))
    // Closed at 10 minutes, opened eight hours later.
    let morning = 29_000 * Self.second
    #expect(rhythm.isOver(at: morning))
    #expect(rhythm.advance(to: morning) == 31)
    #expect(rhythm.due % (900 * Self.second) == 0 && rhythm.due >= morning)
    #expect(rhythm.due - morning < 900 * Self.second)
  }

  /// Whatever the lengths of the readings: moments are multiples of the period, in order, none before its time, and
  /// those taken and those missed are all of them.
  @Test(arguments: 0..<50)
  func everyMomentIsTakenOrMissedOnce(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let period = Int64.random(in: 1...1000, using: &generator)
    let start = Int64.random(in: 0...10_000, using: &generator)
    var rhythm = FixedRateSchedule(start: start, period: .nanoseconds(period))
    var now = start
    var counted: Int64 = 1
    for _ in 0..<200 {
      now = rhythm.due + Int64.random(in: 0...(5 * period), using: &generator)
      let missed = rhythm.advance(to: now)
      counted += Int64(missed) + 1
      #expect(rhythm.due >= now && rhythm.due - now < 2 * period)
      #expect((rhythm.due - start) % period == 0)
      #expect(rhythm.due == start + (counted - 1) * period)
    }
  }
}

@Suite struct RepeatedReadingsTests {
  private func run(
    _ outcomes: [(any Error)?], unstored: [Int: CommandFailure] = [:], manager: ServiceManager? = nil
  ) async throws -> Int {
    let tries = Mutex(0)
    let readings = RepeatedReadings(every: .milliseconds(20), count: outcomes.count, manager: manager) { _ in
      let number = tries.withLock {
        $0 += 1
        return $0 - 1
      }
      if let error = outcomes[number] { throw error }
      return unstored[number]
    }
    try await readings.run()
    return tries.withLock { $0 }
  }

  private static let absent = CommandFailure(.noStrap, "no strap answered.")

  @Test func failuresDoNotEndIt() async throws {
    #expect(try await run([Self.absent, nil, Self.absent, Self.absent, nil]) == 5)
  }

  @Test func withoutOneReadingItSaysSoByItsExitCode() async throws {
    do {
      _ = try await run([Self.absent, Self.absent])
      Issue.record("it succeeds")
    } catch {
      #expect(Stressmon.exitCode(for: error).rawValue == 2)
    }
  }

  @Test("A reading that cannot be stored does not end the series, whose exit code then is 1")
  func unstored() async throws {
    do {
      _ = try await run([nil, nil, nil], unstored: [1: CommandFailure(.failed, "the disk is full")])
      Issue.record("it succeeds")
    } catch {
      #expect(Stressmon.exitCode(for: error).rawValue == 1)
    }
  }

  @Test func whatCannotMendItselfEndsIt() async throws {
    let bad = CommandFailure(.badData, "words")
    await #expect(throws: CommandFailure.self) { try await run([nil, bad, nil]) }
    await #expect(throws: Interruption.self) { try await run([nil, Interruption(signal: 2), nil]) }
  }

  @Test func theServiceManagerHearsThatItWaits() async throws {
    let socket = try NotifySocket()
    let environment = ProcessEnvironment(variables: [
      "NOTIFY_SOCKET": socket.address, "WATCHDOG_USEC": "30000000",
    ])
    _ = try await run([nil, nil], manager: ServiceManager(environment))
    let told = socket.drain()
    #expect(told.first == "READY=1")
    #expect(told.contains("WATCHDOG=1"))
    #expect(told.contains { $0.hasPrefix("STATUS=Next reading at ") })
  }
}
