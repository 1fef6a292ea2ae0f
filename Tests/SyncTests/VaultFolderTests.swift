import Age
import Foundation
import Glibc
import Sync
import TestSupport
import Testing

/// Syncs through real folders.
@Suite struct VaultFolderTests {
  @Test func twoDevicesExchangeEverything() throws {
    let world = try VaultWorld(devices: 2)
    let session = SharedID(bits: 1000)
    let key = RecordKey(.journal, SharedID(bits: 5))
    world.members[0].history.add(session, parts: [["a", "b"], ["c"]], to: &world.members[0].device)
    world.members[0].device.edit(key, "note", "calm", wall: 5)
    #expect(try world.sync(0) == [])
    #expect(try world.sync(1) == [])
    #expect(world.members[1].history.sessions[session] == [["a", "b"], ["c"]])
    #expect(world.members[1].device.state.records[key]?["note"]?.value == "calm")

    world.members[1].device.deleteSession(session, wall: 6)
    world.members[1].history.sessions[session] = nil
    #expect(try world.sync(1) == [])
    #expect(try world.sync(0) == [])
    #expect(world.members[0].history.sessions.isEmpty)
    #expect(try world.names().allSatisfy { !$0.contains("/s-") })
    #expect(try world.sync(1) == [])
    #expect(try world.sync(0) == [])
  }

  @Test func forgottenDeviceReadsNothingNew() throws {
    let world = try VaultWorld(devices: 3)
    let (old, new) = (SharedID(bits: 1000), SharedID(bits: 1001))
    world.members[2].history.add(old, parts: [["old"]], to: &world.members[2].device)
    for index in [2, 0, 1, 2] { _ = try world.sync(index) }
    let announcement = try world.members[0].device.forget(world.members[2].device.id, wall: 9)
    world.members[0].history.add(new, parts: [["new"]], to: &world.members[0].device)
    world.learn(announcement.key, 0)
    _ = try world.sync(0)
    #expect(try world.sync(2).contains { if case .unknownKey = $0 { true } else { false } })
    #expect(world.members[2].history.sessions[new] == nil)
    // The other device receives the key with the passphrase.
    world.learn(announcement.key, 1)
    world.members[1].device.learn(announcement)
    for index in [1, 0, 1] { _ = try world.sync(index) }
    #expect(world.members[1].history.sessions == [old: [["old"]], new: [["new"]]])
    #expect(world.members[0].device.state.changes == world.members[1].device.state.changes)
  }

  /// A file states that the writer of the current key is forgotten. The device that reads it continues with the previous key, also
  /// for the files that it writes in the same sync.
  @Test func keyThatChangesWhileReadingIsUsed() throws {
    let world = try VaultWorld(devices: 3)
    for index in 0..<3 { _ = try world.sync(index) }
    let first = world.members[1].device.key
    let replaced = try world.members[2].device.forget(SharedID(bits: 99), wall: 9)
    for index in [1, 2] { world.learn(replaced.key, index) }
    world.members[1].device.learn(replaced)
    _ = try world.sync(2)
    let writer = world.members[2].device
    let change = Change.forget(writer.id, Stamp(milliseconds: 10, counter: 0, device: writer.id))
    try world.write(.changes([change]), number: writer.own.written + 1, of: writer.id, for: replaced.key)
    #expect(world.members[1].device.key == replaced.key)
    world.members[1].history.add(SharedID(bits: 1000), parts: [["a"]], to: &world.members[1].device)
    _ = try world.sync(1)
    #expect(world.members[1].device.key == first)
    let own = world.members[1].device.id.text
    let names = try world.names().filter { $0.hasPrefix(own) }
    #expect(names.count == 3)
    for name in names { #expect(try world.keys(of: name) == [first], "\(name)") }
    #expect(try world.sync(0).allSatisfy { !"\($0)".contains(own) })
    #expect(world.members[0].history.sessions == [SharedID(bits: 1000): [["a"]]])
  }

  /// A program that saved a new version of its `about` and was killed did not write it. That is no older copy of the folder.
  @Test func unwrittenAboutIsNoRollback() throws {
    let world = try VaultWorld(devices: 1)
    _ = try world.sync(0)
    let about = world.path + "/" + world.members[0].device.id.text + "/about.age"
    for index in 0..<2 {
      world.members[0].history.add(
        SharedID(bits: UInt128(1000 + index)), parts: [["a"]], to: &world.members[0].device)
      world.members[0].history.failsAtPart = 0
      #expect(throws: VaultError.self) { try world.sync(0) }
    }
    world.members[0].history.failsAtPart = nil
    let found = try world.sync(0)
    #expect(found.allSatisfy { if case .repaired = $0 { true } else { false } })
    #expect(try world.sync(0) == [])
    // An older copy of a version that was written is reported.
    let bytes = try Data(contentsOf: URL(fileURLWithPath: about))
    world.members[0].device.edit(RecordKey(.journal, SharedID(bits: 5)), "note", "calm", wall: 5)
    #expect(try world.sync(0) == [])
    try bytes.write(to: URL(fileURLWithPath: about))
    #expect(try world.sync(0).contains { if case .rolledBack = $0 { true } else { false } })
    #expect(try world.sync(0) == [])
  }

  @Test func foreignEntriesDoNoHarm() throws {
    let world = try VaultWorld(devices: 2)
    world.members[0].device.edit(RecordKey(.journal, SharedID(bits: 5)), "note", "calm", wall: 5)
    _ = try world.sync(0)
    let directory = world.path + "/" + world.members[0].device.id.text
    mkfifo(directory + "/j-00000009.age", 0o600)
    symlink("/etc/passwd", directory + "/j-00000008.age")
    mkdir(directory + "/j-00000007.age", 0o700)
    try write("x", directory + "/j-00000001.sync-conflict-20261123-080000-ABCDEFG.age")
    try write("x", directory + "/notes.txt")
    try write("x", directory + "/.syncthing.about.age.tmp")
    try write("x", directory + "/j-00000006.age")
    try write("x", world.path + "/stressmon.sync-conflict-20261123-080000-ABCDEFG.json")
    let id = world.members[0].device.id.text
    #expect(
      Set(try world.sync(1)) == [
        .conflictCopy(path: id + "/j-00000001.sync-conflict-20261123-080000-ABCDEFG.age"),
        .foreignFile(path: id + "/notes.txt"), .damaged(path: id + "/j-00000006.age"),
        .conflictCopy(path: "stressmon.sync-conflict-20261123-080000-ABCDEFG.json"),
      ])
    #expect(world.members[1].device.state.changes == world.members[0].device.state.changes)
  }

  /// The operator of the folder replaces directories and files by links: nothing outside of the folder is read, written or removed.
  @Test func linksAreNotFollowed() throws {
    let world = try VaultWorld(devices: 2)
    for index in 0..<2 {
      let key = RecordKey(.journal, SharedID(bits: UInt128(index)))
      world.members[index].device.edit(key, "note", "calm", wall: 5)
      _ = try world.sync(index)
    }
    let outside = try TemporaryFolder()
    for name in ["about.age", "j-00000009.age", "j-00000009.age.123.new"] {
      try write("mine", outside.file(name))
    }
    let (own, other) = (world.members[0].device.id.text, world.members[1].device.id.text)
    for directory in [own, other] {
      rename("\(world.path)/\(directory)", outside.file("moved-\(directory)"))
      symlink(outside.path, "\(world.path)/\(directory)")
    }
    let folder = try VaultFolder(world.path)
    let listing = try folder.listing().files
    #expect(Set(listing.keys) == [own, other])
    #expect(folder.devices().isEmpty && folder.lastWrite(of: world.members[1].device.id) == nil)
    #expect(throws: VaultError.self) { try folder.read("\(other)/about.age", limit: 100) }
    #expect(throws: VaultError.self) { try folder.write([1], to: "\(own)/about.age") }
    folder.remove(["\(own)/j-00000009.age"])
    folder.removeTemporaries(of: world.members[0].device.id)
    #expect(throws: VaultError.self) { try world.sync(0) }
    for name in ["about.age", "j-00000009.age", "j-00000009.age.123.new"] {
      #expect(try String(contentsOfFile: outside.file(name), encoding: .utf8) == "mine")
    }
    unlink("\(world.path)/\(own)")
    #expect(try world.sync(0).contains(.foreignFile(path: other)))
  }

  /// A file that alternates with a pipe neither blocks nor is read outside of the folder.
  @Test func pipesDoNotBlock() throws {
    let world = try VaultWorld(devices: 1)
    _ = try world.sync(0)
    let (name, pipe) = ("\(world.members[0].device.id.text)/j-00000009.age", "\(world.path)/pipe")
    let path = "\(world.path)/\(name)"
    let folder = try VaultFolder(world.path)
    for turn in 0..<200 {
      if turn.isMultiple(of: 2) { mkfifo(pipe, 0o600) } else { try write("x", pipe) }
      rename(pipe, path)
      if turn.isMultiple(of: 2) {
        #expect(throws: VaultError.self) { try folder.read(name, limit: 100) }
      } else {
        #expect(try folder.read(name, limit: 100) == [120])
      }
    }
    unlink(path)
    symlink("/etc/passwd", path)
    #expect(throws: VaultError.self) { try folder.read(name, limit: 1 << 16) }
  }

  @Test func unfinishedFilesAreRemoved() throws {
    let world = try VaultWorld(devices: 1)
    _ = try world.sync(0)
    let unfinished = world.path + "/" + world.members[0].device.id.text + "/j-00000001.age.4711.new"
    try write("x", unfinished)
    #expect(try world.sync(0) == [])
    #expect(access(unfinished, F_OK) != 0)
  }

  /// A file system that ignores case may return names in capitals.
  @Test func namesInCapitalsAreRecognised() throws {
    let world = try VaultWorld(devices: 2)
    world.members[0].device.edit(RecordKey(.journal, SharedID(bits: 5)), "note", "calm", wall: 5)
    _ = try world.sync(0)
    let directory = world.path + "/" + world.members[0].device.id.text
    rename(directory + "/j-00000001.age", directory + "/J-00000001.AGE")
    rename(directory, world.path + "/" + world.members[0].device.id.text.uppercased())
    #expect(try world.sync(1) == [])
    #expect(world.members[1].device.state.changes == world.members[0].device.state.changes)
  }

  @Test func unmountedFolderIsAnError() throws {
    let world = try VaultWorld(devices: 1)
    world.members[0].device.edit(RecordKey(.journal, SharedID(bits: 5)), "note", "calm", wall: 5)
    _ = try world.sync(0)
    let before = world.members[0].device.own
    rename(world.path + "/stressmon.json", world.path + "/moved")
    #expect(throws: VaultError.noVault(path: world.path)) { try world.sync(0) }
    #expect(world.members[0].device.own == before)
    #expect(throws: VaultError.noVault(path: "/nonexistent/vault")) { try VaultFolder("/nonexistent/vault") }
  }

  @Test func forgedDescriptionIsAnError() throws {
    let world = try VaultWorld(devices: 1)
    let path = world.path + "/stressmon.json"
    try write("{\"format\":1,\"vault\":\"00000000000000000000000007\",\"recipient\":\"age1other\"}", path)
    #expect(throws: VaultError.forgedRecipient) { try world.sync(0) }
    try write("{\"format\":1,\"vault\":\"00000000000000000000000008\",\"recipient\":\"age1other\"}", path)
    #expect(throws: VaultError.otherVault(expected: SharedID(bits: 7), found: SharedID(bits: 8))) {
      try world.sync(0)
    }
    try write("{", path)
    #expect(throws: VaultError.invalidDescription) { try world.sync(0) }
    #expect(try world.names().isEmpty)
  }

  /// The disk is full after the first file: the next sync writes the rest.
  @Test func interruptedWriteIsCompleted() throws {
    let world = try VaultWorld(devices: 2)
    let session = SharedID(bits: 1000)
    world.members[0].history.add(session, parts: [["a"], ["b"]], to: &world.members[0].device)
    world.members[0].history.failsAtPart = 1
    #expect(throws: VaultError.self) { try world.sync(0) }
    _ = try world.sync(1)
    #expect(world.members[1].history.sessions.isEmpty)
    world.members[0].history.failsAtPart = nil
    #expect(try world.sync(0) == [.repaired(NumberSet([2]))])
    _ = try world.sync(1)
    #expect(world.members[1].history.sessions[session] == [["a"], ["b"]])
  }

  /// A restored history receives a new key before it reads a file that it wrote for the previous key after the backup.
  @Test func ownFilesOfAnOlderKeyAreKept() throws {
    let world = try VaultWorld(devices: 3)
    let note = RecordKey(.journal, SharedID(bits: 5))
    world.members[0].device.edit(note, "note", "calm", wall: 5)
    for index in [0, 1, 2, 1] { _ = try world.sync(index) }
    let backup = world.members[0].device
    world.members[0].device.edit(note, "note", "better", wall: 6)
    _ = try world.sync(0)
    let path = VaultPath.text(backup.id, .changes(number: 2))
    let folder = try VaultFolder(world.path)
    let bytes = try #require(try folder.read(path, limit: 1 << 20))
    let announcement = try world.members[1].device.forget(world.members[2].device.id, wall: 9)
    for index in 0...1 { world.learn(announcement.key, index) }
    _ = try world.sync(1)
    world.members[0].device = backup
    world.members[0].device.learn(announcement)
    for _ in 0..<2 { _ = try world.sync(0) }
    #expect(try folder.read(path, limit: 1 << 20) == bytes)
    #expect(world.members[0].device.id != backup.id)
  }

  @Test func secondProgramIsRefused() throws {
    let folder = try TemporaryFolder()
    let first = try SyncLock(folder.file("sync.lock"))
    #expect(throws: VaultError.isRunning(pid: getpid())) { try SyncLock(folder.file("sync.lock")) }
    withExtendedLifetime(first) {}
  }

  @Test func filesArePrivate() throws {
    let world = try VaultWorld(devices: 1)
    _ = try world.sync(0)
    var status = stat()
    let directory = world.path + "/" + world.members[0].device.id.text
    #expect(stat(directory, &status) == 0 && status.st_mode & 0o777 == 0o700)
    #expect(stat(directory + "/about.age", &status) == 0 && status.st_mode & 0o777 == 0o600)
  }

  private func write(_ text: String, _ path: String) throws {
    guard let file = fopen(path, "w") else { throw SystemCallError("open \(path)") }
    fputs(text, file)
    fclose(file)
  }
}
