import GRDB
import Glibc
import HeartRate
import Stress
import TestSupport
import Testing

@testable import History

/// What is deleted is gone from every byte of every file, and nothing else is.
@Suite struct DeletionTests {
  private static let time = WallTime(microseconds: 1_795_100_000_000_000)
  private static let today = Int(1_795_100_000 / 86_400)

  /// A session of `seconds`, with words of its own in what it stores.
  private func record(
    _ history: TemporaryHistory, _ number: UInt64, profile: String = "me", seconds: Int = 300,
    ends: Bool = true
  ) async throws -> SessionInfo {
    var info = SessionInfo.sample(number, profile: profile)
    info.started = WallTime(microseconds: info.started.microseconds + Int64(number) * 3_600_000_000)
    info.strap = nil
    let writer = SessionWriter(info, at: history.location)
    let strap = StrapIdentity(address: "C0:00:00:00:00:0\(number)", name: "STRAPNAME\(number)")
    writer.append(SessionEvent(at: .zero, wall: info.started, .link(LinkChange(.connected, strap: strap))))
    var engine = StressEngine()
    for index in 0..<seconds {
      var event = Self.event(index, number)
      event.wall = info.started.advanced(ticks: event.at.ticks)
      writer.append(event)
      engine.update(event) { writer.append($0) }
      if index % 100 == 50 {
        writer.append(SessionEvent(at: event.at, wall: event.wall, .mark("MARK\(number)-\(index)")))
      }
    }
    let end = SessionTime(ticks: Int64(seconds) * 80_000_000)
    if ends {
      #expect(await writer.finish(at: end) == nil)
    } else {
      #expect(await eventually { writer.status == .saved(upTo: Self.event(seconds - 1, number).at) })
    }
    return info
  }

  /// At rest, as a person is: 60 bpm, an energy that tells the session, and one RR interval.
  private static func event(_ index: Int, _ number: UInt64) -> SessionEvent {
    let rr = 1000 + index * 37 % 60
    return SessionEvent(
      at: SessionTime(ticks: Int64(index) * 80_000_000),
      .notification(payload: trace(number) + [UInt8(rr & 255), UInt8(rr >> 8)]))
  }

  /// What every notification of the session begins with.
  private static func trace(_ number: UInt64) -> [UInt8] { [0x18, 60, 0xD0 + UInt8(number), 0xAD] }

  private func note(
    _ history: TemporaryHistory, _ text: String, at time: WallTime, profile: String = "me",
    session: SessionID? = nil
  ) throws -> JournalEntry {
    try HistoryWriter(history.location).addToJournal(
      JournalEntry(
        profile: profile, time: time, utcOffset: 0, session: session, triggers: ["trigger-" + text],
        note: "NOTE-" + text))
  }

  /// Which of the traces of session `number` are in any of the history's files.
  private func traces(_ history: TemporaryHistory, _ number: UInt64, beyond: [String] = []) -> [String] {
    let words = ["STRAPNAME\(number)", "MARK\(number)-"] + beyond
    let files = TemporaryHistory.names(in: history.folder + "/data/stressmon").map {
      databaseBytes(of: history.folder + "/data/stressmon/" + $0)
    }
    func isThere(_ pattern: [UInt8]) -> Bool { files.contains { $0.contains(pattern) } }
    return words.filter { isThere(Array($0.utf8)) } + (isThere(Self.trace(number)) ? ["payload"] : [])
  }

  private func delete(_ scope: DeletionScope, _ history: TemporaryHistory) throws -> DeletionSummary {
    let eraser = HistoryEraser(history.location)
    let announced = try eraser.summary(of: scope, at: Self.time)
    let deleted = try eraser.delete(scope, today: Self.today, at: Self.time)
    #expect(announced == deleted)
    #expect(try eraser.summary(of: scope, at: Self.time).isEmpty)
    let reader = try reader(history)
    #expect(try reader.integrityFaults() == [])
    return deleted
  }

  @Test func aSessionGoesWithAllThatIsItsAndNoOther() async throws {
    let history = try TemporaryHistory()
    let first = try await record(history, 1)
    let second = try await record(history, 2)
    _ = try note(history, "one", at: Self.time, session: first.id)
    _ = try note(history, "two", at: Self.time)
    let before = Array(try reader(history).events(of: second.id))
    #expect(traces(history, 1, beyond: ["NOTE-one", first.id.text]).count == 5)
    let deleted = try delete(.session(first.id), history)
    #expect(deleted.sessions == 1 && deleted.events == 304 && deleted.journalEntries == 1)
    #expect(traces(history, 1, beyond: ["NOTE-one", "trigger-one", first.id.text]) == [])
    #expect(traces(history, 2, beyond: ["NOTE-two", second.id.text]).count == 5)
    #expect(Array(try reader(history).events(of: second.id)) == before)
    #expect(try reader(history).sessions(limit: 9).map(\.info.id) == [second.id])
  }

  @Test("A stretch of time goes out of a session; what is left can be replayed, and knows its strap")
  func times() async throws {
    let history = try TemporaryHistory()
    let first = try await record(history, 1)
    let second = try await record(history, 2)
    func at(_ info: SessionInfo, _ seconds: Int64) -> WallTime {
      info.started.advanced(ticks: seconds * 80_000_000)
    }
    _ = try note(history, "in", at: at(first, 110))
    _ = try note(history, "out", at: at(first, 250))
    let all = Array(try reader(history).events(of: first.id))
    let deleted = try delete(.times(at(first, -10)..<at(first, 200), of: "me"), history)
    #expect(deleted.cutSessions == 1 && deleted.sessions == 0 && deleted.journalEntries == 1)
    #expect(deleted.times == first.started...at(first, 200))
    let left = Array(try reader(history).events(of: first.id))
    #expect(left == all.filter { ($0.wall ?? at(first, 0)) >= at(first, 200) })
    #expect(left.count > 90)
    let stored = try #require(try reader(history).session(beginningWith: first.id.text))
    #expect(stored.strap?.name == "STRAPNAME1")
    // No measurement is left whose minute reaches into what went.
    let measurements = try reader(history).measurements(of: "me", in: at(first, 0)..<at(first, 999))
    #expect(!measurements.isEmpty && measurements.allSatisfy { $0.time >= at(first, 260) })
    #expect(
      traces(history, 1, beyond: ["NOTE-in", "MARK1-50", "MARK1-150", "NOTE-out"]) == [
        "STRAPNAME1", "MARK1-", "NOTE-out", "payload",
      ])

    // The rest of it, and the other one whole.
    let rest = try delete(.times(at(first, 200)..<at(second, 400), of: "me"), history)
    #expect(rest.cutSessions == 1 && rest.sessions == 1 && rest.journalEntries == 1)
    #expect(try reader(history).sessions(limit: 9) == [])
    #expect(traces(history, 1, beyond: ["NOTE-out"]) + traces(history, 2) == [])
  }

  /// What an exercise came to is of all its beats: it goes with any of them, and stays where none goes.
  @Test func anExerciseGoesWithItsBeats() async throws {
    let history = try TemporaryHistory()
    let first = try await record(history, 1)
    let second = try await record(history, 2)
    for info in [first, second] {
      try HistoryWriter(history.location).add(
        StoredBreathing(
          session: info.id, profile: info.profile, time: info.started, pattern: "PATTERN", cycles: 1,
          plannedCycles: 1, seconds: 60))
    }
    let end = first.started.advanced(ticks: 100 * 80_000_000)
    _ = try delete(.times(first.started..<end, of: "me"), history)
    #expect(try reader(history).breathingExercises(of: "me", limit: 9).map(\.session) == [second.id])
    _ = try delete(.session(second.id), history)
    #expect(try reader(history).breathingExercises(of: "me", limit: 9).isEmpty)
    #expect(traces(history, 1, beyond: ["PATTERN"]).contains("PATTERN") == false)
  }

  @Test func categoriesTakeMeasurementsAndLeaveBeats() async throws {
    let history = try TemporaryHistory()
    let info = try await record(history, 1)
    let all = try reader(history).measurements(of: "me", in: HistoryFilter.always)
    let categories = Set(all.prefix(3).compactMap(\.category))
    let doomed = all.filter { $0.category.map(categories.contains) ?? false }
    let deleted = try delete(.measurements(categories, HistoryFilter.always, of: "me"), history)
    #expect(
      deleted.measurements == doomed.count && deleted.events == 0 && deleted.sessions == 0 && !doomed.isEmpty)
    let left = try reader(history).measurements(of: "me", in: HistoryFilter.always)
    #expect(left == all.filter { measurement in !doomed.contains { $0.id == measurement.id } })
    #expect(Array(try reader(history).events(of: info.id)).count == 304)
    // SQLite stores a real as its eight bytes, the highest first. What is learned of rest has no mean NN.
    let files = databaseBytes(of: history.path) + databaseBytes(of: history.path + "-wal")
    let bits = Set(doomed.compactMap(\.meanNN?.bitPattern)).subtracting(left.compactMap(\.meanNN?.bitPattern))
    let found = bits.filter { files.contains(withUnsafeBytes(of: $0.bigEndian) { Array($0) }) }
    #expect(!bits.isEmpty && found.isEmpty)
  }

  @Test("What was learned from a session goes with it")
  func baseline() async throws {
    let history = try TemporaryHistory()
    let first = try await record(history, 1)
    let learning = try BaselineUpdater(history.location)
    let evidence = try learning.learn("me", today: Self.today, at: Self.time)
    #expect(evidence != nil)
    #expect(try reader(history).baseline(of: "me")?.origin == .learned)
    _ = try delete(.session(first.id), history)
    #expect(try reader(history).baseline(of: "me") == nil)
    #expect(try reader(history).baselineEvidence(of: "me", today: Self.today) == nil)
    // What was set by hand stays.
    let mine = Baseline(rmssd: 33, sdnn: 44, restingHeartRate: 55, days: 30, origin: .manual)
    try HistoryWriter(history.location).setBaseline(mine, of: "me", at: Self.time)
    let second = try await record(history, 2)
    _ = try delete(.session(second.id), history)
    #expect(try reader(history).baseline(of: "me") == mine)
  }

  @Test func aProfileGoesWithAllThatIsTheirsAndNobodyElse() async throws {
    let history = try TemporaryHistory()
    _ = try await record(history, 1)
    _ = try await record(history, 2, profile: "xenia")
    _ = try note(history, "xenia", at: Self.time, profile: "xenia")
    let writer = try HistoryWriter(history.location)
    try writer.remember(
      RememberedStrap(StrapIdentity(address: "C0:00:00:00:00:02", name: "ANNSTRAP"), lastUsed: Self.time),
      for: "xenia")
    let mine = try reader(history).measurements(of: "me", in: HistoryFilter.always)
    let deleted = try delete(.profile("xenia"), history)
    #expect(deleted.profiles == ["xenia"] && deleted.sessions == 1 && deleted.journalEntries == 1)
    #expect(try reader(history).profiles() == ["me"])
    #expect(try reader(history).measurements(of: "me", in: HistoryFilter.always) == mine)
    #expect(traces(history, 2, beyond: ["NOTE-xenia", "ANNSTRAP", "xenia"]) == [])
    _ = try delete(.everything, history)
    #expect(try reader(history).profiles() == ["me"])
    #expect(try reader(history).contents().sessions == 0)
    #expect(traces(history, 1) == [])
    #expect(try HistoryEraser(history.location).summary(of: .everything, at: Self.time).isEmpty)
  }

  @Test("A session that goes on stays, and is whole afterwards; one left by a killed program goes")
  func running() async throws {
    let history = try TemporaryHistory()
    let old = try await record(history, 1)
    let info = SessionInfo.sample(9)
    let claim = try MeasurementLock(.profile("me"), profile: "me", at: history.location, since: info.started)
    let writer = SessionWriter(info, at: history.location)
    for index in 0..<100 { writer.append(notification(index)) }
    #expect(await eventually { writer.status == .saved(upTo: notification(99).at) })
    let eraser = HistoryEraser(history.location)
    for scope in [DeletionScope.everything, .profile("me"), .session(info.id)] {
      let deleted = try eraser.delete(scope, today: Self.today, at: Self.time)
      #expect(deleted.running.map(\.session) == [info.id])
      #expect(deleted.running.first?.holder?.pid == Int(getpid()))
      #expect(deleted.sessions == (scope == .everything ? 1 : 0) && deleted.profiles.isEmpty)
    }
    #expect(traces(history, 1, beyond: [old.id.text]) == [])
    for index in 100..<200 { writer.append(notification(index)) }
    #expect(await writer.finish(at: notification(199).at) == nil)
    #expect(Array(try reader(history).events(of: info.id)) == (0..<200).map(notification))
    withExtendedLifetime(claim) {}

    // Killed: nobody ended it, and nobody measures.
    let killed = try await record(history, 2, profile: "ann", ends: false)
    #expect(try reader(history).session(beginningWith: killed.id.text)?.outcome == nil)
    #expect(try delete(.session(killed.id), history).sessions == 1)
    #expect(traces(history, 2) == [])
  }

  @Test func nothingIsMadeToDeleteNothing() throws {
    let history = try TemporaryHistory()
    #expect(try HistoryEraser(history.location).summary(of: .everything, at: Self.time).isEmpty)
    #expect(TemporaryHistory.names(in: history.folder) == [])
  }

  @Test("What a killed deletion left in the files goes with the next change")
  func takenUp() async throws {
    let history = try TemporaryHistory()
    let info = try await record(history, 1)
    do {
      let connection = try StoreConnection.writable(history.location, lockTimeout: .seconds(1))
      try connection.write { db in
        try DeletionPlan(db, .session(info.id), holders: [:]).perform(db)
        try SecureErase.begin(db)
      }
      #expect(try connection.read(SecureErase.isDue))
    }
    _ = try HistoryWriter(history.location)
    #expect(traces(history, 1) == [])
    #expect(try reader(history).read(SecureErase.isDue) == false)
  }

  @Test("A reader that looks at what was keeps the files from being cleaned: that is said, and made up for")
  func readers() async throws {
    let history = try TemporaryHistory()
    let info = try await record(history, 1)
    let connection = try #require(try StoreConnection.readable(history.location, lockTimeout: .zero))
    let error = try connection.read { db in
      _ = try Int.fetchOne(db, sql: "SELECT count(*) FROM session")
      return #expect(throws: HistoryError.self) {
        try HistoryEraser(history.location, lockTimeout: .zero).delete(
          .session(info.id), today: Self.today, at: Self.time)
      }
    }
    #expect(error?.attempt == .erase && error?.code == .locked)
    #expect(
      error?.description.hasPrefix("the data are deleted, but remains of them may be in the files") == true)
    #expect(try reader(history).sessions(limit: 9) == [])
    _ = try HistoryWriter(history.location)
    #expect(traces(history, 1) == [])
  }

  @Test("Killed at any moment, a deletion is as before or as after", arguments: 1...8 as ClosedRange<UInt64>)
  func killed(seed: UInt64) async throws {
    let history = try TemporaryHistory()
    for number in 1...3 as ClosedRange<UInt64> { _ = try await record(history, number) }
    let before = try reader(history).contents()
    var random = SeededGenerator(seed: seed)
    let probe = try Probe("delete", history.path)
    #expect(probe.line() == "deleting")
    usleep(useconds_t.random(in: 0...40_000, using: &random))
    probe.kill()
    let after = try reader(history).contents()
    #expect(try reader(history).integrityFaults() == [])
    if after.sessions == 0 {
      #expect(after.events == 0 && after.measurements == 0)
      _ = try HistoryWriter(history.location)
      #expect(traces(history, 1) + traces(history, 2) + traces(history, 3) == [])
    } else {
      #expect(
        after.sessions == 3 && after.events == before.events && after.measurements == before.measurements)
    }
    _ = try delete(.everything, history)
    #expect(traces(history, 1) + traces(history, 2) + traces(history, 3) == [])
  }
}
