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
    /// The keys after the first one that the device has, which its history may not know yet.
    var ring: Set<KeyAnnouncement> = []
    var keys: Set<VaultKey> { Set(ring.map(\.key)).union([StoredWorld.firstKey]) }

    init(_ location: StoreLocation) {
      self.location = location
      history = Self.history(location)
    }

    var learnable: [KeyAnnouncement] { ring.sorted { $0.key < $1.key } }

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
  private let ownFolders: Bool
  var random: SeededGenerator
  var wall: Int64 = 1_795_000_000_000

  private let format: Int
  /// For devices that join.
  private var deviceKeys: [DeviceKey]

  /// - Parameters:
  ///   - ownFolders: Whether each device has its own copy of the folder.
  ///   - format: 1 for devices that an earlier program created.
  init(devices: Int, seed: UInt64 = 1, ownFolders: Bool = false, format: Int = 2) throws {
    (self.ownFolders, self.format) = (ownFolders, format)
    folder = try TemporaryFolder()
    random = SeededGenerator(seed: seed)
    var generator = SeededGenerator(seed: seed ^ 0xED25519)
    // Increasing: of two changes with the same time, that of the device with the greater identifier wins.
    deviceKeys = (0..<(devices + 4)).map { _ in DeviceKey(using: &generator) }.sorted { $0.id < $1.id }
    for index in 0..<devices { try addMember(index) }
  }

  @discardableResult
  func addMember(_ index: Int) throws -> Member {
    let location = try StoreLocation(environment: [
      "XDG_DATA_HOME": folder.file("data-\(index)"), "XDG_RUNTIME_DIR": folder.file("run-\(index)"),
    ])
    let member = Member(location)
    members.append(member)
    try join(member, name: "device \(index)")
    return member
  }

  func join(_ member: Member, name: String) throws {
    let device =
      format == 1
      ? SyncDevice(
        id: SharedID(bits: UInt128(members.count)), name: name, key: Self.firstKey, changeFileLimit: 4)
      : SyncDevice(
        signingKey: deviceKeys.removeFirst(), name: name, key: Self.firstKey, changeFileLimit: 4)
    member.history = Member.history(member.location)
    try member.history.begin(device, SyncMembership(folder: path(0), vault: vault, name: name))
  }

  /// The folder of a device; one for all if they share it.
  func path(_ index: Int) -> String { folder.file(ownFolders ? "vault-\(index)" : "vault") }

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

  /// Decrypts a file with the keys of a device.
  func file(_ bytes: [UInt8]?, _ index: Int) -> (VaultFile, VaultKey)? {
    guard let bytes,
      case .file(let file, let key) = codec(members[index].keys, current: Self.firstKey).decode(bytes).file
    else { return nil }
    return (file, key)
  }

  @discardableResult
  func sync(_ index: Int, at path: String? = nil, wall: Int64? = nil) throws -> SyncReport {
    let member = members[index]
    guard let key = try member.history.device()?.key else { throw NoVaultError() }
    let codec = codec(member.keys, current: key)
    self.wall += 1000
    return try synchronise(
      folder: VaultFolder(path ?? self.path(index)), codec: codec, history: &member.history,
      learning: member.learnable, wall: wall ?? self.wall, using: &random)
  }

  /// Syncs a device whose program is killed: before it saves its state, or after it wrote some files with parts of sessions.
  /// - Parameter parts: The number of files; nil before the state is saved.
  /// - Returns: Nil if it is killed.
  @discardableResult
  func interruptedSync(
    _ index: Int, at path: String, wall: Int64, parts: Int?, upgrades: Bool = true
  ) throws -> SyncReport? {
    let member = members[index]
    guard var device = try member.history.device() else { throw NoVaultError() }
    let pass = SyncPass(
      folder: try VaultFolder(path), codec: codec(member.keys, current: device.key), upgrades: upgrades)
    if device.own.about == nil { _ = try pass.read(&device, wall: wall, using: &random) }
    try member.history.addLocalChanges(to: &device, wall: wall)
    for announcement in member.learnable { device.learn(announcement) }
    var history = InterruptedHistory(history: member.history, parts: parts)
    // The next program starts from the files.
    defer { member.history = Member.history(member.location) }
    do {
      return try pass.run(&device, &history, wall: wall, using: &random)
    } catch is InterruptedHistory.Kill { return nil }
  }

  /// Creates a key that excludes a device. The next sync of the member learns it.
  func forget(_ device: SharedID, by index: Int, wall: Int64) throws {
    guard var changed = try members[index].history.device() else { return }
    members[index].ring.insert(try changed.forget(device, wall: wall))
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

/// A history of a program that is killed.
struct InterruptedHistory: SyncedHistory {
  struct Kill: Error {}

  var history: StoredHistory
  /// The number of parts that are read before; nil for none, and without saving the state.
  var parts: Int?
  private let read = Counter()

  private final class Counter { var count = 0 }

  init(history: StoredHistory, parts: Int?) { (self.history, self.parts) = (history, parts) }

  mutating func save(_ device: SyncDevice) throws {
    guard parts != nil else { throw Kill() }
    try history.save(device)
    if parts == 0 { throw Kill() }
  }

  mutating func prepare(_ device: SyncDevice) throws { try history.prepare(device) }

  mutating func saveWrittenAbout(of device: SyncDevice) throws { try history.saveWrittenAbout(of: device) }

  mutating func store(
    _ session: Received.Session, part: (Int) throws -> ArraySlice<UInt8>
  ) throws {
    try history.store(session, part: part)
  }

  mutating func erase(_ sessions: [SharedID], of device: inout SyncDevice) throws {
    try history.erase(sessions, of: &device)
  }

  func events(of session: SharedID, part: Int) throws -> [UInt8] {
    read.count += 1
    if read.count > parts ?? 0 { throw Kill() }
    return try history.events(of: session, part: part)
  }
}
