import Foundation
import HeartRate
import History
import Stress
import Sync
import TestSupport
import Testing

/// Deletions, settings, parts of sessions, and leaving a vault.
@Suite struct StoredHistoryRulesTests {
  private func world(_ devices: Int = 2) throws -> StoredWorld {
    let world = try StoredWorld(devices: devices)
    try world.createVault(at: world.path(0))
    return world
  }

  private func note(_ world: StoredWorld, _ index: Int, _ text: String, profile: String = "me") throws
    -> JournalEntry
  {
    try HistoryWriter(world.members[index].location).addToJournal(
      JournalEntry(profile: profile, time: StoredWorld.now, utcOffset: 0, note: text))
  }

  private func expectEqual(_ world: StoredWorld, sourceLocation: SourceLocation = #_sourceLocation) throws {
    let first = try StoredRows(world.members[0].location)
    for member in world.members.dropFirst() {
      #expect(try StoredRows(member.location).difference(from: first) == nil, sourceLocation: sourceLocation)
    }
  }

  private func reader(_ world: StoredWorld, _ index: Int) throws -> HistoryReader {
    try #require(try HistoryReader(world.members[index].location))
  }

  private func bytes(_ world: StoredWorld, _ index: Int) throws -> [UInt8] {
    try ["", "-wal"].flatMap { suffix -> [UInt8] in
      Array(try Data(contentsOf: URL(fileURLWithPath: world.members[index].location.path + suffix)))
    }
  }

  private func contains(_ text: String, _ bytes: [UInt8]) -> Bool {
    Data(bytes).range(of: Data(text.utf8)) != nil
  }

  /// The state of a program that stored 16 versions of each field and no receipts.
  @Test func statesOfEarlierVersionsAreRead() throws {
    let world = try world()
    let entry = try note(world, 0, "one")
    let deleted = try note(world, 0, "two")
    try world.settle()
    let eraser = HistoryEraser(world.members[0].location)
    _ = try eraser.delete(.journalEntry(deleted.id, of: "me"), today: StoredWorld.today, at: StoredWorld.now)
    _ = try HistoryWriter(world.members[0].location).editJournal(entry.id, of: "me") { $0.note = "three" }
    try world.settle()
    try HistoryWriter(world.members[1].location).sync { rows in
      for var entry in try rows.ledger() {
        switch entry.kind {
        case "tombstone": entry.value = entry.value.split(separator: " ").prefix(3).joined(separator: " ")
        case "file": entry.value = entry.value.replacing(/,"(key|about)":("[^"]*"|\d+)/, with: "")
        default: break
        }
        try rows.save(entry)
      }
      var versions = try rows.versions()
      for version in versions where version.value?.text == "three" {
        for age in 1...15 {
          var old = version
          (old.milliseconds, old.about) = (version.milliseconds - Int64(age), 0)
          old.value = FreeText("OLD \(age)")
          versions.insert(old)
        }
      }
      try rows.save(versions)
    }
    let device = try #require(try world.members[1].history.device())
    #expect(device.state.tombstones.count == 1)
    let notes = device.state.records.values.compactMap { $0["note"]?.entries.map(\.version.value) }
    #expect(notes == [["OLD 1", "three"]])
    _ = try note(world, 0, "four")
    try world.settle()
    try expectEqual(world)
    #expect(Set(try reader(world, 1).journal(of: "me").map(\.note)) == ["four", "three"])
    #expect(!contains("OLD 2", try bytes(world, 1)))
  }

  /// The file with the record of the profile arrives after the session, and a profile with its name exists that was renamed.
  @Test func sessionsAwaitTheRecordsOfTheirProfiles() throws {
    let world = try world()
    try world.settle()
    try StoredFixtures.store(StoredFixtures.session(seed: 1, profile: "anna"), in: world.members[0].location)
    let location = world.members[1].location
    try HistoryWriter(location).renameProfile("me", to: "anna", at: location, time: StoredWorld.now)
    let folder = try VaultFolder(world.path(0))
    let before = Set(try folder.listing().files.keys)
    try world.sync(0)
    let late = try #require(
      try folder.listing().files.keys.first { !before.contains($0) && $0.contains("/j-") })
    let bytes = try #require(try folder.read(late, limit: 1 << 20))
    folder.remove([late])
    try world.sync(1)
    #expect(try reader(world, 1).sessions(limit: .max).isEmpty)
    try folder.write(bytes, to: late)
    try world.settle()
    try expectEqual(world)
    #expect(try reader(world, 1).sessions(limit: .max).count == 1)
  }

  /// Neither the current nor an overwritten note remains, although the next sync has not run yet.
  @Test func noByteOfADeletedNoteRemains() throws {
    let world = try world()
    let entry = try note(world, 0, "OVERWRITTENNOTE")
    _ = try note(world, 0, "OTHERNOTE", profile: "anna")
    try world.settle()
    _ = try HistoryWriter(world.members[0].location).editJournal(entry.id, of: "me") {
      $0.note = "DELETEDNOTE"
    }
    try world.settle()
    #expect(contains("DELETEDNOTE", try bytes(world, 0)))
    let eraser = HistoryEraser(world.members[0].location)
    _ = try eraser.delete(.journalEntry(entry.id, of: "me"), today: StoredWorld.today, at: StoredWorld.now)
    _ = try eraser.delete(.profile("anna"), today: StoredWorld.today, at: StoredWorld.now)
    for text in ["OVERWRITTENNOTE", "DELETEDNOTE", "OTHERNOTE"] {
      #expect(!contains(text, try bytes(world, 0)))
    }
    try world.settle()
    for text in ["OVERWRITTENNOTE", "DELETEDNOTE", "OTHERNOTE"] {
      #expect(!contains(text, try bytes(world, 1)))
    }
    #expect(try reader(world, 1).profiles() == ["me"])
    try expectEqual(world)
  }

  @Test func strapsAndManualBaselinesReachTheOtherDevice() throws {
    let world = try world()
    let writer = try HistoryWriter(world.members[0].location)
    let strap = StrapIdentity(address: "C0:00:00:00:00:01", name: "Strap")
    try writer.remember(RememberedStrap(strap, bodyLocation: .chest, lastUsed: StoredWorld.now), for: "me")
    try writer.setBaseline(
      Baseline(rmssd: 44.1, sdnn: 55.25, restingHeartRate: 58.5, days: 30, origin: .manual), of: "me",
      at: StoredWorld.now)
    try world.settle()
    try expectEqual(world)
    #expect(try reader(world, 1).baseline(of: "me")?.rmssd == 44.1)
    let other = try HistoryWriter(world.members[1].location)
    #expect(try other.forgetStrap(address: strap.address, of: "me"))
    try other.removeBaseline(of: "me")
    try world.settle()
    try expectEqual(world)
    #expect(try reader(world, 0).rememberedStraps(of: "me").isEmpty)
    #expect(try reader(world, 0).baseline(of: "me") == nil)
    try writer.remember(RememberedStrap(strap, lastUsed: StoredWorld.now), for: "me")
    try world.settle()
    #expect(try reader(world, 1).rememberedStraps(of: "me").count == 1)
  }

  /// A device that joins afterwards reads the remaining events only.
  @Test func deletedPartsOfSessionsAreNotRestored() throws {
    let world = try world()
    let session = StoredFixtures.session(seed: 1, seconds: 300)
    try StoredFixtures.store(session, in: world.members[0].location)
    try world.settle()
    let from = session.info.started.advanced(ticks: 100 * 80_000_000)
    let times = from..<from.advanced(ticks: 60 * 80_000_000)
    let summary = try HistoryEraser(world.members[1].location).delete(
      .times(times, of: "me"), today: StoredWorld.today, at: StoredWorld.now)
    #expect(summary.cutSessions == 1)
    try world.settle()
    try world.addMember(2)
    try world.settle()
    for member in world.members {
      let events = try #require(try HistoryReader(member.location)).events(of: session.info.id)
      #expect(!events.contains { $0.wall.map(times.contains) ?? false })
      #expect(events.contains { $0.wall.map { $0 >= times.upperBound } ?? false })
    }
    try expectEqual(world)
  }

  @Test func leavingAndJoiningAgainAddsNoDuplicates() throws {
    let world = try world()
    try StoredFixtures.store(StoredFixtures.session(seed: 1), in: world.members[0].location)
    _ = try note(world, 0, "a")
    try world.settle()
    let member = world.members[1]
    try member.history.leave()
    #expect(try member.history.device() == nil && member.history.membership() == nil)
    #expect(try reader(world, 1).sessions(limit: 9).count == 1)
    try world.join(member, name: "again")
    #expect(try member.history.membership()?.name == "again")
    try world.settle()
    #expect(try reader(world, 0).journal(of: "me").count == 1)
    try expectEqual(world)
  }

  @Test func deletedProfilesWithOtherDataAreKept() throws {
    let world = try world()
    _ = try note(world, 0, "of the first device", profile: "anna")
    try world.settle()
    let eraser = HistoryEraser(world.members[0].location)
    _ = try eraser.delete(.profile("anna"), today: StoredWorld.today, at: StoredWorld.now)
    _ = try note(world, 1, "of the second device", profile: "anna")
    try world.settle()
    for index in 0...1 {
      #expect(try reader(world, index).journal(of: "anna").map(\.note) == ["of the second device"])
    }
    try expectEqual(world)
  }

  /// Tombstones of sessions, of a journal entry and of a part of a session: the file is rewritten once.
  @Test func oneSyncRewritesTheFileOnce() throws {
    let world = try world()
    let sessions = (0..<3).map {
      StoredFixtures.session(seed: UInt64($0), seconds: 300, startedHoursLater: $0)
    }
    for session in sessions { try StoredFixtures.store(session, in: world.members[0].location) }
    let entry = try note(world, 0, "DELETEDNOTE")
    try world.settle()
    let eraser = HistoryEraser(world.members[0].location)
    let start = sessions[2].info.started.advanced(ticks: 30 * 80_000_000)
    let scopes: [DeletionScope] = [
      .session(sessions[0].info.id), .session(sessions[1].info.id), .journalEntry(entry.id, of: "me"),
      .times(start..<start.advanced(ticks: 80_000_000 * 20), of: "me"),
    ]
    for scope in scopes {
      #expect(try !eraser.delete(scope, today: StoredWorld.today, at: StoredWorld.now).isEmpty)
    }
    try world.sync(0)
    let before = try rewrites(world, 1)
    #expect(try world.sync(1).sessionsErased == 2)
    #expect(try rewrites(world, 1) == before + 1)
    #expect(!contains("DELETEDNOTE", try bytes(world, 1)))
    try world.settle()
    try expectEqual(world)
  }

  /// The schema cookie of the database, which VACUUM increments. The `-wal` is empty after it.
  private func rewrites(_ world: StoredWorld, _ index: Int) throws -> Int {
    let database = try Data(contentsOf: URL(fileURLWithPath: world.members[index].location.path))
    return database[40..<44].reduce(0) { $0 << 8 | Int($1) }
  }

  /// An edit that is made while the sync is running is not overwritten.
  @Test func editsDuringASyncAreKept() throws {
    let world = try world()
    let entry = try note(world, 0, "first")
    try world.settle()
    let writer = try HistoryWriter(world.members[0].location)
    _ = try HistoryWriter(world.members[1].location).editJournal(1, of: "me") {
      $0.note = "of the other device"
    }
    try world.sync(1)
    var device = try #require(try world.members[0].history.device())
    try world.members[0].history.addLocalChanges(to: &device, wall: world.wall)
    _ = try writer.editJournal(entry.id, of: "me") { $0.note = "meanwhile" }
    let pass = SyncPass(
      folder: try VaultFolder(world.path(0)), codec: world.codec(world.members[0].keys, current: device.key))
    _ = try pass.run(&device, &world.members[0].history, wall: world.wall, using: &world.random)
    #expect(try reader(world, 0).journalEntry(entry.id, of: "me")?.note == "meanwhile")
    try world.settle()
    #expect(try reader(world, 1).journal(of: "me").map(\.note) == ["meanwhile"])
    try expectEqual(world)
  }

  @Test func resultsOfExercisesReachTheOtherDevice() throws {
    let world = try world()
    let session = StoredFixtures.session(seed: 1)
    try StoredFixtures.store(session, in: world.members[0].location)
    var result = StoredBreathing(
      session: session.info.id, profile: "me", time: session.info.started, pattern: "box", cycles: 4,
      plannedCycles: 5,
      seconds: 64.125)
    result.before = StoredBreathing.Part(rmssd: 1.0 / 3, heartRate: 60)
    try HistoryWriter(world.members[0].location).add(result)
    try world.settle()
    #expect(try reader(world, 1).breathingExercises(in: session.info.id) == [result])
    _ = try HistoryEraser(world.members[1].location).delete(
      .session(session.info.id), today: StoredWorld.today, at: StoredWorld.now)
    try world.settle()
    #expect(try reader(world, 0).breathingExercises(in: session.info.id).isEmpty)
  }
}
