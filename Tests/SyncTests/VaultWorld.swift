import Age
import Sync
import TestSupport
import Testing

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
  var random = SeededGenerator(seed: 1)

  var path: String { folder.path }

  /// - Parameter format: 1 for devices that an earlier program created.
  init(devices: Int, format: Int = 2) throws {
    folder = try TemporaryFolder()
    let first = VaultKey(epoch: 1, writer: SharedID(bits: 1))
    let identity = X25519Identity()
    identities[first] = identity
    var random = random
    members = (1...devices).map { index in
      Member(
        format == 1
          ? SyncDevice(id: SharedID(bits: UInt128(index)), name: "device \(index)", key: first)
          : SyncDevice(signingKey: DeviceKey(using: &random), name: "device \(index)", key: first))
    }
    self.random = random
    try VaultFolder.create(
      folder.path, VaultDescription(vault: vault, recipient: "\(identity.recipient)"), key: [1])
  }

  /// The device receives the identity of `key`, which is created if necessary.
  func learn(_ key: VaultKey, _ index: Int) {
    if identities[key] == nil { identities[key] = X25519Identity() }
    members[index].keys.insert(key)
  }

  /// - Parameter upgrades: False for a program that knows only format 1.
  func sync(_ index: Int, upgrades: Bool = true) throws -> [SyncFinding] {
    let known = identities.filter { members[index].keys.contains($0.key) }
    guard let crypt = AgeCrypt(vault: vault, identities: known, current: members[index].device.key) else {
      return []
    }
    let pass = SyncPass(
      folder: try VaultFolder(path), codec: VaultCodec(vault: vault, crypt: crypt), upgrades: upgrades)
    let member = members[index]
    return try pass.run(&member.device, &member.history, wall: 1_763_856_000_000, using: &random).findings
  }

  private func codec(_ key: VaultKey) throws -> VaultCodec<AgeCrypt> {
    let identity = try #require(identities[key])
    let crypt = AgeCrypt(vault: vault, identities: [key: identity], current: key)
    return VaultCodec(vault: vault, crypt: try #require(crypt))
  }

  /// Writes a file with changes that no device wrote.
  /// - Parameter signer: The key of the member that writes it; nil for that of `device`.
  func write(
    _ content: VaultFile.Content, number: Int, of device: SharedID, for key: VaultKey,
    signedWith signer: DeviceKey? = nil
  ) throws {
    let signer = signer ?? members.first { $0.device.id == device }?.device.signingKey
    let file = VaultFile(
      device: device, number: number, digest: 0, name: .changes(number: number), content: content)
    try VaultFolder(path).write(
      codec(key).encode(file, signedWith: signer), to: VaultPath.text(device, file.name))
  }

  /// The keys whose identities open a file and authenticate it.
  func keys(of name: String) throws -> [VaultKey] {
    let bytes = try #require(try VaultFolder(path).read(name, limit: 1 << 20))
    return try identities.keys.filter { key in
      if case .file = try codec(key).decode(bytes).file { true } else { false }
    }
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
    device.setLocalSession(session, LocalSession(content: nil, parts: parts.count, hasEnded: true))
  }

  mutating func save(_ device: SyncDevice) {}

  mutating func prepare(_ device: SyncDevice) {}

  mutating func saveWrittenAbout(of device: SyncDevice) {}

  mutating func store(_ session: Received.Session, part: (Int) throws -> ArraySlice<UInt8>) throws {
    sessions[session.id] = try session.sources.indices.map { number in
      try part(number).split(separator: 10).map { String(decoding: $0, as: UTF8.self) }
    }
  }

  mutating func erase(_ sessions: [SharedID], of device: inout SyncDevice) {
    for session in sessions { self.sessions[session] = nil }
  }

  func events(of session: SharedID, part: Int) throws -> [UInt8] {
    if part == failsAtPart { throw VaultError.file(path: "part \(part)", reason: "No space left on device") }
    return Array((sessions[session] ?? [])[part].map { $0 + "\n" }.joined().utf8)
  }
}
