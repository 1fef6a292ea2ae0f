import Age
import Glibc
import Sync
import TestSupport
import Testing

/// The files of a vault: every content round-trips, and no changed file is accepted.
@Suite struct CodecTests {
  static let vault = SharedID(bits: 0x0123_4567_89AB_CDEF)
  static let device = SharedID(bits: 42)
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
        seen: [SharedID(bits: 1): NumberSet([1, 2, 14]), SharedID(bits: 2): NumberSet()])),
    .part(SessionPart(session: SharedID(bits: 9), part: 2, parts: nil, content: content)),
    .part(SessionPart(session: SharedID(bits: 9), part: 0, parts: 1, content: nil)),
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
    let (opened, lines) = Self.fast.decode(try Self.fast.encode(written, events: events))
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
      let part = SessionPart(session: SharedID(bits: 9), part: 0, parts: 1, content: nil)
      let file = try Self.fast.encode(Self.file(.part(part)), events: [UInt8](repeating: 10, count: size))
      let plaintext = try Self.fast.crypt.open(file).plaintext
      #expect(plaintext.count.isMultiple(of: 65_536), "\(size)")
      #expect(plaintext.count - size < 2 * 65_536)
    }
  }

  /// `STRESSMON_SYNC_EVERY_BYTE=1` changes every byte and truncates at every length.
  @Test func changedFilesAreRejected() throws {
    let codec = try Self.age()
    let file = try codec.encode(Self.file(Self.contents[0]))
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
      let opened = Self.fast.decode(try codec.encode(Self.file(Self.contents[0]))).file
      guard case .forged = opened else {
        Issue.record("\(opened)")
        continue
      }
    }
  }

  @Test func changedPlaintextIsForged() throws {
    let plaintext = try Self.fast.crypt.open(Self.fast.encode(Self.file(Self.contents[4]))).plaintext
    var random = SeededGenerator(seed: 1)
    for _ in 0..<300 {
      let changed = plaintext.prefix(1500).map(\.self).corrupted(using: &random) + plaintext.dropFirst(1500)
      guard changed != plaintext else { continue }
      if case .file = Self.fast.decode(try Self.fast.crypt.seal(changed)).file { Issue.record("accepted") }
    }
  }

  @Test func unknownKeysAreReported() throws {
    let (one, other) = (try Self.age(), try Self.age())
    guard case .unknownKey = other.decode(try one.encode(Self.file(Self.contents[0]))).file else {
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
