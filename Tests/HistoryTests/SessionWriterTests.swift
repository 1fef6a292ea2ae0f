import GRDB
import Glibc
import HRV
import HeartRate
import Stress
import Testing

@testable import History

@Suite struct SessionWriterTests {
  @Test func eventsAreDurableWithoutAFurtherCall() async throws {
    let history = try TemporaryHistory()
    let writer = SessionWriter(.sample(), at: history.location)
    for index in 0..<3 { writer.append(notification(index)) }
    #expect(await eventually { writer.hasSaved(upTo: notification(2).at) })
    let session = try #require(try reader(history).sessions(limit: 1).first)
    #expect(session.events == 3)
    #expect(session.outcome == nil && session.ended == nil)
    #expect(session.length == notification(2).at)
    #expect(await writer.finish(at: notification(3).at) == nil)
  }

  @Test func aSessionIsReadAsStored() async throws {
    let history = try TemporaryHistory()
    var info = SessionInfo.sample(
      7, profile: "it's \u{0} me",
      settings: .init(window: .seconds(300), metric: .sdnn, classification: .none),
      baseline: Baseline(rmssd: 41.25, sdnn: 1 / 3, restingHeartRate: 55.5, days: 12.5, origin: .learned))
    info.source = .imported
    info.strap = nil
    let writer = SessionWriter(info, at: history.location)
    let wall = WallTime(microseconds: 42)
    writer.append(notification(0))
    #expect(await writer.finish(at: SessionTime(ticks: 80_000_000), wall: wall) == nil)
    let stored = try #require(try reader(history).sessions(of: info.profile, limit: 5).first)
    #expect(stored.info == info)
    #expect(stored.outcome == .finished && stored.ended == wall)
    #expect(stored.length == SessionTime(ticks: 80_000_000))
    #expect(stored.events == 1 && stored.measurements == 0)
  }

  @Test func aSessionWithoutAStrapHasTheFirstStrapOfItsLink() async throws {
    let history = try TemporaryHistory()
    var info = SessionInfo.sample()
    info.strap = nil
    let straps = ["C0:00:00:00:00:01", "C0:00:00:00:00:02"].map { StrapIdentity(address: $0, name: "H10") }
    let writer = SessionWriter(info, at: history.location)
    writer.append(SessionEvent(at: .zero, .link(LinkChange(.searching))))
    for strap in straps {
      writer.append(SessionEvent(at: .zero, .link(LinkChange(.connected, strap: strap))))
    }
    #expect(await writer.finish(at: .zero) == nil)
    let stored = try #require(try reader(history).sessions(limit: 1).first)
    #expect(stored.strap == straps[0])
    #expect(stored.info.strap == nil)
  }

  @Test func aBaselineWithNaNIsStored() async throws {
    let history = try TemporaryHistory()
    let broken = Baseline(rmssd: .nan, sdnn: .infinity, restingHeartRate: 60, days: 0, origin: .manual)
    let writer = SessionWriter(.sample(baseline: broken), at: history.location)
    writer.append(notification(0))
    #expect(await writer.finish(at: .zero) == nil)
    let stored = try #require(try reader(history).sessions(limit: 1).first)
    #expect(stored.info.baseline.rmssd.isNaN && stored.info.baseline.sdnn == .infinity)
  }

  @Test func measurementsAreSampledEveryTenSeconds() async throws {
    let history = try TemporaryHistory()
    let (kept, all) = try await measuredSession(history, .sample(), seconds: 100)
    #expect(kept.first?.at == all.first { $0.score != nil }?.time)
    #expect(zip(kept, kept.dropFirst()).allSatisfy { $1.at.ticks - $0.at.ticks >= 800_000_000 })
    let gaps = zip(kept, kept.dropFirst()).map { earlier, later in
      all.filter {
        $0.time > earlier.at && $0.time < later.at && $0.time.ticks - earlier.at.ticks >= 800_000_000
      }.count
    }
    #expect(gaps.allSatisfy { $0 == 0 })
    #expect((6...8).contains(kept.count))
    // A replay into another history selects the same measurements.
    let again = try TemporaryHistory()
    #expect(try await measuredSession(again, .sample(), seconds: 100).kept == kept)
  }

  @Test(arguments: HRVMetric.allCases)
  func aMeasurementIsReadExactlyAndItsInputsGiveItsScore(metric: HRVMetric) async throws {
    let history = try TemporaryHistory()
    let info = SessionInfo.sample(settings: .init(metric: metric))
    let (kept, all) = try await measuredSession(history, info, seconds: 70)
    let session = try #require(try reader(history).sessions(limit: 1).first)
    for stored in kept {
      let original = try #require(all.first { $0.time == stored.at })
      #expect(stored.stress == original.score?.value && stored.category == original.score?.category)
      #expect(stored.confidence == original.confidence && stored.coverage == original.coverage)
      #expect(stored.quality == original.quality)
      #expect(stored.interval == original.interval.map { $0.low...$0.high })
      #expect(stored.rmssd == original.nn.rmssd && stored.sdnn == original.nn.sdnn)
      #expect(stored.meanNN == original.nn.meanNN && stored.meanHeartRate == original.nn.meanHeartRate)
      #expect(stored.pNN50 == original.nn.pNN50 && stored.time == original.wall)
      #expect(stored.beats == original.beats && stored.normalBeats == original.nn.count)
      #expect(stored.artefactFraction == original.artefactFraction && stored.window == 60)
      let inputs = try #require(stored.inputs(in: session.info))
      #expect(try StressScore(inputs) == original.score)
    }
    let last = try #require(kept.last)
    let found = try #require(try reader(history).measurement(last.id))
    #expect(found.measurement == last && found.session == session)
    #expect(try reader(history).measurement(-1) == nil)
  }

  @Test func theNextSessionClosesTheKilledOneOfItsProfile() async throws {
    let history = try TemporaryHistory()
    let killed = SessionWriter(.sample(1), at: history.location)
    let other = SessionWriter(.sample(2, profile: "ann"), at: history.location)
    for index in 0..<5 { killed.append(notification(index)) }
    #expect(await eventually { killed.hasSaved(upTo: notification(4).at) })
    #expect(await eventually { (try? reader(history).sessions(limit: 9).count) == 2 })
    let next = SessionWriter(.sample(3), at: history.location)
    next.append(notification(1))
    #expect(await eventually { next.hasSaved(upTo: notification(1).at) })
    let sessions = try reader(history).sessions(limit: 9)
    try #require(sessions.count == 3)
    #expect(sessions.map(\.info.id) == [3, 2, 1].map { SessionInfo.sample($0).id })
    #expect(sessions.map(\.outcome) == [nil, nil, .interrupted])
    #expect(sessions[2].ended == sessions[2].info.started.advanced(ticks: notification(4).at.ticks))
    #expect(sessions[2].length == notification(4).at)
    _ = await other.finish(at: .zero)
  }

  @Test func companionsOfOneProfileStayOpen() async throws {
    let history = try TemporaryHistory()
    let ids = [1, 2].map { SessionInfo.sample($0).id }
    let first = SessionWriter(.sample(1), at: history.location, companions: ids)
    first.append(notification(0))
    #expect(await eventually { first.hasSaved(upTo: notification(0).at) })
    let second = SessionWriter(.sample(2), at: history.location, companions: ids)
    second.append(notification(1))
    #expect(await eventually { second.hasSaved(upTo: notification(1).at) })
    #expect(try reader(history).sessions(limit: 9).map(\.outcome) == [nil, nil])
    #expect(await first.finish(at: notification(0).at) == nil)
    #expect(await second.finish(at: notification(1).at) == nil)
    #expect(try reader(history).sessions(limit: 9).map(\.outcome) == [.finished, .finished])
  }

  @Test func aSearchWithoutAStrapLeavesNoSession() async throws {
    let history = try TemporaryHistory()
    func search(_ number: Int) -> SessionWriter {
      var info = SessionInfo.sample(UInt64(number))
      info.strap = nil
      return SessionWriter(info, at: history.location)
    }
    let searching = SessionEvent(at: .zero, .link(LinkChange(.searching)))
    let end = SessionEvent(at: .zero, .end)
    let strap = StrapIdentity(address: "C0:00:00:00:00:01")
    let sessions: [[SessionEvent]] = [
      [], [searching, end], [searching, SessionEvent(at: .zero, .mark("tired")), end],
      [searching, SessionEvent(at: .zero, .link(LinkChange(.connected, strap: strap))), end],
    ]
    for (number, events) in sessions.enumerated() {
      let writer = search(number)
      events.forEach(writer.append)
      #expect(await writer.finish(at: .zero) == nil)
    }
    let kept = [3, 2].map { SessionInfo.sample($0).id }
    #expect(try reader(history).sessions(limit: 9).map(\.info.id) == kept)
    let killed = search(8)
    // Later than zero, because an empty session is saved up to zero.
    let later = SessionTime(ticks: 1)
    killed.append(SessionEvent(at: later, searching.kind))
    #expect(await eventually { killed.hasSaved(upTo: later) })
    #expect(try reader(history).sessions(limit: 9).count == 3)
    let next = SessionWriter(.sample(9), at: history.location)
    next.append(notification(0))
    #expect(await next.finish(at: notification(0).at) == nil)
    #expect(
      try reader(history).sessions(limit: 9).map(\.info.id) == [SessionInfo.sample(9).id] + kept)
    #expect(try reader(history).integrityFaults() == [])
  }

  @Test func eventsAfterTheEndAreNotStored() async throws {
    let history = try TemporaryHistory()
    let writer = SessionWriter(.sample(), at: history.location)
    writer.append(notification(0))
    #expect(await writer.finish(at: notification(1).at) == nil)
    writer.append(notification(2))
    #expect(await writer.finish(at: notification(3).at) == nil)
    let session = try #require(try reader(history).sessions(limit: 1).first)
    #expect(session.events == 1 && session.length == notification(1).at)
  }

  @Test func anHourOfNotificationsTakesLessThan230kB() async throws {
    let history = try TemporaryHistory()
    _ = try HistoryWriter(history.location)
    let empty = try reader(history).contents().bytes
    _ = try await measuredSession(history, .sample(), seconds: 3600)
    let bytes = try reader(history).contents().bytes - empty
    #expect(bytes < 230_000)
    #expect(bytes > 3600 * 10, "\(bytes) bytes do not hold an hour")
  }

  /// Stores a session of one notification per second. Returns the stored measurements and all measurements.
  private func measuredSession(
    _ history: TemporaryHistory, _ info: SessionInfo, seconds: Int
  ) async throws -> (kept: [StoredMeasurement], all: [StressMeasurement]) {
    let writer = SessionWriter(info, at: history.location)
    var engine = StressEngine(settings: info.settings, baseline: info.baseline)
    var all: [StressMeasurement] = []
    for index in 0..<seconds {
      writer.append(notification(index))
      engine.update(notification(index)) { measurement in
        writer.append(measurement)
        all.append(measurement)
      }
    }
    #expect(await writer.finish(at: notification(seconds).at) == nil)
    return (try reader(history).latestMeasurements(of: info.profile, limit: 1000).reversed(), all)
  }
}

/// A history that is not writable for a while: each event is stored exactly once.
@Suite struct SessionFaultTests {
  @Test func aSessionSurvivesALock() async throws {
    let history = try TemporaryHistory()
    _ = try HistoryWriter(history.location)
    let other = try DatabaseQueue(path: history.path)
    try await other.writeWithoutTransaction { try $0.execute(sql: "PRAGMA locking_mode = EXCLUSIVE") }
    try await survives(history, .locked) {
      try await other.writeWithoutTransaction { db in
        try db.execute(sql: "UPDATE profile SET name = name")
      }
    } mend: {
      try await other.writeWithoutTransaction { db in
        try db.execute(sql: "PRAGMA locking_mode = NORMAL; UPDATE profile SET name = name")
      }
    }
  }

  @Test func aSessionSurvivesAMissingFolder() async throws {
    let history = try TemporaryHistory()
    try await survives(history, .cannotCreate) {
      put([1], into: history.folder + "/data")
    } mend: {
      unlink(history.folder + "/data")
    }
  }

  @Test func aSessionSurvivesAFileThatIsNotADatabase() async throws {
    let history = try TemporaryHistory()
    try await survives(history, .notADatabase) {
      try StoreFiles.prepare(history.location)
      put([UInt8](repeating: 1, count: 5000), into: history.path)
    } mend: {
      rename(history.path, history.path + ".damaged")
    }
  }

  @Test func aSessionSurvivesADatabaseOfANewerVersion() async throws {
    let history = try TemporaryHistory()
    let connection = try StoreConnection.writable(history.location, lockTimeout: .seconds(1))
    try await survives(history, .newerThanProgram) {
      try connection.write { try $0.execute(sql: "INSERT INTO grdb_migrations VALUES ('99')") }
    } mend: {
      try connection.write { try $0.execute(sql: "DELETE FROM grdb_migrations WHERE identifier = '99'") }
    }
  }

  @Test func aSessionContinuesInANewFileIfItsFileIsRemoved() async throws {
    let history = try TemporaryHistory()
    let writer = SessionWriter(.sample(), at: history.location)
    let statuses = Task { await writer.statusChanges.reduce(into: []) { $0.append($1) } }
    writer.append(notification(1))
    #expect(await eventually { writer.hasSaved(upTo: notification(1).at) })
    rename(history.location.folder, history.folder + "/taken")
    writer.append(notification(2))
    #expect(await eventually { writer.hasSaved(upTo: notification(2).at) })
    _ = await writer.finish(at: notification(3).at)
    let replaced = HistoryError(.replaced, path: history.path, .write)
    #expect(await statuses.value == [.waiting(replaced, events: 1), .saved(upTo: notification(2).at)])
    #expect(try reader(history).events(of: SessionInfo.sample().id).map(\.at) == [notification(2).at])
    let taken = try HistoryReader(
      StoreLocation(path: history.folder + "/taken/stressmon.db", environment: [:]))
    #expect(taken?.events(of: SessionInfo.sample().id).map(\.at) == [notification(1).at])
  }

  @Test func aTransactionThatIsDurableIsNotWrittenAgain() async throws {
    let history = try TemporaryHistory()
    var store = SessionStore(.sample(), history.location)
    let batch = SessionBatch(events: (0..<5).map(notification), measurements: [])
    #expect(store.commit(batch, nil) == .saved(upTo: notification(4).at))
    // The state of the program after a commit with an unknown result.
    var again = SessionStore(.sample(), history.location)
    let more = SessionBatch(events: (0..<7).map(notification), measurements: [])
    #expect(again.commit(more, nil) == .saved(upTo: notification(6).at))
    #expect(try reader(history).events(of: SessionInfo.sample().id).elementsEqual((0..<7).map(notification)))
  }

  @Test func finishReturnsEventsThatCouldNotBeStored() async throws {
    let history = try TemporaryHistory()
    put([1], into: history.folder + "/data")
    let writer = SessionWriter(.sample(), at: history.location)
    for index in 0..<5 { writer.append(notification(index)) }
    let unsaved = try #require(await writer.finish(at: notification(5).at))
    #expect(unsaved.error.code == .cannotCreate)
    #expect(unsaved.events == (0..<5).map(notification))
  }

  /// Runs a session with a fault that exists at its start and is removed while it runs.
  private func survives(
    _ history: TemporaryHistory, _ code: HistoryError.Code, fault: () async throws -> Void,
    mend: () async throws -> Void
  ) async throws {
    try await fault()
    let writer = SessionWriter(.sample(), at: history.location)
    let statuses = Task { await writer.statusChanges.reduce(into: []) { $0.append($1) } }
    for index in 0..<50 { writer.append(notification(index)) }
    #expect(await eventually { writer.error?.code == code })
    for index in 50..<100 { writer.append(notification(index)) }
    try await mend()
    #expect(await eventually { writer.hasSaved(upTo: notification(99).at) })
    writer.append(notification(100))
    #expect(await writer.finish(at: notification(101).at) == nil)
    #expect(
      try reader(history).events(of: SessionInfo.sample().id).elementsEqual((0...100).map(notification)))
    // The status of the successful retry includes at least the events before the fault was removed.
    guard case .saved(let upTo)? = await statuses.value.last else {
      Issue.record("the last status is not saved")
      return
    }
    #expect(upTo >= notification(49).at)
  }
}
