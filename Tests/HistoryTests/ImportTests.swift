import GRDB
import HeartRate
import Stress
import TestSupport
import Testing

@testable import History

/// Sessions of files, stored whole or not at all.
@Suite struct ImportTests {
  private let now = WallTime(microseconds: 1_795_000_000_000_000)

  private func session(
    _ profile: String = "me", seed: UInt64 = 1, beats: Int = 200, fingerprint: UInt8 = 7
  ) -> ImportedSession {
    var random = SeededGenerator(seed: seed)
    let started = WallTime(microseconds: 1_790_000_000_000_000)
    let info = SessionInfo(
      id: SessionID(started: started, using: &random), profile: profile, source: .imported, started: started,
      zone: "+02:00", utcOffset: 7200, monotonicNanoseconds: 0, settings: .init(),
      baseline: Baseline(rmssd: 41, sdnn: 52, restingHeartRate: 57, days: 3, origin: .learned),
      programVersion: "0.1.0")
    var at = SessionTime.zero
    var events: [SessionEvent] = [SessionEvent(at: at, .link(LinkChange(.connected)))]
    for beat in 0..<beats {
      let rr = RRInterval(gattUnits: UInt16.random(in: 780...860, using: &random))
      at = at + rr
      let payload = HeartRateMeasurement(heartRate: 70, rrIntervals: RRIntervals(gattUnits: [rr.gattUnits]))
        .encoded()
      let isMark = beat == 50
      events.append(
        SessionEvent(at: at, wall: started.advanced(ticks: at.ticks), .notification(payload: payload)))
      if isMark { events.append(SessionEvent(at: at, .mark("a note"))) }
    }
    events.append(SessionEvent(at: at, .end))
    return ImportedSession(
      info: info, fingerprint: Array(repeating: fingerprint, count: 16), format: "recording", events: events)
  }

  @Test("An imported session has the events and the measurements of one that was measured here")
  func equalsALiveSession() async throws {
    let history = try TemporaryHistory()
    let imported = session()
    var info = imported.info
    var random = SeededGenerator(seed: 9)
    info.id = SessionID(started: info.started, using: &random)
    let writer = SessionWriter(info, at: history.location)
    var engine = StressEngine(settings: info.settings, baseline: info.baseline)
    for event in imported.events {
      writer.append(event)
      engine.update(event) { writer.append($0) }
    }
    #expect(await writer.finish(at: imported.events.last?.at ?? .zero) == nil)
    let outcome = try HistoryImport(history.location).transaction(at: now) { try $0.store(imported) }

    let reader = try #require(try HistoryReader(history.location))
    #expect(Array(reader.events(of: imported.info.id)) == imported.events)
    let sessions = try reader.sessions(of: "me", limit: 9)
    #expect(sessions.count == 2)
    let (first, second) = (sessions[0], sessions[1])
    #expect(first.outcome == second.outcome && first.ended == second.ended && first.length == second.length)
    let all = try reader.latestMeasurements(of: "me", limit: 1000)
    func values(_ id: SessionID) -> [StoredMeasurement] {
      all.filter { $0.session == id }.map {
        var value = $0
        (value.id, value.session) = (0, SessionID(stored: ""))
        return value
      }
    }
    #expect(values(imported.info.id) == values(info.id))
    #expect(outcome == .stored(measurements: values(info.id).count))
    #expect(!values(info.id).isEmpty)
  }

  @Test("The same content is stored once for a person, and the same session once for all")
  func twice() throws {
    let history = try TemporaryHistory()
    let importer = try HistoryImport(history.location)
    let first = session()
    let stored = try importer.transaction(at: now) { try $0.store(first) }
    guard case .stored = stored else {
      Issue.record("\(stored)")
      return
    }
    let again = session(seed: 2)
    #expect(try importer.transaction(at: now) { try $0.store(again) } == .known(first.info.id))
    // Its name alone: what is in it may have grown.
    let renamed = session(fingerprint: 8)
    #expect(try importer.transaction(at: now) { try $0.store(renamed) } == .known(first.info.id))
    // Another person may have the same list of intervals.
    let other = session("bea", seed: 3)
    #expect(try importer.transaction(at: now) { try $0.store(other) } != .known(first.info.id))
    let reader = try #require(try HistoryReader(history.location))
    #expect(try reader.sessions(limit: 9).count == 2)
    #expect(try reader.duplicate(of: again) == first.info.id)
    #expect(try reader.duplicate(of: session("cem", seed: 4)) == nil)
    #expect(try reader.integrityFaults() == [])
  }

  private struct BadFile: Error {}

  @Test("What goes wrong in the middle of a file leaves nothing of it")
  func allOrNothing() throws {
    let history = try TemporaryHistory()
    let importer = try HistoryImport(history.location)
    #expect(throws: BadFile.self) {
      try importer.transaction(at: now) { transaction in
        _ = try transaction.store(session("dan"))
        throw BadFile()
      }
    }
    let reader = try #require(try HistoryReader(history.location))
    #expect(try reader.sessions(limit: 9).isEmpty)
    #expect(try reader.profiles() == ["me"])
    #expect(try reader.contents().events == 0)
  }

  @Test("A copy of an older program gets the tables of this one, one of a newer program is left alone")
  func copiesOfOthers() throws {
    let history = try TemporaryHistory()
    let copy = history.folder + "/copy.db"
    let queue = try DatabaseQueue(path: copy)
    try Schema.migrator.migrate(queue, upTo: Schema.migrator.migrations[0])
    try queue.write { try $0.execute(sql: "INSERT INTO profile (name) VALUES ('bea')") }
    try HistoryBackup.restore(from: copy, to: history.location)
    #expect(try HistoryReader(history.location)?.profiles() == ["me", "bea"])
    #expect(try HistoryReader(history.location)?.integrityFaults() == [])

    let other = try TemporaryHistory()
    try Schema.migrator.migrate(queue)
    try queue.write { try $0.execute(sql: "INSERT INTO grdb_migrations VALUES ('99 of a newer program')") }
    do {
      try HistoryBackup.restore(from: copy, to: other.location)
      Issue.record("it was restored")
    } catch {
      #expect(error.code == .newerThanProgram && error.path == copy)
    }
  }

  @Test("A session without an end was interrupted")
  func withoutEnd() throws {
    let history = try TemporaryHistory()
    var cut = session()
    cut.events.removeLast()
    _ = try HistoryImport(history.location).transaction(at: now) { try $0.store(cut) }
    let stored = try #require(try HistoryReader(history.location)?.sessions(limit: 1).first)
    #expect(stored.outcome == .interrupted)
    #expect(stored.ended == cut.info.started.advanced(ticks: cut.events.last?.at.ticks ?? 0))
  }

  @Test("A copy holds everything, and is restored into nothing but an empty history")
  func backup() throws {
    let history = try TemporaryHistory()
    let target = try TemporaryHistory()
    let copy = history.folder + "/copy.db"
    #expect(try HistoryBackup.write(history.location, to: copy) == false)
    _ = try HistoryImport(history.location).transaction(at: now) { try $0.store(session()) }
    #expect(try HistoryBackup.write(history.location, to: copy))
    #expect(mode(copy) == 0o600)
    try HistoryBackup.restore(from: copy, to: target.location)
    let (ours, theirs) = (try HistoryReader(history.location), try HistoryReader(target.location))
    #expect(try ours?.sessions(limit: 9) == theirs?.sessions(limit: 9))
    #expect(
      try ours?.latestMeasurements(of: "me", limit: 99) == theirs?.latestMeasurements(of: "me", limit: 99))
    #expect(try theirs?.integrityFaults() == [])
    // It can be written on.
    _ = try HistoryImport(target.location).transaction(at: now) { try $0.store(session("bea", seed: 5)) }
    do {
      try HistoryBackup.restore(from: copy, to: target.location)
      Issue.record("two histories were mixed")
    } catch {
      #expect(error.code == .notEmpty)
    }
    #expect(try HistoryReader(target.location)?.sessions(limit: 9).count == 2)
  }
}
