import Foundation
import HeartRate
import History
import Stress
import Sync
import TestSupport

/// Devices with real histories that share a folder, with a substitute for encryption.
final class StoredWorld {
  final class Member {
    let location: StoreLocation
    var history: StoredHistory
    var keys: Set<VaultKey>

    init(_ location: StoreLocation, keys: Set<VaultKey>) {
      self.location = location
      history = Self.history(location)
      self.keys = keys
    }

    static func history(_ location: StoreLocation) -> StoredHistory {
      StoredHistory(location, clock: { StoredWorld.now }, today: { StoredWorld.today })
    }
  }

  static let now = WallTime(microseconds: 1_795_000_000_000_000)
  static let today = 20_775
  static let firstKey = VaultKey(epoch: 1, writer: SharedID(bits: 1))

  let folder: TemporaryFolder
  private(set) var members: [Member] = []
  private let vault = SharedID(bits: 7)
  var random: SeededGenerator
  var wall: Int64 = 1_795_000_000_000

  init(devices: Int, seed: UInt64 = 1) throws {
    folder = try TemporaryFolder()
    random = SeededGenerator(seed: seed)
    for index in 0..<devices { try addMember(index) }
  }

  @discardableResult
  func addMember(_ index: Int) throws -> Member {
    let location = try StoreLocation(environment: [
      "XDG_DATA_HOME": folder.file("data-\(index)"), "XDG_RUNTIME_DIR": folder.file("run-\(index)"),
    ])
    let member = Member(location, keys: [Self.firstKey])
    members.append(member)
    try join(member, id: SharedID(bits: UInt128(index + 1)), name: "device \(index)")
    return member
  }

  func join(_ member: Member, id: SharedID, name: String) throws {
    let device = SyncDevice(id: id, name: name, key: Self.firstKey, changeFileLimit: 4)
    member.history = Member.history(member.location)
    try member.history.begin(device, SyncMembership(folder: path(0), vault: vault, name: name))
  }

  /// The folder of a device; one for all if they share it.
  func path(_ index: Int) -> String { folder.file("vault") }

  func createVault(at path: String) throws {
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    try VaultFolder.create(path, VaultDescription(vault: vault, recipient: "age1fast"), key: [1])
  }

  func codec(_ keys: Set<VaultKey>, current: VaultKey) -> VaultCodec<FastCrypt> {
    let secrets = Dictionary(
      uniqueKeysWithValues: keys.map {
        ($0, UInt64($0.epoch) &* 77 &+ UInt64(truncatingIfNeeded: $0.writer.bits))
      })
    return VaultCodec(vault: vault, crypt: FastCrypt(secrets: secrets, current: current))
  }

  @discardableResult
  func sync(_ index: Int, at path: String? = nil, wall: Int64? = nil) throws -> SyncReport {
    let member = members[index]
    guard let key = try member.history.device()?.key else { throw NoVaultError() }
    let codec = codec(member.keys, current: key)
    self.wall += 1000
    return try synchronise(
      folder: VaultFolder(path ?? self.path(index)), codec: codec, history: &member.history,
      wall: wall ?? self.wall, using: &random)
  }

  /// Syncs all devices until no file is written.
  func settle() throws {
    for _ in 0..<20 {
      var files = 0
      for index in members.indices { files += try sync(index).filesWritten }
      if files == 0 { return }
    }
    throw UnsettledError()
  }

  struct UnsettledError: Error {}
}
