import Foundation
import HeartRate
import History
import Sync
import TestSupport

/// Devices with SQLite histories, their copies of the folder, and a synchroniser.
struct StoredSimulation {
  /// What must be found at the end, restored with the history from a backup.
  struct Account {
    var sessions: Set<SessionID> = []
    /// The first trigger of an entry, which no step changes.
    var entries: Set<String> = []
    var deletedSessions: Set<SessionID> = []
    var deletedEntries: Set<String> = []
    var cuts: [SessionID: [Range<WallTime>]] = [:]
  }

  let world: StoredWorld
  var replicas: [FolderReplica]
  var accounts: [Account]
  var backups: [Account?]
  var oldReplicas: [FolderReplica?]
  var clockErrors: [Int64]
  var stolen: Set<Int> = []
  /// The devices whose programs know only format 1.
  private var format1: Set<Int> = []
  private let startsWithFormat1: Bool
  var version: UInt64 = 0
  /// The content of each session: sessions with equal content are one.
  var contents: [SessionID: String] = [:]
  var everDeletedContents: Set<String> = []
  var everDeletedEntries: Set<String> = []
  /// What forgotten devices deleted. A device that erased it cannot return it if it learns later that the device was forgotten before.
  var wronglyDeletedContents: Set<String> = []
  var wronglyDeletedEntries: Set<String> = []
  /// The content of the session of an entry: the history deletes entries together with their session.
  var sessionContents: [String: String] = [:]
  /// Entries and notes of forgotten devices.
  var forbidden: Set<String> = []
  private var keys: Set<VaultKey> = []
  private(set) var hasConcurrentKeys = false
  private(set) var complaints: [String] = []
  private var wall: Int64 = 1_795_000_000_000

  init(_ schedule: SyncSchedule) throws {
    let count = schedule.devices
    startsWithFormat1 = schedule.startsWithFormat1
    world = try StoredWorld(
      devices: count, seed: schedule.seed, ownFolders: true, format: schedule.startsWithFormat1 ? 1 : 2)
    if schedule.startsWithFormat1 { format1 = Set(0..<count) }
    replicas = try (0..<count).map { [world] index in
      try world.createVault(at: world.path(index))
      return FolderReplica(path: world.path(index))
    }
    accounts = Array(repeating: Account(), count: count)
    backups = Array(repeating: nil, count: count)
    oldReplicas = Array(repeating: nil, count: count)
    clockErrors = Array(repeating: 0, count: count)
  }

  /// Runs a schedule.
  /// - Returns: The violated properties.
  static func run(_ schedule: SyncSchedule) -> [String] {
    do {
      var simulation = try StoredSimulation(schedule)
      for (index, step) in schedule.steps.enumerated() { try simulation.perform(step, index) }
      // First with the devices that still use format 1.
      for upgrades in schedule.startsWithFormat1 ? [false, true] : [true] {
        try simulation.settle(upgrades: upgrades)
        if simulation.complaints.isEmpty { try simulation.checkEnd() }
      }
      return simulation.complaints
    } catch {
      return ["error: \(error)"]
    }
  }

  mutating func report(_ complaint: String) { complaints.append(complaint) }

  func location(_ device: Int) -> StoreLocation { world.members[device].location }

  mutating func perform(_ step: SyncStep, _ index: Int) throws {
    wall += 60_000
    switch step {
    case .startSession(let device, let id, let content): try startSession(device, id, content)
    case .continueSession(let device, let pick): try cutSession(device, pick)
    case .endSession(let device, let pick): try addEntry(device, index, pick)
    case .deleteSession(let device, let pick): try deleteSession(device, pick)
    case .edit(let device, let record, let field, let value): try edit(device, record, field, value)
    case .deleteRecord(let device, let record): try deleteEntry(device, record)
    case .sync(let device): try sync(device)
    case .interruptedSync(let device, let files): try interrupt(device, files == 2 ? nil : files)
    case .copy(let from, let to, let percent, let seed): try copy(from, to, percent, seed)
    case .setClock(let device, let error): clockErrors[device] = error
    case .backUp(let device): try backUp(device)
    case .restore(let device): try restore(device)
    case .forget(let by, let device): try forget(by, device)
    case .enterPassphrase(let device): enterPassphrase(device)
    case .fault(let fault, let device, let pick): try inject(fault, device, pick)
    case .keepReplica(let device): oldReplicas[device] = replicas[device]
    case .upgrade(let device): format1.remove(device)
    case .impersonate(let device, let victim, let pick): try impersonate(device, victim, pick)
    case .replay(let device, let pick): try replay(device, pick)
    }
  }
}

// MARK: - Synchronisation

extension StoredSimulation {
  @discardableResult
  mutating func sync(_ device: Int) throws -> SyncReport {
    try replicas[device].writeKeys()
    guard !format1.contains(device) else {
      let report = try world.interruptedSync(
        device, at: world.path(device), wall: wall + clockErrors[device], parts: .max, upgrades: false)
      try finish(device)
      return report ?? SyncReport()
    }
    let report = try world.sync(device, wall: wall + clockErrors[device])
    try finish(device)
    return report
  }

  private mutating func interrupt(_ device: Int, _ parts: Int?) throws {
    try replicas[device].writeKeys()
    try world.interruptedSync(
      device, at: world.path(device), wall: wall + clockErrors[device], parts: parts,
      upgrades: !format1.contains(device))
    try finish(device)
  }

  private mutating func finish(_ device: Int) throws {
    try replicas[device].scan(&version)
    let stored = Set(try sessions(device).map(\.info.id))
    accounts[device].sessions = accounts[device].sessions.union(stored).filter { id in
      stored.contains(id) || contents[id].map { !wronglyDeletedContents.contains($0) } ?? true
    }
    let entries = Set(try entries(device).compactMap(\.triggers.first))
    accounts[device].entries = accounts[device].entries.filter {
      entries.contains($0) || !isWronglyDeleted($0)
    }
    replicas[device].keys.formUnion(try world.members[device].history.device()?.announcements ?? [])
  }

  private func isWronglyDeleted(_ entry: String) -> Bool {
    wronglyDeletedEntries.contains(entry)
      || sessionContents[entry].map(wronglyDeletedContents.contains) ?? false
  }

  private mutating func copy(_ from: Int, _ to: Int, _ percent: Int, _ seed: UInt64) throws {
    guard from != to else { return }
    var random = SeededGenerator(seed: seed)
    for name in replicas[from].entries.keys.sorted()
    where percent == 100 || Int.random(in: 0..<100, using: &random) < percent {
      try replicas[to].receive(name, from: replicas[from])
    }
    replicas[to].keys.formUnion(replicas[from].keys)
  }

  private mutating func forget(_ by: Int, _ device: Int) throws {
    guard by != device, !stolen.contains(by), !stolen.contains(device) else { return }
    enterPassphrase(by)
    try sync(by)
    guard let lost = try world.members[device].history.device()?.id else { return }
    if !keys.isSubset(of: world.members[by].keys) { hasConcurrentKeys = true }
    try world.forget(lost, by: by, wall: wall + clockErrors[by])
    keys.formUnion(world.members[by].ring.map(\.key))
    stolen.insert(device)
    try sync(by)
  }

  private mutating func enterPassphrase(_ device: Int) {
    guard !stolen.contains(device) else { return }
    world.members[device].ring.formUnion(replicas[device].keys)
  }

  private mutating func backUp(_ device: Int) throws {
    let path = world.folder.file("backup-\(device).db")
    unlink(path)
    guard try HistoryBackup.write(location(device), to: path) else { return }
    backups[device] = accounts[device]
  }

  private mutating func restore(_ device: Int) throws {
    // A restored history of format 1 must be synced once before the program is updated.
    guard let account = backups[device], !startsWithFormat1 else { return }
    for suffix in ["", "-wal", "-shm"] { unlink(location(device).path + suffix) }
    try HistoryBackup.restore(from: world.folder.file("backup-\(device).db"), to: location(device))
    accounts[device] = account
    world.members[device].history = StoredWorld.Member.history(location(device))
  }

  /// Copies everything and syncs until nothing changes.
  /// - Parameter upgrades: Whether all devices are updated to format 2.
  mutating func settle(upgrades: Bool) throws {
    for _ in 0..<20 {
      wall += 60_000
      for _ in 0..<2 {
        for index in replicas.indices.dropFirst() { try copy(index, 0, 100, 0) }
        for index in replicas.indices.dropFirst() { try copy(0, index, 100, 0) }
      }
      var files = 0
      if upgrades { format1 = [] }
      for index in replicas.indices where !stolen.contains(index) {
        enterPassphrase(index)
        files += try sync(index).filesWritten
      }
      if files == 0 { return }
    }
    report("the devices write files without end")
  }
}
