import Testing

@testable import Age

@Suite struct KeyTests {
  /// The example of the specification.
  private static let identity = "AGE-SECRET-KEY-1GFPYYSJZGFPYYSJZGFPYYSJZGFPYYSJZGFPYYSJZGFPYYSJZGFPQ4EGAEX"
  private static let recipient = "age1zvkyg2lqzraa2lnjvqej32nkuu0ues2s82hzrye869xeexvn73equnujwj"

  @Test func theExampleOfTheSpecification() throws {
    let identity = try X25519Identity(Self.identity)
    #expect(identity.recipient.description == Self.recipient)
    #expect(identity.secretText == Self.identity)
    #expect(try X25519Recipient(Self.recipient) == identity.recipient)
    #expect(try X25519Identity(Self.identity.lowercased()).recipient == identity.recipient)
    #expect(try X25519Recipient(Self.recipient.uppercased()) == identity.recipient)
  }

  @Test func keysAreDifferentAndSurviveTheirText() throws {
    let identities = (0..<50).map { _ in X25519Identity() }
    #expect(Set(identities.map(\.recipient)).count == 50)
    for identity in identities {
      #expect(try X25519Identity(identity.secretText).recipient == identity.recipient)
      #expect(try X25519Recipient(identity.recipient.description) == identity.recipient)
    }
  }

  @Test func everyWrongCharacterIsDetected() throws {
    for text in [Self.identity, Self.recipient] {
      for index in text.indices {
        for replacement in ["q", "Q", "1", "b", " ", "é"] where String(text[index]) != replacement {
          let wrong = text.replacing(text[index], at: index, with: replacement)
          #expect(throws: AgeError.self, "\(wrong)") { try X25519Identity(wrong) }
          #expect(throws: AgeError.self, "\(wrong)") { try X25519Recipient(wrong) }
        }
      }
      #expect(throws: AgeError.self) { try X25519Identity(String(text.dropLast())) }
      #expect(throws: AgeError.self) { try X25519Recipient(text + "q") }
    }
  }

  @Test(arguments: [
    "", "1", "age", "age1", "age1q", "1qqqqqq", "agé1zvkyg2l", "AGE1zvkyg2l",
    String(repeating: "1", count: 90),
  ])
  func malformedTextIsRejected(_ text: String) {
    #expect(throws: AgeError.self) { try X25519Recipient(text) }
    #expect(throws: AgeError.self) { try X25519Identity(text) }
  }

  /// Valid and invalid strings of BIP 173.
  @Test func bech32() throws {
    for text in [
      "A12UEL5L", "a12uel5l", "split1checkupstagehandshakeupstreamerranterredcaperred2y9e3w",
      "abcdef1qpzry9x8gf2tvdw0s3jn54khce6mua7lmqqqxw",
      "an83characterlonghumanreadablepartthatcontainsthenumber1andtheexcludedcharactersbio1tt5tgs",
    ] {
      let decoded = try? Bech32.decode(text)
      if let decoded { #expect(Bech32.encode(prefix: decoded.prefix, decoded.bytes) == text.lowercased()) }
    }
    #expect(try Bech32.decode("A12UEL5L").bytes == [])
    for text in [
      "\u{20}1nwldj5", "\u{7F}1axkwrx", "pzry9x0s0muk", "1pzry9x0s0muk", "x1b4n0q5v", "li1dgmt3", "A1G7SGD8",
      "10a06t8", "1qzzfhee",
    ] {
      #expect(throws: AgeError.self, "\(text)") { try Bech32.decode(text) }
    }
  }

  @Test func wrongPrefixAndSizeAreNamed() throws {
    let identity = try X25519Identity(Self.identity)
    #expect(throws: AgeError.malformedKey(reason: "an identity starts with AGE-SECRET-KEY-1")) {
      try X25519Identity(identity.recipient.description)
    }
    #expect(throws: AgeError.malformedKey(reason: "a recipient starts with age1")) {
      try X25519Recipient(Self.identity)
    }
    for count in [0, 31, 33, 64] {
      #expect(throws: AgeError.malformedKey(reason: "a recipient has 32 bytes, not \(count)")) {
        try X25519Recipient(Bech32.encode(prefix: "age", [UInt8](repeating: 1, count: count)))
      }
    }
  }

  @Test func aRecipientOfLowOrderIsRejected() throws {
    let zero = try X25519Recipient(Bech32.encode(prefix: "age", [UInt8](repeating: 0, count: 32)))
    #expect(throws: AgeError.malformedKey(reason: "the recipient is a point of low order")) {
      try AgeFile.encrypt([1], to: .keys([zero]))
    }
  }

  @Test func descriptionsContainNoSecret() throws {
    let identity = try X25519Identity(Self.identity)
    let secret = try Passphrase("open sesame")
    let (identities, keys) = (AgeIdentities.passphrase(secret), AgeIdentities.keys([identity]))
    var dumped = ""
    dump(identity, to: &dumped)
    dump(secret, to: &dumped)
    dump(keys, to: &dumped)
    let text =
      dumped + "\(identity) \(secret) \(identities) \(keys)" + String(reflecting: identity)
      + String(reflecting: secret)
    #expect(!text.contains("GFPYYSJZ") && !text.lowercased().contains("gfpyysjz") && !text.contains("sesame"))
    let error = #expect(throws: AgeError.self) { try X25519Identity(Self.identity.dropLast() + "Q") }
    #expect(error.map { !"\($0)".contains("GFPY") } == true)
  }

  @Test func derivedKeysDependOnTheirPurpose() throws {
    let identity = try X25519Identity(Self.identity)
    let key = identity.derivedKey(info: "a", byteCount: 32)
    #expect(key.count == 32 && key == identity.derivedKey(info: "a", byteCount: 32))
    #expect(key != identity.derivedKey(info: "b", byteCount: 32))
    #expect(key != Keys.other.derivedKey(info: "a", byteCount: 32))
  }
}

@Suite struct IdentityFileTests {
  @Test func aFileIsReadBack() throws {
    let (first, second) = (X25519Identity(), X25519Identity())
    let text = "\r\n  # comment\n" + IdentityFile.encode(first) + "\n  \(second.secretText)\t\r\n"
    #expect(
      try IdentityFile.decode(Array(text.utf8)).map(\.recipient) == [first.recipient, second.recipient])
  }

  @Test func errorsNameTheLineAndNotItsText() throws {
    let error = #expect(throws: AgeError.self) {
      try IdentityFile.decode(Array("# comment\nAGE-SECRET-KEY-1QQQQ\n".utf8))
    }
    #expect(error.map { "\($0)".contains("line 2") && !"\($0)".contains("QQQQ") } == true)
    #expect(throws: AgeError.self) { try IdentityFile.decode([]) }
    #expect(throws: AgeError.self) { try IdentityFile.decode([UInt8](repeating: 10, count: 70_000)) }
    #expect(throws: AgeError.self) { try IdentityFile.decode([0xff, 0xfe, 0]) }
  }
}

extension String {
  fileprivate func replacing(_ character: Character, at index: Index, with replacement: String) -> String {
    String(self[..<index]) + replacement + String(self[self.index(after: index)...])
  }
}
