import Platform
import Synchronization
import TestSupport
import Testing

@testable import Session

@Suite struct RepeatedReadingsTests {
  private struct Outcome {
    var attempts: Int
    var error: (any Error)?
    var reports: [String]
  }

  /// Runs a series whose reading `i` throws `errors[i]`, and cannot store its result if `unstored[i]` is an error.
  private func run(
    _ errors: [(any Error)?], unstored: [Int: TestError] = [:], manager: ServiceManager? = nil
  ) async throws -> Outcome {
    let attempts = Mutex(0)
    let reports = Mutex<[String]>([])
    var readings = RepeatedReadings(
      every: .milliseconds(20), count: errors.count, canRetry: { $0 is TestError },
      report: { report in
        let name = Self.name(report)
        reports.withLock { $0.append(name) }
      },
      take: { _ in
        let index = attempts.withLock { attempts in
          defer { attempts += 1 }
          return attempts
        }
        if let error = errors[index] { throw error }
        return unstored[index]
      })
    readings.manager = manager
    let error = try await readings.run()
    return Outcome(attempts: attempts.withLock { $0 }, error: error, reports: reports.withLock { $0 })
  }

  private static func name(_ report: RepeatedReadings.Report) -> String {
    switch report {
    case .failed: "failed"
    case .succeeded: "succeeded"
    case .notStored: "not stored"
    case .missed: "missed"
    case .next: "next"
    }
  }

  @Test func aFailedReadingDoesNotEndTheSeries() async throws {
    let absent = TestError()
    let outcome = try await run([absent, nil, absent, absent, nil])
    #expect(outcome.attempts == 5 && outcome.error == nil)
    #expect(outcome.reports.filter { $0 == "failed" }.count == 3)
    #expect(outcome.reports.last == "succeeded")
  }

  @Test func aSeriesWithoutAReadingReturnsTheLastError() async throws {
    let outcome = try await run([TestError(number: 1), TestError(number: 2)])
    #expect(outcome.error as? TestError == TestError(number: 2))
  }

  @Test func aReadingThatCannotBeStoredDoesNotEndTheSeriesAndIsReturned() async throws {
    let outcome = try await run([nil, nil, nil], unstored: [1: TestError(number: 7)])
    #expect(outcome.attempts == 3 && outcome.error as? TestError == TestError(number: 7))
    #expect(outcome.reports.contains("not stored"))
  }

  @Test func anErrorThatCannotBeRetriedEndsTheSeries() async throws {
    struct Permanent: Error {}
    await #expect(throws: Permanent.self) { try await run([nil, Permanent(), nil]) }
    await #expect(throws: Interruption.self) { try await run([nil, Interruption(signal: 2), nil]) }
  }

  @Test func keepAlivesAreSentBetweenReadings() async throws {
    let socket = try NotifySocket()
    let environment = ProcessEnvironment(variables: [
      "NOTIFY_SOCKET": socket.address, "WATCHDOG_USEC": "30000000",
    ])
    _ = try await run([nil, nil], manager: ServiceManager(environment))
    let messages = socket.drain()
    #expect(messages.first == "READY=1" && messages.contains("WATCHDOG=1"))
  }
}
