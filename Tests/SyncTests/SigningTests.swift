import Sync
import TestSupport
import Testing

/// Devices with and without signing keys in one folder.
@Suite struct SigningTests {
  private let note = RecordKey(.journal, SharedID(bits: 5))
  private let session = SharedID(bits: 1000)

  /// Two devices of format 1 that have exchanged a session and a note.
  private func oldWorld() throws -> VaultWorld {
    let world = try VaultWorld(devices: 2, format: 1)
    world.members[0].history.add(session, parts: [["a"], ["b"]], to: &world.members[0].device)
    world.members[0].device.edit(note, "note", "calm", wall: 5)
    for index in [0, 1, 0] { #expect(try world.sync(index, upgrades: false) == []) }
    return world
  }

  private func forgedChange(of device: SharedID) -> VaultFile.Content {
    .changes([.delete(.session(session), Stamp(milliseconds: 9, counter: 0, device: device))])
  }

  @Test func identifiersAreDerivedFromTheKey() throws {
    var random = SeededGenerator(seed: 1)
    let (one, other) = (DeviceKey(using: &random), DeviceKey(using: &random))
    #expect(one.id != other.id && one.id.isSigning && one.id.text.hasSuffix("ed255"))
    #expect(DeviceKey(seed: one.seed)?.id == one.id)
    #expect(DeviceKey(seed: [1]) == nil)
    #expect(!SharedID(using: &random).isSigning)
  }

  /// The device republishes what it owns and removes its previous directory; programs that know only format 1 read its files.
  @Test func deviceOfFormat1IsUpgraded() throws {
    let world = try oldWorld()
    let old = world.members[0].device.id
    let found = try world.sync(0)
    let new = world.members[0].device.id
    #expect(found == [.upgraded(old: old, new: new)] && new.isSigning)
    #expect(world.members[0].device.signingKey?.id == new)
    // The previous files are removed when the new ones are in the folder.
    #expect(try world.names().contains { $0.hasPrefix(old.text) })
    #expect(try world.sync(0) == [])
    #expect(try world.names().allSatisfy { !$0.hasPrefix(old.text) })
    #expect(try !VaultFolder(world.path).devices().contains(old))

    #expect(try world.sync(1, upgrades: false) == [])
    #expect(world.members[1].device.state.changes == world.members[0].device.state.changes)
    world.members[1].device.edit(note, "note", "better", wall: 6)
    #expect(try world.sync(1, upgrades: false) == [])
    #expect(try world.sync(0) == [])
    #expect(world.members[0].device.state.records[note]?["note"]?.value == "better")
    // The other device is updated as well.
    _ = try world.sync(1)
    for index in [1, 0, 1, 0] { #expect(try world.sync(index) == []) }
    #expect(try world.names().allSatisfy { SharedID($0.prefix(26))?.isSigning == true })
    #expect(world.members[1].history.sessions == [session: [["a"], ["b"]]])
  }

  /// The operator of the folder puts back files of the earlier format.
  @Test func replayedFilesOfFormat1HaveNoEffect() throws {
    let world = try oldWorld()
    let folder = try VaultFolder(world.path)
    let old = try world.names().filter { $0.hasPrefix(world.members[0].device.id.text) }
    let bytes = try old.map { try #require(try folder.read($0, limit: 1 << 20)) }
    for _ in 0..<2 { for index in 0...1 { _ = try world.sync(index) } }
    world.members[0].device.edit(note, "note", "better", wall: 6)
    world.members[0].device.deleteSession(session, wall: 6)
    world.members[0].history.sessions = [:]
    for index in [0, 1] { #expect(try world.sync(index) == []) }
    for (name, bytes) in zip(old, bytes) { try folder.write(bytes, to: name) }
    for index in [1, 0, 1] { #expect(try world.sync(index) == []) }
    for member in world.members {
      #expect(member.device.state.records[note]?["note"]?.value == "better")
      #expect(member.history.sessions.isEmpty)
    }
  }

  /// A member writes a file of the earlier format in the name of a device that signs its files now.
  @Test func unsignedFilesOfUpgradedDevicesAreRefused() throws {
    let world = try oldWorld()
    let (old, key) = (world.members[0].device.id, world.members[0].device.key)
    for _ in 0..<2 { for index in 0...1 { _ = try world.sync(index) } }
    try world.write(forgedChange(of: old), number: 40, of: old, for: key)
    let path = VaultPath.text(old, .changes(number: 40))
    for index in 0...1 {
      let new = world.members[0].device.id
      #expect(try world.sync(index) == [.unsigned(path: path, device: new)])
      #expect(world.members[index].history.sessions.count == 1)
    }
  }

  /// A device that was forgotten, or will be, cannot write in the name of another one.
  @Test func signedDevicesCannotBeImpersonated() throws {
    let world = try VaultWorld(devices: 3)
    world.members[0].history.add(session, parts: [["a"]], to: &world.members[0].device)
    for index in [0, 1, 2, 0] { _ = try world.sync(index) }
    let (victim, attacker) = (world.members[1].device, world.members[2].device)
    for signer in [attacker.signingKey, nil] {
      try world.write(
        forgedChange(of: victim.id), number: 40, of: victim.id, for: victim.key,
        signedWith: signer ?? DeviceKey(using: &world.random))
      let path = VaultPath.text(victim.id, .changes(number: 40))
      for index in 0...2 {
        #expect(try world.sync(index).contains(.forged(path: path)))
        #expect(world.members[index].history.sessions == [session: [["a"]]])
      }
    }
  }

  /// A restored copy of a history has the signing key of the other one. It gets a new key when it finds files that it does not know.
  @Test func copiedHistoryGetsANewKey() throws {
    let world = try VaultWorld(devices: 1)
    _ = try world.sync(0)
    let copy = world.members[0].device
    world.members[0].device.edit(note, "note", "calm", wall: 5)
    _ = try world.sync(0)
    let newer = world.members[0].device
    world.members[0].device = copy
    let found = try world.sync(0)
    let device = world.members[0].device
    #expect(found.contains(.restoredHistory(old: copy.id, new: device.id)))
    #expect(device.signingKey != copy.signingKey && device.signingKey?.id == device.id)
    #expect(device.state.records[note]?["note"]?.value == "calm")
    #expect(newer.id == copy.id)
  }

  /// The session of a device that is updated while it is running is not abandoned: the files of the new identifier arrive later.
  @Test func runningSessionOfUpgradedDeviceIsAwaited() throws {
    let world = try VaultWorld(devices: 2, format: 1)
    world.members[0].history.add(session, parts: [["a"]], to: &world.members[0].device)
    world.members[0].device.setLocalSession(session, LocalSession(content: nil, parts: 1, hasEnded: false))
    _ = try world.sync(0, upgrades: false)
    _ = try world.sync(0)
    let folder = try VaultFolder(world.path)
    let late = try world.names().filter {
      $0.hasPrefix(world.members[0].device.id.text) && !$0.contains("/j-")
    }
    let bytes = try late.map { try #require(try folder.read($0, limit: 1 << 20)) }
    folder.remove(late)
    _ = try world.sync(1)
    #expect(world.members[1].history.sessions.isEmpty)
    for (name, bytes) in zip(late, bytes) { try folder.write(bytes, to: name) }
    for index in [1, 0, 1] { _ = try world.sync(index) }
    #expect(world.members[1].history.sessions.isEmpty)
    world.members[0].history.add(session, parts: [["a"], ["b"]], to: &world.members[0].device)
    for index in [0, 1] { _ = try world.sync(index) }
    #expect(world.members[1].history.sessions == [session: [["a"], ["b"]]])
  }

  /// After an interrupted sync, the folder contains an earlier `about` than the history. A member writes a file in the name of the device,
  /// which therefore gets a new identifier.
  @Test func interruptedSyncBeforeANewIdentifierIsNoRollback() throws {
    let world = try VaultWorld(devices: 2, format: 1)
    _ = try world.sync(0, upgrades: false)
    let old = world.members[0].device
    world.members[0].history.add(session, parts: [["a"]], to: &world.members[0].device)
    world.members[0].history.failsAtPart = 0
    #expect(throws: VaultError.self) { try world.sync(0, upgrades: false) }
    world.members[0].history.failsAtPart = nil
    try world.write(forgedChange(of: old.id), number: 40, of: old.id, for: old.key)
    let found = try world.sync(0, upgrades: false)
    #expect(found.contains(.restoredHistory(old: old.id, new: world.members[0].device.id)))
    #expect(!found.contains { if case .rolledBack = $0 { true } else { false } })
  }

  /// A device that lacks a later key is upgraded after it received the key, so what it received before the key remains.
  @Test func deviceBehindIsUpgradedWithTheNewKey() throws {
    let world = try VaultWorld(devices: 3, format: 1)
    for index in [0, 1, 2, 0] { _ = try world.sync(index, upgrades: false) }
    let announcement = try world.members[0].device.forget(world.members[2].device.id, wall: 9)
    world.learn(announcement.key, 0)
    let folder = try VaultFolder(world.path)
    try folder.write([1], to: KeyFile.name(of: announcement.key))
    let old = world.members[1].device.id
    _ = try world.sync(1)
    #expect(world.members[1].device.id == old)
    world.learn(announcement.key, 1)
    world.members[1].device.learn(announcement)
    #expect(try world.sync(1).contains { if case .upgraded(old, _) = $0 { true } else { false } })
  }
}
