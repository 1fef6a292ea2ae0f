import Foundation
import HRV
import HeartRate
import History
import LiveSession
import Recording
import Stress
import Synchronization
import TestSupport
import Testing

@testable import Session

/// Sessions with the simulated strap and a real database, without a process.
@Suite struct SessionGroupTests {
  private let folder: TemporaryFolder
  private let location: StoreLocation

  init() throws {
    folder = try TemporaryFolder()
    location = try StoreLocation(path: folder.file("history.db"), environment: [:])
  }

  private func setup(profile: String = "me", seed: UInt64 = 1, minutes: Int64 = 3) -> SessionSetup {
    var setup = SessionSetup(
      profile: profile, source: .simulated(SimulatedSource(seed: seed, pace: .maximum)),
      settings: StressEngine.Settings())
    setup.history = location
    setup.duration = .seconds(60 * minutes)
    setup.serviceManager = nil
    return setup
  }

  private func run(_ setups: [SessionSetup], _ sinks: [Collector]) async throws -> (
    SessionGroup, SessionOutcome
  ) {
    let group = try SessionGroup(setups, alerts: setups.map { _ in .silent }) { index, _ in sinks[index] }
    return (group, try await group.run())
  }

  @Test func aSessionIsDisplayedStoredAndRecorded() async throws {
    var setup = setup()
    let path = folder.file("session.jsonl")
    setup.recording = RecordingTarget(path: path, replacesFile: false)
    let sink = Collector()
    let (group, outcome) = try await run([setup], [sink])
    #expect(outcome.end == .finished && outcome.failures.isEmpty)
    let reader = try #require(try HistoryReader(location))
    let stored = try #require(try reader.session(beginningWith: group.members[0].plan.id.text))
    #expect(Array(reader.events(of: stored.info.id)) == sink.events)
    #expect(Array(try RecordingReader(path: path).events { _ in }) == sink.events)
    #expect(group.members[0].summary.value.beats > 150)
  }

  @Test func equalSeedsGiveEqualEventsInEachSessionOfARun() async throws {
    let sinks = [Collector(), Collector()]
    let (_, outcome) = try await run([setup(profile: "ann"), setup(profile: "ben")], sinks)
    #expect(outcome.failures.isEmpty)
    #expect(sinks[0].events.map(\.kind) == sinks[1].events.map(\.kind) && sinks[0].events.count > 100)
  }

  @Test func aFailureOfOneSessionDoesNotAffectTheOthers() async throws {
    let failing = Collector { $0.isMeasurement ? .stop(.failed(TestError(number: 4))) : .proceed }
    let intact = Collector()
    let failures = Mutex<[Int]>([])
    let setups = [setup(profile: "ann"), setup(profile: "ben")]
    let group = try SessionGroup(setups, alerts: [.silent, .silent]) { index, _ in
      index == 0 ? failing : intact
    }
    let outcome = try await group.run(onFailure: { failure in failures.withLock { $0.append(failure.index) } }
    )
    #expect(outcome.failures.map(\.index) == [0] && failures.withLock { $0 } == [0])
    #expect(outcome.failures.first?.error as? TestError == TestError(number: 4))
    #expect(intact.events.last?.kind == .end && intact.events.count > 150)
  }

  @Test func aRunEndingErrorEndsAllSessions() async throws {
    struct Closed: RunEndingError { let endsRun = true }
    let sink = Collector { $0.isMeasurement ? .stop(.failed(Closed())) : .proceed }
    await #expect(throws: Closed.self) { try await run([setup()], [sink]) }
  }

  @Test func theProfileIsLockedBeforeTheRecordingIsReplaced() throws {
    let path = try folder.write("old", to: "session.jsonl")
    let lock = try MeasurementLock(
      .profile("me"), profile: "me", at: location, since: WallTime(microseconds: 0))
    var setup = setup()
    setup.recording = RecordingTarget(path: path, replacesFile: true)
    #expect(throws: MeasurementLock.Conflict.self) {
      try SessionGroup(setup, alerts: .silent) { _ in Collector() }
    }
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "old" && lock.isProtected)
  }

  @Test func aSessionThatIsNotStoredLeavesNoDatabase() async throws {
    var setup = setup()
    setup.isStored = false
    let (group, _) = try await run([setup], [Collector()])
    #expect(group.members[0].storage == .declined)
    #expect(try HistoryReader(location) == nil)
  }

  @Test("The baseline of a session does not depend on whether it is stored")
  func aSessionThatIsNotStoredHasTheBaselineOfTheHistory() async throws {
    let baseline = Baseline(rmssd: 55, sdnn: 66, restingHeartRate: 51, days: 0, origin: .manual)
    try HistoryWriter(location).setBaseline(baseline, of: "me", at: WallTime(microseconds: 0))
    for isStored in [true, false] {
      var setup = setup()
      setup.isStored = isStored
      let (group, _) = try await run([setup], [Collector()])
      #expect(group.members[0].plan.baseline == baseline)
      #expect(group.members[0].storage == (isStored ? .stored : .declined))
    }
    #expect(try HistoryReader(location)?.sessions(of: "me", matching: HistoryFilter(), limit: 9).count == 1)
  }

  @Test func aHistoryThatCannotBeWrittenIsTheOutcome() async throws {
    try "in the way".write(toFile: folder.file("file"), atomically: true, encoding: .utf8)
    var setup = setup()
    setup.history = try StoreLocation(path: folder.file("file/history.db"), environment: [:])
    let (group, outcome) = try await run([setup], [Collector()])
    guard case .failed(let error) = group.members[0].storage else {
      Issue.record("\(group.members[0].storage)")
      return
    }
    #expect(error.code == .cannotCreate && outcome.failures.count == 1)
    guard case .notStored(_, _, let path?) = outcome.failures.first?.error as? SessionError else {
      Issue.record("\(outcome.failures)")
      return
    }
    try FileManager.default.removeItem(atPath: path)
  }

  @Test func aSessionOfKnownLengthEndsNow() async throws {
    let before = Date().timeIntervalSince1970
    let (group, _) = try await run([setup(minutes: 10)], [Collector()])
    let started = Double(group.members[0].plan.started.microseconds) / 1e6
    #expect((before...Date().timeIntervalSince1970).contains(started + 600))
  }
}

/// The times that a reading had collected at each measurement.
private final class CollectedTimes: Sendable {
  let times = Mutex<[Double]>([])
}

private struct CollectingDisplay: SessionSink {
  let reading: Reading
  let times: CollectedTimes

  mutating func receive(_ update: SessionUpdate) -> SinkDecision {
    if case .measurement = update { times.times.withLock { $0.append(reading.collected ?? -1) } }
    return .proceed
  }
}

@Suite struct ReadingSessionTests {
  private let location: StoreLocation
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    location = try StoreLocation(path: folder.file("history.db"), environment: [:])
  }

  private func session(length: Duration? = nil) -> ReadingSession {
    var setup = SessionSetup(
      profile: "me", source: .simulated(SimulatedSource(pace: .maximum)), settings: StressEngine.Settings())
    setup.history = location
    setup.serviceManager = nil
    return ReadingSession(setup, length: length) { .silent }
  }

  @Test func theResultOfAReadingIsTheOnlyMeasurementStored() async throws {
    let collector = CollectedTimes()
    let reading = try await session().take(display: { CollectingDisplay(reading: $0, times: collector) })
    #expect(reading.error == nil && reading.measurement.score != nil)
    let reader = try #require(try HistoryReader(location))
    let stored = try reader.latestMeasurements(of: "me", limit: 10)
    #expect(stored.count == 1 && stored.first?.stress == reading.measurement.score?.value)
    let times = collector.times.withLock { $0 }
    #expect(times == times.sorted() && times.last == reading.length && reading.collected == reading.length)
  }

  @Test func aReadingMustBeShorterThanTheIntervalBetweenTwo() throws {
    #expect(throws: Never.self) { try session(length: .seconds(30)).requireLength(below: .seconds(31)) }
    #expect(throws: SessionError.self) {
      try session(length: .seconds(30)).requireLength(below: .seconds(30))
    }
  }

  @Test func eachReadingOfASimulatedSeriesHasTheNextSeedAndItsOwnTime() async throws {
    let session = session()
    let clock = session.clock(every: .seconds(900), count: 2)
    let first = try await session.takeComplete(clock.start(0, at: clock.start))
    let second = try await session.takeComplete(clock.start(1, at: clock.start + 900_000_000_000))
    #expect(second.plan.started.microseconds - first.plan.started.microseconds == 900_000_000)
    #expect(first.measurement.nn.rmssd != second.measurement.nn.rmssd)
  }
}
