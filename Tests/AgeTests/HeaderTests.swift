import TestSupport
import Testing

@testable import Age

@Suite struct HeaderTests {
  @Test func eachOfSeveralRecipientsDecrypts() throws {
    let identities = (0..<10).map { _ in X25519Identity() }
    let file = try AgeFile.encrypt([1, 2, 3], to: .keys(identities.map(\.recipient)))
    for identity in identities { #expect(try AgeFile.decrypt(file, with: .keys([identity])) == [1, 2, 3]) }
    #expect(try AgeFile.decrypt(file, with: .keys([Keys.other, identities[9]])) == [1, 2, 3])
    #expect(throws: AgeError.noMatchingIdentity) { try AgeFile.decrypt(file, with: .keys([Keys.other])) }
    #expect(throws: AgeError.noMatchingIdentity) { try AgeFile.decrypt(file, with: .keys([])) }
    #expect(throws: AgeError.identityRequired) {
      try AgeFile.decrypt(file, with: .passphrase(Passphrase("open sesame")))
    }
  }

  @Test func aPassphraseDecrypts() throws {
    let recipients = AgeRecipients.passphrase(try Passphrase("open sesame"), workFactor: 10)
    let file = try AgeFile.encrypt([1, 2, 3], to: recipients)
    #expect(try AgeFile.decrypt(file, with: .passphrase(Passphrase("open sesame"))) == [1, 2, 3])
    #expect(throws: AgeError.wrongPassphrase) {
      try AgeFile.decrypt(file, with: .passphrase(Passphrase("open sesamE")))
    }
    #expect(throws: AgeError.passphraseRequired) { try AgeFile.decrypt(file, with: Keys.identities) }
    #expect(throws: AgeError.workFactorTooHigh(found: 10, limit: 9)) {
      try AgeFile.decrypt(file, with: .passphrase(Passphrase("open sesame"), workFactorLimit: 9))
    }
    #expect(throws: AgeError.emptyPassphrase) { try Passphrase("") }
  }

  @Test(arguments: [-1, 0, 31, 64, .max]) func impossibleWorkFactorsAreRejected(_ factor: Int) throws {
    #expect(throws: AgeError.passphraseDerivationFailed(workFactor: factor)) {
      try AgeFile.encrypt([], to: .passphrase(Passphrase("open sesame"), workFactor: factor))
    }
  }

  @Test func noRecipientAndTooManyAreRejected() throws {
    #expect(throws: AgeError.noRecipients) { try AgeFile.encrypt([], to: .keys([])) }
    let many = [X25519Recipient](repeating: Keys.identity.recipient, count: 700)
    #expect(throws: AgeError.headerTooLong(limit: Header.byteLimit)) {
      try AgeFile.encrypt([], to: .keys(many))
    }
    let file = try AgeFile.encrypt([5], to: .keys(Array(many.prefix(600))))
    #expect(try AgeFile.decrypt(file, with: Keys.identities) == [5])
  }

  @Test(arguments: ["", "\n", "age-encryption.org/v1\n-> a\n", "age-encryption.org/v1\n-> a b\nAAAA\n"])
  func endlessHeadersAreRejectedWithinTheLimit(_ start: String) throws {
    for byte in [0, UInt8(ascii: "A"), UInt8(ascii: " "), UInt8(ascii: "\n")] {
      var decryptor = AgeDecryptor(with: Keys.identities)
      let piece = [UInt8](repeating: byte, count: 10_000)
      var read = 0
      #expect(throws: AgeError.self) {
        _ = try decryptor.update(Array(start.utf8)[...])
        while read < 1_000_000 {
          read += piece.count
          _ = try decryptor.update(piece[...])
        }
      }
      #expect(read <= Header.byteLimit + piece.count)
    }
  }

  @Test func aHeaderWithTenThousandStanzasEndsAtTheLimit() throws {
    let text = "age-encryption.org/v1\n" + String(repeating: "-> a\n\n", count: 20_000)
    #expect(decrypt(Array(text.utf8)).error == .headerTooLong(limit: Header.byteLimit))
  }

  @Test func otherFilesAreNamed() throws {
    #expect(decrypt([]).error == .notAge)
    #expect(decrypt(Array("age-encryption.or".utf8)).error == .notAge)
    #expect(decrypt(Array("SQLite format 3\0\n".utf8)).error == .notAge)
    #expect(decrypt(Array("age-encryption.org/v2\n".utf8)).error == .unsupportedVersion("v2"))
    #expect(
      decrypt(Array("age-encryption.org/\n".utf8)).error
        == .malformedHeader(line: 1, reason: "invalid version"))
    #expect(decrypt(Array("age-encryption.org/v1\n-> X".utf8)).error == .truncatedHeader)
  }

  @Test func stanzasOfEveryBodySizeAreReadBack() throws {
    for count in [0, 1, 2, 3, 47, 48, 49, 95, 96, 97, 1000] {
      let stanza = Stanza(type: "example.com/a", arguments: ["b", "c"], body: randomBytes(count))
      let fileKey = FileKey.make()
      var header = try Header.encode([stanza, stanza], fileKey: fileKey)[...]
      var reader = HeaderReader()
      let read = try #require(try reader.read(&header))
      #expect(read.stanzas == [stanza, stanza] && header.isEmpty)
      #expect(FileKey.isValid(mac: read.mac, fileKey, of: read.authenticated))
    }
  }

  /// Each description is a sentence for people, and different for each error.
  @Test func descriptions() {
    let errors: [AgeError] = [
      .notAge, .unsupportedVersion("v2"), .malformedHeader(line: 2, reason: "r"),
      .malformedStanza(type: "X25519", reason: "r"), .headerTooLong(limit: 9), .truncatedHeader,
      .noMatchingIdentity,
      .passphraseRequired, .identityRequired, .wrongPassphrase, .workFactorTooHigh(found: 20, limit: 18),
      .workFactorTooHigh(found: .max, limit: 18), .passphraseDerivationFailed(workFactor: 20),
      .headerMismatch,
      .truncatedPayload(chunk: 1), .damagedPayload(chunk: 1), .trailingBytes,
      .malformedArmor(line: 3, reason: "r"),
      .malformedKey(reason: "r"), .noRecipients, .emptyPassphrase, .file(operation: "read", errno: 5),
    ]
    #expect(Set(errors.map(\.description)).count == errors.count)
    #expect("\(AgeError.workFactorTooHigh(found: 20, limit: 18))".contains("1024 MiB"))
  }
}

@Suite struct ArmorTests {
  @Test(arguments: [0, 1, 2, 3, 47, 48, 49, 96, 1000]) func everySizeSurvives(_ count: Int) throws {
    let bytes = randomBytes(count)
    for piece in [1, 7, 48, 1000] {
      var encoder = ArmorEncoder()
      var text: [UInt8] = []
      var rest = bytes[...]
      while !rest.isEmpty {
        text += encoder.update(rest.prefix(piece))
        rest = rest.dropFirst(piece)
      }
      text += encoder.finish()
      #expect(text.split(separator: 10).allSatisfy { $0.count <= 64 })
      for piece in [1, 7, 64, 10_000] {
        let outcome = disarm(text, piece: piece)
        #expect(outcome.error == nil && outcome.bytes == bytes)
      }
    }
  }

  @Test func armoredFilesAreRecognised() throws {
    for count in [0, 3, 5000, 100_000] {
      let plaintext = randomBytes(count)
      let file = try AgeFile.encrypt(plaintext, to: Keys.recipients, isArmored: true)
      #expect(try AgeFile.decrypt(file, with: Keys.identities) == plaintext)
      #expect(
        try AgeFile.decrypt(Array("\r\n \t".utf8) + file + [10, 32], with: Keys.identities) == plaintext)
      #expect(throws: AgeError.self) { try AgeFile.decrypt(file.dropLast(40), with: Keys.identities) }
    }
  }

  @Test func everyByteOfTheArmorMatters() throws {
    let file = try AgeFile.encrypt([1, 2, 3], to: Keys.recipients, isArmored: true)
    for index in file.indices {
      var damaged = file
      damaged[index] ^= 1
      #expect(throws: AgeError.self, "byte \(index)") { try AgeFile.decrypt(damaged, with: Keys.identities) }
    }
    for count in 0..<(file.count - 1) {
      #expect(throws: AgeError.self, "\(count) bytes") {
        try AgeFile.decrypt(Array(file.prefix(count)), with: Keys.identities)
      }
    }
  }

  @Test func endlessLinesAreRejected() throws {
    var decoder = ArmorDecoder()
    var read = 0
    #expect(throws: AgeError.self) {
      while read < 1_000_000 {
        read += 1000
        _ = try decoder.update([UInt8](repeating: 32, count: 1000)[...])
      }
    }
    #expect(read < 10_000)
  }
}
