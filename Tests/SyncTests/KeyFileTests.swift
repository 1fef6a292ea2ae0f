import Age
import Sync
import Testing

@Suite struct KeyFileTests {
  private let writer = SharedID(bits: 42)

  private func keyFile(epoch: Int, forgotten: SharedID? = nil) -> KeyFile {
    KeyFile(
      announcement: KeyAnnouncement(
        key: VaultKey(epoch: epoch, writer: writer), forgotten: forgotten,
        stamp: Stamp(milliseconds: 5, counter: 0, device: writer),
        known: epoch > 1 ? [writer: 7, SharedID(bits: 9): 12] : [:]), identity: X25519Identity())
  }

  @Test func roundTrips() throws {
    let passphrase = try Passphrase("correct horse")
    for file in [keyFile(epoch: 1), keyFile(epoch: 2, forgotten: SharedID(bits: 9))] {
      let name = KeyFile.name(of: file.announcement.key)
      #expect(KeyFile.isName(name))
      let read = try KeyFile(file.encrypted(passphrase, workFactor: 8), name: name, passphrase: passphrase)
      #expect(read.announcement == file.announcement)
      #expect(read.identity.secretText == file.identity.secretText)
    }
  }

  @Test func wrongPassphraseIsRejected() throws {
    let bytes = try keyFile(epoch: 1).encrypted(Passphrase("one"), workFactor: 8)
    #expect(throws: AgeError.wrongPassphrase) {
      try KeyFile(bytes, name: "key.age", passphrase: Passphrase("two"))
    }
  }

  /// A key file under the name of another key would replace it.
  @Test func renamedKeyFileIsRejected() throws {
    let passphrase = try Passphrase("one")
    let bytes = try keyFile(epoch: 2).encrypted(passphrase, workFactor: 8)
    #expect(throws: VaultError.invalidKeyFile(name: "key.age")) {
      try KeyFile(bytes, name: "key.age", passphrase: passphrase)
    }
  }

  @Test(arguments: [
    "key-1-x.age", "key-2-00000000000000000000000001", "key-a-00000000000000000000000001.age", "keys.age",
  ])
  func otherNamesAreNotKeys(_ name: String) { #expect(!KeyFile.isName(name)) }

  @Test func descriptionIsChecked() throws {
    let identity = X25519Identity()
    let description = VaultDescription(vault: writer, recipient: "\(identity.recipient)")
    let read = try VaultDescription(description.bytes)
    #expect(read == description)
    try read.check(vault: writer, recipient: "\(identity.recipient)")
    #expect(throws: VaultError.forgedRecipient) { try read.check(vault: writer, recipient: "age1other") }
    #expect(throws: VaultError.otherVault(expected: SharedID(bits: 1), found: writer)) {
      try read.check(vault: SharedID(bits: 1), recipient: "\(identity.recipient)")
    }
    #expect(throws: VaultError.newerFormat(2)) { try VaultDescription(Array("{\"format\":2}".utf8)) }
    #expect(throws: VaultError.invalidDescription) { try VaultDescription(Array("{\"format\":1".utf8)) }
  }
}
