import Age
import Glibc
import Platform
import Sync
import TestSupport
import Testing

/// Passphrases and recovery keys as text and in files.
@Suite struct VaultSecretTests {
  @Test func recoveryKeyIsRecognised() throws {
    let identity = X25519Identity()
    let spaced = " " + identity.secretText.lowercased().prefix(20) + " " + identity.secretText.dropFirst(20)
    for text in [identity.secretText, identity.secretText.lowercased(), identity.secretText + " \n"] {
      guard case .recoveryKey(let read) = try VaultSecret(text) else {
        Issue.record("\(text.count) characters are not recognised")
        continue
      }
      #expect(read.recipient == identity.recipient)
    }
    // Bech32 rejects text in both cases.
    #expect(throws: AgeError.self) { try VaultSecret(spaced) }
    #expect(throws: AgeError.self) { try VaultSecret(String(identity.secretText.dropLast())) }
  }

  @Test(arguments: ["correct horse", " leading and trailing ", "AGE", "æøå"])
  func otherTextIsAPassphrase(_ text: String) throws {
    guard case .passphrase(let passphrase) = try VaultSecret(text) else {
      Issue.record("not a passphrase")
      return
    }
    let file = try AgeFile.encrypt([1], to: .passphrase(passphrase, workFactor: 4))
    #expect(try AgeFile.decrypt(file, with: .passphrase(Passphrase(text))) == [1])
  }

  @Test(arguments: [
    ("one\ntwo\n", "one"), ("one", "one"), ("one\r\n", "one"), (" one \n", " one "),
    ("# one\ntwo\n", "# one"),
    ("# recovery key\nAGE-SECRET-KEY-1QQ\n", "AGE-SECRET-KEY-1QQ"),
  ])
  func firstLineOfAFileIsRead(content: String, text: String) throws {
    let folder = try TemporaryFolder()
    try folder.write(content, to: "passphrase")
    chmod(folder.file("passphrase"), 0o600)
    let file = try PassphraseFile(folder.file("passphrase"))
    #expect(file.text == text && !file.isExposed)
    chmod(folder.file("passphrase"), 0o644)
    #expect(try PassphraseFile(folder.file("passphrase")).isExposed)
  }

  @Test(arguments: ["", "\n", "\nsecond line\n"]) func emptyFirstLineIsAnError(content: String) throws {
    let folder = try TemporaryFolder()
    try folder.write(content, to: "passphrase")
    #expect(throws: FileError(.empty, path: folder.file("passphrase"))) {
      try PassphraseFile(folder.file("passphrase"))
    }
    #expect(throws: FileError.self) { try PassphraseFile(folder.file("missing")) }
  }
}
