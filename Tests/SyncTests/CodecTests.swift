import Age
import Glibc
import Sync
import TestSupport
import Testing

/// The files of a vault: every content round-trips, and no changed file is accepted.
@Suite struct CodecTests {
  static let vault = SharedID(bits: 0x0123_4567_89AB_CDEF)
  static let signer: DeviceKey = {
    var random = SeededGenerator(seed: 42)
    return DeviceKey(using: &random)
  }()
  static let device = signer.id
  static let key = VaultKey(epoch: 1, writer: device)
  static let fast = VaultCodec(vault: vault, crypt: FastCrypt(secrets: [key: 99], current: key))
  static let stamp = Stamp(milliseconds: 1_763_856_000_000, counter: 3, device: device)
  static let content = SessionContent(
    profile: SharedID(bits: 5), fingerprint: 0xFEDC_BA98_7654_3210_0123_4567_89AB_CDEF)

  static func age(_ identity: X25519Identity = X25519Identity()) throws -> VaultCodec<AgeCrypt> {
    let crypt = try #require(AgeCrypt(vault: vault, identities: [key: identity], current: key))
    return VaultCodec(vault: vault, crypt: crypt)
  }

  static func file(_ content: VaultFile.Content, number: Int = 7) -> VaultFile {
    let name: VaultName =
      switch content {
      case .about: .about
      case .changes: .changes(number: number)
      case .part(let part): .part(tag: SharedID(bits: 77), part: part.part)
      }
    return VaultFile(device: device, number: number, digest: 0, name: name, content: content)
  }

  static let contents: [VaultFile.Content] = [
    .about(
      About(
        name: "laptop \"one\"\n", version: 41, written: 17, withdrawn: NumberSet([3, 4, 5, 9]), key: key,
        replaced: FileID(SharedID(bits: 3), 12),
        received: [SharedID(bits: 1): NumberSet([1, 2, 14]), SharedID(bits: 2): NumberSet()])),
    .part(VaultPart(session: SharedID(bits: 9), part: 2, parts: nil, content: content)),
    .part(VaultPart(session: SharedID(bits: 9), part: 0, parts: 1, content: nil)),
    .changes([]),
    .changes([
      .set(RecordKey(.journal, SharedID(bits: 4)), field: "note", FieldVersion("ä \u{0} 🫀", stamp)),
      .set(RecordKey(RecordKind("later"), SharedID(bits: 4)), field: "x", FieldVersion(nil, stamp)),
      .delete(.record(RecordKey(.strap, SharedID(bits: 4))), stamp),
      .delete(.session(SharedID(bits: 8)), stamp),
      .delete(.content(content), stamp), .forget(SharedID(bits: 3), stamp), .retire(SharedID(bits: 2), stamp),
    ]),
  ]

  @Test(arguments: contents.indices) func contentRoundTrips(_ index: Int) throws {
    let written = Self.file(Self.contents[index])
    let events: [UInt8] = if case .part = written.content { Array("{\"a\":1}\n{\"b\":2}\n".utf8) } else { [] }
    let (opened, lines) = Self.fast.decode(
      try Self.fast.encode(written, signedWith: Self.signer, events: events))
    guard case .file(var read, Self.key) = opened else {
      Issue.record("\(opened)")
      return
    }
    #expect(read.digest != 0)
    read.digest = 0
    #expect(read == written)
    #expect(Array(lines) == events)
  }

  @Test func plaintextIsPadded() throws {
    for size in [0, 1, 60_000, 65_000, 65_200, 65_300, 65_536, 130_000] {
      let part = VaultPart(session: SharedID(bits: 9), part: 0, parts: 1, content: nil)
      let file = try Self.fast.encode(
        Self.file(.part(part)), signedWith: Self.signer, events: [UInt8](repeating: 10, count: size))
      let plaintext = try Self.fast.crypt.open(file).plaintext
      #expect(plaintext.count.isMultiple(of: 65_536), "\(size)")
      #expect(plaintext.count - size < 2 * 65_536)
    }
  }

  /// `STRESSMON_SYNC_EVERY_BYTE=1` changes every byte and truncates at every length.
  @Test func changedFilesAreRejected() throws {
    let codec = try Self.age()
    let file = try codec.encode(Self.file(Self.contents[0]), signedWith: Self.signer)
    let isComplete = getenv("STRESSMON_SYNC_EVERY_BYTE") != nil
    for index in file.indices
    where isComplete || index < 250 || index.isMultiple(of: 1009) || index > file.count - 20 {
      var changed = file
      changed[index] ^= 1
      if case .file = codec.decode(changed).file { Issue.record("byte \(index) changed: accepted") }
      if case .file = codec.decode(Array(file[..<index])).file {
        Issue.record("truncated to \(index): accepted")
      }
    }
    if case .file = codec.decode(file + [0]).file { Issue.record("extended: accepted") }
  }

  /// Anyone can encrypt for the recipient, but not compute the HMAC.
  @Test func filesOfOthersAreForged() throws {
    let forger = VaultCodec(vault: Self.vault, crypt: FastCrypt(secrets: [Self.key: 98], current: Self.key))
    let otherVault = VaultCodec(vault: SharedID(bits: 1), crypt: Self.fast.crypt)
    for codec in [forger, otherVault] {
      let opened = Self.fast.decode(try codec.encode(Self.file(Self.contents[0]), signedWith: Self.signer))
        .file
      guard case .forged = opened else {
        Issue.record("\(opened)")
        continue
      }
    }
  }

  /// All devices share the key of the HMAC, so only the signature proves the writer.
  @Test func filesInTheNameOfAnotherDeviceAreForged() throws {
    var random = SeededGenerator(seed: 1)
    let attacker = DeviceKey(using: &random)
    let file = Self.file(Self.contents[4])
    for signer in [nil, attacker] {
      guard case .forged = Self.fast.decode(try Self.fast.encode(file, signedWith: signer)).file else {
        Issue.record("a file signed by \(signer?.id.text ?? "no device") is accepted")
        continue
      }
    }
    // The attacker cannot replace the public key either: the identifier is derived from it.
    let (own, other) = (Array("\(hex(attacker.publicKey))".utf8), Array("\(hex(Self.signer.publicKey))".utf8))
    let plaintext = try Self.fast.crypt.open(Self.fast.encode(file, signedWith: attacker)).plaintext
    let changed = String(decoding: plaintext, as: UTF8.self).replacing(
      String(decoding: own, as: UTF8.self), with: String(decoding: other, as: UTF8.self))
    guard case .forged = Self.fast.decode(try Self.fast.crypt.seal(Array(changed.utf8))).file else {
      Issue.record("a file with the public key of another device is accepted")
      return
    }
  }

  private func hex(_ bytes: [UInt8]) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  /// A file that another member encrypts again for another key of the vault is not valid: its HMAC and its signature depend on the key.
  @Test func filesOfAnotherKeyAreForged() throws {
    let later = VaultKey(epoch: 2, writer: Self.device)
    let crypt = FastCrypt(secrets: [Self.key: 99, later: 98], current: later)
    let plaintext = try Self.fast.crypt.open(
      Self.fast.encode(Self.file(Self.contents[4]), signedWith: Self.signer)
    ).plaintext
    guard case .forged = VaultCodec(vault: Self.vault, crypt: crypt).decode(try crypt.seal(plaintext)).file
    else {
      Issue.record("accepted")
      return
    }
  }

  @Test(arguments: [1 << 53, Int.max]) func numbersBeyondTheLimitAreRejected(_ number: Int) throws {
    let later = VaultKey(epoch: number, writer: Self.device)
    for about in [About(name: "a", version: number, key: Self.key), About(name: "a", version: 1, key: later)]
    {
      let file = try Self.fast.encode(Self.file(.about(about), number: 0), signedWith: Self.signer)
      guard case .newerFormat = Self.fast.decode(file).file else {
        Issue.record("\(about) is accepted")
        continue
      }
    }
    #expect(KeyFile.key(ofName: "key-\(number)-\(Self.device).age") == nil)
  }

  @Test func greatestEpochHasNoSuccessor() throws {
    let last = VaultKey(epoch: 1 << 53 - 1, writer: Self.device)
    var device = SyncDevice(signingKey: Self.signer, name: "a", key: Self.key)
    device.learn(KeyAnnouncement(key: last, forgotten: nil, stamp: Self.stamp))
    #expect(throws: VaultError.noLaterKey) { try device.forget(SharedID(bits: 1), wall: 5) }
    #expect(device.keys == [Self.key, last])
  }

  @Test func changedPlaintextIsForged() throws {
    let plaintext = try Self.fast.crypt.open(
      Self.fast.encode(Self.file(Self.contents[4]), signedWith: Self.signer)
    ).plaintext
    var random = SeededGenerator(seed: 1)
    for _ in 0..<300 {
      let changed = plaintext.prefix(1500).map(\.self).corrupted(using: &random) + plaintext.dropFirst(1500)
      guard changed != plaintext else { continue }
      if case .file = Self.fast.decode(try Self.fast.crypt.seal(changed)).file { Issue.record("accepted") }
    }
  }

  @Test func unknownKeysAreReported() throws {
    let (one, other) = (try Self.age(), try Self.age())
    guard
      case .unknownKey = other.decode(try one.encode(Self.file(Self.contents[0]), signedWith: Self.signer))
        .file
    else {
      Issue.record("opened with another identity")
      return
    }
  }

  @Test func tagsHideTheSession() throws {
    let codec = try Self.age()
    #expect(codec.tag(SharedID(bits: 1)) == codec.tag(SharedID(bits: 1)))
    #expect(codec.tag(SharedID(bits: 1)) != codec.tag(SharedID(bits: 2)))
    #expect(codec.tag(SharedID(bits: 1)) != (try Self.age()).tag(SharedID(bits: 1)))
  }
}
