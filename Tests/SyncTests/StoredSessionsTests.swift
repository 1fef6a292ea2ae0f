import HeartRate
import History
import Stress
import Sync
import TestSupport
import Testing

/// A session that reaches another history through its parts is equal there, with its measurements.
@Suite struct StoredSessionsTests {
  private let now = WallTime(microseconds: 1_795_000_000_000_000)
  private let today = 20_775

  private func location(_ folder: TemporaryFolder, _ name: String) throws -> StoreLocation {
    try StoreLocation(environment: [
      "XDG_DATA_HOME": folder.file(name), "XDG_RUNTIME_DIR": folder.file("run-" + name),
    ])
  }

  private func session(minutes: Int) -> ImportedSession {
    StoredFixtures.session(seed: 5, profile: "anna", seconds: minutes * 60, fingerprint: 7)
  }

  @Test func sessionsAreEqualInBothHistories() throws {
    let folder = try TemporaryFolder()
    let (one, other) = (try location(folder, "one"), try location(folder, "other"))
    let original = session(minutes: 65)
    _ = try HistoryImport(one).transaction(at: now) { try $0.store(original) }
    let id = try #require(SharedID(original.info.id.text))
    let count = StoredSessions.parts(upTo: original.events.last?.at ?? .zero)
    #expect(count == 2)
    let parts = try (0..<count).map { try StoredSessions(one).events(of: id, part: $0)[...] }
    let received = Received.Session(
      id: id, localSession: LocalSession(content: nil, parts: count, hasEnded: true), sources: [])
    for _ in 0..<2 { try StoredSessions(other).store(received, at: now) { parts[$0] } }

    let (first, second) = (try #require(try HistoryReader(one)), try #require(try HistoryReader(other)))
    #expect(Array(second.events(of: original.info.id)) == original.events)
    var (stored, copy) = (try first.sessions(limit: 9), try second.sessions(limit: 9))
    (stored[0].file, copy[0].file) = (nil, nil)
    #expect(stored == copy)
    let always = WallTime(microseconds: 0)..<now
    func measurements(_ reader: HistoryReader) throws -> [String] {
      try reader.measurements(of: "anna", in: always).map { measurement in
        var measurement = measurement
        measurement.id = 0
        return "\(measurement)"
      }
    }
    #expect(try measurements(first) == measurements(second))
    #expect(try measurements(first).count > 300)

    try StoredSessions(other).erase([id], today: today, at: now)
    #expect(try second.sessions(limit: 9).isEmpty)
    #expect(try measurements(second).isEmpty)
  }

  /// Only the first part arrived before its device was forgotten; another device has both.
  @Test func completedSessionReplacesItsFirstPart() throws {
    let folder = try TemporaryFolder()
    let (one, other) = (try location(folder, "one"), try location(folder, "other"))
    let original = session(minutes: 62)
    _ = try HistoryImport(one).transaction(at: now) { try $0.store(original) }
    let id = try #require(SharedID(original.info.id.text))
    let parts = try (0..<2).map { try StoredSessions(one).events(of: id, part: $0)[...] }
    var received = Received.Session(
      id: id, localSession: LocalSession(content: nil, parts: 1, hasEnded: true), sources: [])
    try StoredSessions(other).store(received, at: now) { parts[$0] }
    let reader = try #require(try HistoryReader(other))
    #expect(Array(reader.events(of: original.info.id)).count < original.events.count)
    let entry = try HistoryWriter(other).addToJournal(
      JournalEntry(
        profile: "anna", time: now, utcOffset: 0, session: original.info.id, note: "about the first part"))
    received.localSession.parts = 2
    try StoredSessions(other).store(received, at: now) { parts[$0] }
    #expect(Array(reader.events(of: original.info.id)) == original.events)
    #expect(try reader.journalEntry(entry.id, of: "anna") == entry)
    let complete = try #require(try HistoryReader(one)).sessions(limit: 1).first?.measurements
    #expect(try reader.sessions(limit: 1).first?.measurements == complete)
  }

  /// The program is killed after it stored a session, before it estimated the baseline.
  @Test func interruptedSyncsAreFollowedByAnEstimateOfTheBaseline() throws {
    let world = try StoredWorld(devices: 2)
    try world.createVault(at: world.path(0))
    try StoredFixtures.store(session(minutes: 10), in: world.members[0].location)
    try world.sync(0)
    try world.interruptedSync(1, at: world.path(1), wall: world.wall, parts: nil)
    let reader = try #require(try HistoryReader(world.members[1].location))
    #expect(try reader.sessions(limit: 9).count == 1 && reader.baseline(of: "anna") == nil)
    try world.sync(1)
    let estimate = try #require(try HistoryReader(world.members[0].location)).baseline(of: "anna")
    #expect(try estimate != nil && reader.baseline(of: "anna") == estimate)
  }

  @Test func unusableLinesAreRejected() throws {
    let folder = try TemporaryFolder()
    let history = StoredSessions(try location(folder, "one"))
    let received = Received.Session(
      id: SharedID(bits: 1), localSession: LocalSession(content: nil, parts: 1, hasEnded: true), sources: [])
    for text in ["", "{}\n", "{\"type\":\"header\"}\n", "x"] {
      #expect(throws: (any Error).self) {
        try history.store(received, at: now) { _ in Array(text.utf8)[...] }
      }
    }
    #expect(throws: SessionSyncError.notStored(SharedID(bits: 1))) {
      _ = try history.events(of: SharedID(bits: 1), part: 0)
    }
  }
}
