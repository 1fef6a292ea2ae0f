import Age
import Glibc
import Platform
import Sync
import TestSupport
import Testing

/// The keys beside a history.
@Suite struct KeyStoreTests {
  private let folder: TemporaryFolder
  private let store: KeyStore

  init() throws {
    folder = try TemporaryFolder()
    store = KeyStore(besideHistory: folder.file("stressmon.db"))
  }

  static func ring(epochs: Int = 1) -> KeyRing {
    let keys = (1...epochs).map { epoch in
      let key = VaultKey(epoch: epoch, writer: SharedID(bits: UInt128(epoch)))
      return KeyFile(
        announcement: KeyAnnouncement(
          key: key, forgotten: epoch > 1 ? SharedID(bits: 99) : nil,
          stamp: Stamp(milliseconds: 5, counter: 3, device: key.writer)), identity: X25519Identity())
    }
    return KeyRing(vault: SharedID(bits: 7), recipient: "\(keys[0].identity.recipient)", keys: keys)
  }

  @Test(arguments: [1, 3]) func keysAreReadAsWritten(epochs: Int) throws {
    let ring = Self.ring(epochs: epochs)
    let absent = try store.load()
    #expect(absent?.vault == nil)
    try store.save(ring)
    let read = try #require(try store.load())
    #expect(read.vault == ring.vault && read.recipient == ring.recipient)
    #expect(read.keys.map(\.announcement) == ring.keys.map(\.announcement))
    #expect(read.keys.map(\.identity.secretText) == ring.keys.map(\.identity.secretText))
  }

  /// `age -d -i keys FILE` decrypts the files of the folder.
  @Test func keysAreAnIdentityFile() throws {
    let ring = Self.ring(epochs: 2)
    try store.save(ring)
    let bytes = try #require(try ByteSource(path: store.keysPath).readAll(limit: 1 << 16))
    let identities = try IdentityFile.decode(bytes)
    #expect(identities.map(\.secretText) == ring.keys.map(\.identity.secretText))
  }

  @Test func filesArePrivate() throws {
    try store.save(Self.ring())
    try store.saveCopy([1], name: "key.age")
    var status = stat()
    #expect(stat(store.directory, &status) == 0 && status.st_mode & 0o777 == 0o700)
    for name in ["keys", "key.age"] {
      #expect(stat("\(store.directory)/\(name)", &status) == 0 && status.st_mode & 0o777 == 0o600)
    }
    #expect(!store.isExposed)
    chmod(store.keysPath, 0o640)
    #expect(store.isExposed)
  }

  /// A write that fails leaves the previous keys.
  @Test func failedWriteKeepsTheKeys() throws {
    let ring = Self.ring()
    try store.save(ring)
    try folder.write("x", to: "stressmon.db.sync/keys.\(getpid()).new")
    #expect(throws: FileError.self) { try store.save(Self.ring()) }
    #expect(try store.load()?.recipient == ring.recipient)
  }

  /// A truncation never gives other keys than those that were written.
  @Test func truncatedFileIsRejected() throws {
    try store.save(Self.ring(epochs: 2))
    let bytes = try #require(try ByteSource(path: store.keysPath).readAll(limit: 1 << 16))
    // Without its last line feed, the file is complete.
    for length in 0..<(bytes.count - 1) {
      try folder.write(String(decoding: bytes[..<length], as: UTF8.self), to: "stressmon.db.sync/keys")
      let read: KeyRing?
      do { read = try store.load() } catch {
        #expect(error == .invalid(path: store.keysPath))
        continue
      }
      // The end of the first key.
      #expect(read?.keys.count == 1)
    }
  }

  @Test func errorsContainNoKey() throws {
    let ring = Self.ring()
    try store.save(ring)
    let secret = ring.keys[0].identity.secretText
    let damaged = String(secret.dropLast()) + "!"
    let bytes = try #require(try ByteSource(path: store.keysPath).readAll(limit: 1 << 16))
    let text = String(decoding: bytes, as: UTF8.self).replacing(secret, with: damaged)
    try folder.write(text, to: "stressmon.db.sync/keys")
    #expect(throws: KeyStoreError.invalid(path: store.keysPath)) { try store.load() }
    #expect(!"\(KeyStoreError.invalid(path: store.keysPath))".contains(secret.prefix(20)))
    #expect(!"\(ring.keys[0].identity)".contains(secret.prefix(20)))
  }

  @Test func removalLeavesNothing() throws {
    try store.save(Self.ring())
    try store.saveCopy([1], name: "key.age")
    try store.remove()
    #expect(access(store.directory, F_OK) != 0)
    try store.remove()
  }
}
