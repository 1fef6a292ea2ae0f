import Age
import Glibc
import Platform
import Sync
import TestSupport
import Testing

/// Opening the keys of real folders.
@Suite struct VaultAccessTests {
  private let home: TemporaryFolder
  private let ring: KeyRing
  private let store: KeyStore
  private let one: Passphrase
  private var path: String { home.file("vault") }
  private var random = SeededGenerator(seed: 3)

  init() throws {
    home = try TemporaryFolder()
    (store, one) = (KeyStore(besideHistory: home.file("stressmon.db")), try Passphrase("one"))
    mkdir(home.file("vault"), 0o700)
    ring = VaultAccess.newRing(device: SharedID(bits: 1), wall: 5, using: &random)
    let copy = try VaultAccess.create(home.file("vault"), ring, one, workFactor: 4)
    try store.save(ring)
    try store.saveCopy(copy, name: "key.age")
  }

  private func access() throws -> VaultAccess { VaultAccess(try VaultFolder(path), workFactor: 4) }

  /// Another key, as `forget` creates it.
  private func secondKey(_ passphrase: Passphrase) throws -> KeyFile {
    let writer = SharedID(bits: 1)
    let file = KeyFile(
      announcement: KeyAnnouncement(
        key: VaultKey(epoch: 2, writer: writer), forgotten: SharedID(bits: 8),
        stamp: Stamp(milliseconds: 9, counter: 0, device: writer)), identity: X25519Identity())
    try access().write(file, passphrase, store)
    return file
  }

  private func secrets(_ ring: KeyRing) -> [String] { ring.keys.map(\.identity.secretText) }

  @Test func passphraseOpensAllKeys() throws {
    let second = try secondKey(one)
    let opened = try access().open(.passphrase(one))
    #expect(secrets(opened.ring) == secrets(ring) + [second.identity.secretText])
    #expect(opened.ring.keys[1].announcement == second.announcement)
    #expect(Set(opened.copies.keys) == ["key.age", KeyFile.name(of: second.announcement.key)])
    #expect(opened.ring.vault == ring.vault && opened.unopened.isEmpty)
  }

  @Test func wrongPassphraseOpensNothing() throws {
    #expect(throws: AgeError.wrongPassphrase) { try access().open(.passphrase(Passphrase("two"))) }
    #expect(throws: AgeError.wrongPassphrase) {
      try access().verify(.passphrase(Passphrase("two")), for: ring)
    }
    try access().verify(.passphrase(one), for: ring)
  }

  /// A forgotten device, or the operator of the folder, adds a key with another passphrase.
  @Test func keyOfAnotherPassphraseIsNamed() throws {
    let forged = try secondKey(Passphrase("two"))
    let opened = try access().open(.passphrase(one))
    #expect(opened.unopened == [KeyFile.name(of: forged.announcement.key)])
    #expect(secrets(opened.ring) == secrets(ring))
  }

  /// Each attempt to open a key file costs time and memory.
  @Test func manyForgedKeyFilesAreAnError() throws {
    _ = try secondKey(one)
    var names: [String] = []
    for epoch in 3...9 {
      names.append(KeyFile.name(of: VaultKey(epoch: epoch, writer: SharedID(bits: 1))))
      try home.write("x", to: "vault/" + names[names.count - 1])
    }
    #expect(throws: VaultAccessError.unopenedKeyFiles(Array(names.prefix(5)))) {
      try access().open(.passphrase(one))
    }
    for epoch in 10...80 {
      try home.write("x", to: "vault/" + KeyFile.name(of: VaultKey(epoch: epoch, writer: SharedID(bits: 1))))
    }
    #expect(throws: VaultAccessError.tooManyKeyFiles(80)) { try access().open(.passphrase(one)) }
    // An exchange only compares names.
    let differences = try KeyFileDifferences(VaultFolder(path), store, ring)
    #expect(differences.new.count == 78 && differences.warnings.count == 1)
  }

  @Test func forgedRecipientIsReported() throws {
    let other = X25519Identity()
    try home.write(
      "{\"format\":1,\"vault\":\"\(ring.vault)\",\"recipient\":\"\(other.recipient)\"}",
      to: "vault/stressmon.json")
    #expect(throws: VaultError.forgedRecipient) { try access().open(.passphrase(one)) }
    try writeAbout()
    #expect(throws: VaultError.forgedRecipient) {
      try access().open(.recoveryKey(ring.keys[0].identity))
    }
    // The identity that belongs to the forged recipient opens no file.
    #expect(throws: VaultAccessError.notArrived) { try access().open(.recoveryKey(other)) }
  }

  /// The first exchange of the device that created the vault.
  private func writeAbout() throws {
    var device = SyncDevice(id: SharedID(bits: 1), name: "one", key: ring.keys[0].announcement.key)
    let codec = VaultCodec(vault: ring.vault, crypt: try ring.crypt(for: device))
    let folder = try VaultFolder(path)
    let plan = device.publish(wall: 5, tag: codec.tag)
    for file in plan.files {
      try folder.write(codec.encode(file, signedWith: nil), to: VaultPath.text(file.device, file.name))
    }
  }

  @Test func recoveryKeyOpensItsKey() throws {
    let identity = ring.keys[0].identity
    #expect(throws: VaultAccessError.notArrived) { try access().open(.recoveryKey(identity)) }
    try writeAbout()
    let opened = try access().open(.recoveryKey(identity))
    #expect(opened.ring.keys.map(\.announcement.key) == ring.keys.map(\.announcement.key))
    #expect(Set(opened.copies.keys) == ["key.age"])
    try access().verify(.recoveryKey(identity), for: ring)
    #expect(throws: VaultAccessError.otherRecoveryKey) { try access().open(.recoveryKey(X25519Identity())) }
    #expect(throws: VaultAccessError.otherRecoveryKey) {
      try access().verify(.recoveryKey(X25519Identity()), for: ring)
    }
  }

  @Test func passphraseCanBeChanged() throws {
    let second = try secondKey(one)
    var all = ring
    all.add(second)
    try access().changePassphrase(all, to: Passphrase("two"), store)
    #expect(throws: AgeError.wrongPassphrase) { try access().open(.passphrase(one)) }
    #expect(secrets(try access().open(.passphrase(Passphrase("two"))).ring) == secrets(all))
    #expect(try KeyFileDifferences(VaultFolder(path), store, all) == KeyFileDifferences())
  }

  /// Of an interrupted change, the first key still has the previous passphrase.
  @Test func interruptedChangeCanBeRepeated() throws {
    let second = try secondKey(one)
    var all = ring
    all.add(second)
    mkdir(path + "/key.age.\(getpid()).new", 0o700)
    #expect(throws: VaultError.self) { try access().changePassphrase(all, to: Passphrase("two"), store) }
    rmdir(path + "/key.age.\(getpid()).new")
    try access().verify(.passphrase(one), for: all)
    try access().changePassphrase(all, to: Passphrase("two"), store)
    #expect(secrets(try access().open(.passphrase(Passphrase("two"))).ring) == secrets(all))
  }

  @Test func missingKeyFilesAreWrittenAgain() throws {
    unlink(path + "/key.age")
    #expect(throws: VaultAccessError.noKeyFile) { try access().open(.passphrase(one)) }
    #expect(
      try KeyFileDifferences(VaultFolder(path), store, ring, restores: false) == KeyFileDifferences())
    #expect(try KeyFileDifferences(VaultFolder(path), store, ring).restored == ["key.age"])
    #expect(secrets(try access().open(.passphrase(one)).ring) == secrets(ring))
  }

  @Test func changedAndNewKeyFilesAreNamed() throws {
    let elsewhere = KeyStore(besideHistory: home.file("other.db"))
    let opened = try access().open(.passphrase(one))
    for (name, copy) in opened.copies { try elsewhere.saveCopy(copy, name: name) }
    let second = try secondKey(one)
    try access().changePassphrase(ring, to: Passphrase("two"), store)
    let differences = try KeyFileDifferences(VaultFolder(path), elsewhere, opened.ring)
    #expect(differences.changed == ["key.age"])
    #expect(differences.new == [KeyFile.name(of: second.announcement.key)])
    #expect(differences.warnings.count == 2)
    // The copy is not replaced by a file that no passphrase opened.
    #expect(try elsewhere.copies()["key.age"] == opened.copies["key.age"])
  }
}
