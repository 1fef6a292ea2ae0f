import Age
import Sync
import TestSupport

/// Devices that share one folder.
final class VaultWorld {
  final class Member {
    var device: SyncDevice
    var history = MemoryHistory()
    var keys: Set<VaultKey>

    init(_ device: SyncDevice) { (self.device, keys) = (device, device.keys) }
  }

  private let folder: TemporaryFolder
  let members: [Member]
  private var identities: [VaultKey: X25519Identity] = [:]
  private let vault = SharedID(bits: 7)
  private var random = SeededGenerator(seed: 1)

  var path: String { folder.path }

  init(devices: Int) throws {
    folder = try TemporaryFolder()
    let first = VaultKey(epoch: 1, writer: SharedID(bits: 1))
    let identity = X25519Identity()
    identities[first] = identity
    members = (1...devices).map { index in
      Member(SyncDevice(id: SharedID(bits: UInt128(index)), name: "device \(index)", key: first))
    }
    try VaultFolder.create(
      folder.path, VaultDescription(vault: vault, recipient: "\(identity.recipient)"), key: [1])
  }

  /// The device receives the identity of `key`, which is created if necessary.
  func learn(_ key: VaultKey, _ index: Int) {
    if identities[key] == nil { identities[key] = X25519Identity() }
    members[index].keys.insert(key)
  }

  func sync(_ index: Int) throws -> [Finding] {
    let known = identities.filter { members[index].keys.contains($0.key) }
    guard let crypt = AgeCrypt(vault: vault, identities: known, current: members[index].device.key) else {
      return []
    }
    let pass = SyncPass(folder: try VaultFolder(path), codec: VaultCodec(vault: vault, crypt: crypt))
    let member = members[index]
    return try pass.run(&member.device, &member.history, wall: 1_763_856_000_000, using: &random).findings
  }

  func names() throws -> [String] { try VaultFolder(path).listing().files.keys.sorted() }
}

/// Sessions as lines, by part.
struct MemoryHistory: SyncedHistory {
  var sessions: [SharedID: [[String]]] = [:]
  /// Reading this part fails, like writing its file to a full disk.
  var failsAtPart: Int?

  mutating func add(_ session: SharedID, parts: [[String]], to device: inout SyncDevice) {
    sessions[session] = parts
    device.hold(session, HeldSession(content: nil, parts: parts.count, hasEnded: true))
  }

  mutating func save(_ device: SyncDevice) {}

  mutating func prepare(_ device: SyncDevice) {}

  mutating func store(_ session: Received.Session, parts: [ArraySlice<UInt8>]) {
    sessions[session.id] = parts.map { part in
      part.split(separator: 10).map { String(decoding: $0, as: UTF8.self) }
    }
  }

  mutating func erase(_ sessions: [SharedID]) {
    for session in sessions { self.sessions[session] = nil }
  }

  func events(of session: SharedID, part: Int) throws -> [UInt8] {
    if part == failsAtPart { throw VaultError.file(path: "part \(part)", reason: "No space left on device") }
    return Array((sessions[session] ?? [])[part].map { $0 + "\n" }.joined().utf8)
  }
}
