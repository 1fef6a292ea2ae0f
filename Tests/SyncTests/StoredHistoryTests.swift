import HeartRate
import History
import Sync
import TestSupport
import Testing

/// Devices with SQLite histories that share a folder.
@Suite struct StoredHistoryTests {
  private func world(_ devices: Int = 2) throws -> StoredWorld {
    let world = try StoredWorld(devices: devices)
    try world.createVault(at: world.path(0))
    return world
  }

  private func note(
    _ world: StoredWorld, _ index: Int, _ text: String, session: SessionID? = nil, profile: String = "me"
  ) throws -> JournalEntry {
    try HistoryWriter(world.members[index].location).addToJournal(
      JournalEntry(
        profile: profile, time: StoredWorld.now, utcOffset: 3600, session: session, mood: Mood(7),
        triggers: ["coffee", "work"], note: text))
  }

  private func expectEqual(_ world: StoredWorld, sourceLocation: SourceLocation = #_sourceLocation) throws {
    let first = try StoredRows(world.members[0].location)
    for member in world.members.dropFirst() {
      #expect(try StoredRows(member.location).difference(from: first) == nil, sourceLocation: sourceLocation)
    }
  }

  private func journal(_ world: StoredWorld, _ index: Int, _ profile: String = "me") throws -> [String] {
    try #require(try HistoryReader(world.members[index].location)).journal(of: profile).map { $0.note ?? "" }
  }

  @Test func stateOfTheDeviceIsRestored() throws {
    let world = try world()
    try StoredFixtures.store(StoredFixtures.session(seed: 1), in: world.members[0].location)
    _ = try note(world, 0, "a")
    for index in [0, 1, 0, 1] { try world.sync(index) }
    for member in world.members {
      let device = try #require(try member.history.device())
      var copy = member.history
      try copy.save(device)
      let again = try #require(try copy.device())
      #expect("\(again)" == "\(again)")
      #expect(again.state == device.state && again.own == device.own && again.peers == device.peers)
      #expect(
        again.sessions == device.sessions && again.localSessions == device.localSessions
          && again.keys == device.keys)
      #expect(again.clock == device.clock && again.id == device.id)
      #expect(again.signingKey == device.signingKey && again.replaced == device.replaced)
    }
    #expect(try world.sync(0).filesWritten == 0 && world.sync(1).filesWritten == 0)
  }

  @Test func sessionsAndJournalReachTheOtherDevice() throws {
    let world = try world()
    let session = StoredFixtures.session(seed: 1)
    try StoredFixtures.store(session, in: world.members[0].location)
    _ = try note(world, 0, "about the session", session: session.info.id)
    _ = try note(world, 1, "of the other device")
    let first = try world.sync(0)
    #expect(first.sessionsSent == 1 && first.changesSent > 0 && first.findings.isEmpty)
    let second = try world.sync(1)
    #expect(second.sessionsReceived == 1 && second.changesReceived > 0)
    try world.settle()
    #expect(try journal(world, 0).sorted() == ["about the session", "of the other device"])
    try expectEqual(world)
  }

  @Test func editsAndDeletionsReachTheOtherDevice() throws {
    let world = try world()
    let (one, other) = (try note(world, 0, "one"), try note(world, 0, "other"))
    try world.settle()
    let writer = try HistoryWriter(world.members[0].location)
    _ = try writer.editJournal(one.id, of: "me") { $0.note = "changed" }
    _ = try HistoryEraser(world.members[0].location).delete(
      .journalEntry(other.id, of: "me"), today: StoredWorld.today, at: StoredWorld.now)
    try world.settle()
    #expect(try journal(world, 1) == ["changed"])
    try expectEqual(world)
  }

  @Test func deletedSessionsAreNotRestored() throws {
    let world = try world()
    let session = StoredFixtures.session(seed: 1)
    try StoredFixtures.store(session, in: world.members[0].location)
    _ = try note(world, 1, "not about it")
    try world.settle()
    _ = try note(world, 1, "about it", session: session.info.id)
    try world.settle()
    _ = try HistoryEraser(world.members[1].location).delete(
      .session(session.info.id), today: StoredWorld.today, at: StoredWorld.now)
    try world.settle()
    for member in world.members {
      #expect(try #require(try HistoryReader(member.location)).sessions(limit: 9).isEmpty)
    }
    #expect(try journal(world, 0) == ["not about it"])
    try expectEqual(world)
  }

  @Test func renamedProfilesKeepTheirSessions() throws {
    let world = try world()
    try StoredFixtures.store(StoredFixtures.session(seed: 1, profile: "anna"), in: world.members[0].location)
    try world.settle()
    try HistoryWriter(world.members[0].location).renameProfile(
      "anna", to: "anne", at: world.members[0].location, time: StoredWorld.now)
    try StoredFixtures.store(
      StoredFixtures.session(seed: 2, profile: "anna", startedHoursLater: 5), in: world.members[1].location)
    try world.settle()
    try expectEqual(world)
    let reader = try #require(try HistoryReader(world.members[1].location))
    #expect(try reader.sessions(of: "anne", limit: 9).count == 2)
  }
}
