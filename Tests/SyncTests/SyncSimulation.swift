import Sync
import TestSupport

/// Devices, their copies of the folder and the synchroniser.
struct SyncSimulation {
  var devices: [SimulatedDevice]
  private var version: UInt64 = 0
  private var digest: UInt64 = 0
  private var wall: Int64 = 1_763_856_000_000
  private var random: SeededGenerator
  /// Properties that were violated.
  private var complaints: [String] = []
  /// Sessions that a stolen device started after all others knew that it is forgotten.
  private(set) var forbidden: Set<SharedID> = []
  var forbiddenChanges = ForbiddenChanges()
  private var keys: Set<VaultKey> = []
  /// Whether a device was forgotten by one that did not know a key that existed: each excludes one device from its own key only.
  private(set) var hasConcurrentKeys = false
  /// Whether a fault or a restored history made a folder contain an older state of a device.
  var canBeOlder = false

  init(_ schedule: SyncSchedule) {
    var random = SeededGenerator(seed: schedule.seed)
    let first = VaultKey(epoch: 1, writer: SharedID(bits: 1))
    devices = (0..<schedule.devices).map { index in
      let device =
        schedule.startsWithFormat1
        ? SyncDevice(
          id: SharedID(bits: UInt128(index + 1)), name: "device \(index)", key: first, changeFileLimit: 4)
        : SyncDevice(
          signingKey: DeviceKey(using: &random), name: "device \(index)", key: first, changeFileLimit: 4)
      return SimulatedDevice(device: device, usesFormat1: schedule.startsWithFormat1)
    }
    self.random = random
  }

  /// Runs a schedule.
  /// - Returns: The violated properties.
  static func run(_ schedule: SyncSchedule) -> [String] {
    var simulation = SyncSimulation(schedule)
    for step in schedule.steps { simulation.perform(step) }
    // First with the devices that still use format 1.
    for upgrades in schedule.startsWithFormat1 ? [false, true] : [true] {
      simulation.settle(upgrades: upgrades)
      if simulation.complaints.isEmpty { simulation.checkEnd() }
    }
    return simulation.complaints
  }

  mutating func perform(_ step: SyncStep) {
    wall += 60_000
    switch step {
    case .startSession(let device, let id, let content):
      let session = SharedID(bits: UInt128(1000 + id))
      let localSession = LocalSession(
        content: SessionContent(profile: SharedID(bits: 7), fingerprint: UInt128(content)), parts: 1,
        hasEnded: content < 100)
      // `import` does not store a content twice.
      guard
        !devices[device].device.localSessions.values.contains(where: { $0.content == localSession.content })
      else {
        return
      }
      store(session, localSession, device)
      let id = devices[device].device.id
      if devices[device].isStolen, devices.allSatisfy({ $0.isStolen || $0.device.state.forgotten[id] != nil })
      {
        forbidden.insert(session)
      }
    case .continueSession(let device, let pick): extend(device, pick, hasEnded: false)
    case .endSession(let device, let pick): extend(device, pick, hasEnded: true)
    case .deleteSession(let device, let pick): deleteSession(device, pick)
    case .edit(let device, let record, let field, let value): edit(device, record, field, value)
    case .deleteRecord(let device, let record):
      let key = RecordKey(.journal, SharedID(bits: UInt128(record)))
      devices[device].device.deleteRecord(key, wall: time(device))
      devices[device].account.deletedRecords.insert(key)
      note([.record(key)], device)
    case .sync(let device): sync(device)
    case .interruptedSync(let device, let files): sync(device, files: files)
    case .copy(let from, let to, let percent, let seed): copy(from, to, percent, seed)
    case .setClock(let device, let error): devices[device].clockError = error
    case .backUp(let device):
      devices[device].backup = devices[device].device
      devices[device].backupAccount = devices[device].account
    case .restore(let device):
      // A restored history of format 1 must be synced once before the program is updated.
      guard let backup = devices[device].backup, backup.signingKey != nil else { return }
      canBeOlder = true
      devices[device].device = backup
      devices[device].account = devices[device].backupAccount
    case .forget(let by, let device): forget(by, device)
    case .enterPassphrase(let device): enterPassphrase(device)
    case .keepReplica(let device): devices[device].oldReplica = devices[device].replica
    case .fault(let fault, let device, let pick): inject(fault, device, pick)
    case .upgrade(let device): devices[device].usesFormat1 = false
    case .impersonate(let device, let victim, let pick): impersonate(device, victim, pick)
    case .replay(let device, let pick): replay(device, pick)
    }
  }

  mutating func report(_ complaint: String) { complaints.append(complaint) }

  func time(_ device: Int) -> Int64 { wall + devices[device].clockError }
}

// MARK: - Local changes

extension SyncSimulation {
  private mutating func store(_ session: SharedID, _ localSession: LocalSession, _ device: Int) {
    devices[device].device.setLocalSession(session, localSession)
    devices[device].account.stored.insert(session)
  }

  private mutating func extend(_ device: Int, _ pick: Int, hasEnded: Bool) {
    let running = devices[device].device.localSessions.filter { !$0.value.hasEnded }.sorted {
      $0.key < $1.key
    }
    guard !running.isEmpty else { return }
    var (session, localSession) = running[pick % running.count]
    localSession.parts += 1
    localSession.hasEnded = hasEnded
    store(session, localSession, device)
  }

  private mutating func deleteSession(_ device: Int, _ pick: Int) {
    let ended = devices[device].device.localSessions.filter(\.value.hasEnded).keys.sorted()
    guard !ended.isEmpty else { return }
    let session = ended[pick % ended.count]
    let content = devices[device].device.localSessions[session]?.content
    devices[device].device.deleteSession(session, wall: time(device))
    devices[device].account.deleted.insert(session)
    note([.session(session)] + (content.map { [.content($0)] } ?? []), device)
  }

  private mutating func note(_ deleted: [Deleted], _ device: Int) {
    if devices[device].isStolen {
      forbiddenChanges.deleted.formUnion(deleted)
    } else {
      forbiddenChanges.permitted.formUnion(deleted)
    }
  }

  private mutating func edit(_ device: Int, _ record: Int, _ field: Int, _ value: Int) {
    let key = RecordKey(.journal, SharedID(bits: UInt128(record)))
    guard devices[device].device.state.tombstones[.record(key)] == nil else { return }
    devices[device].device.edit(key, "f\(field)", "v\(value)", wall: time(device))
    if devices[device].isStolen { forbiddenChanges.values.insert("v\(value)") }
    guard let version = devices[device].device.state.records[key]?["f\(field)"]?.entries.last?.version,
      version.value == "v\(value)"
    else {
      complaints.append("an edit of device \(device) is overwritten by an earlier value")
      return
    }
    devices[device].account.edits.append((key, "f\(field)", version))
  }
}

// MARK: - Synchronisation

extension SyncSimulation {
  /// Reads the folder, saves the device and writes the files, at most `limit`.
  @discardableResult
  mutating func sync(_ index: Int, files limit: Int = .max) -> (findings: [SyncFinding], writes: Int) {
    var device = devices[index].device
    let replica = devices[index].replica
    let keys = device.keys
    let open = { (path: String) -> OpenedFile in
      switch replica.entries[path]?.item {
      case .file(let file, let key): keys.contains(key) ? .file(file, key) : .unknownKey
      // The codec verifies signatures.
      case .impersonated(let file, let key):
        file.device.isSigning ? .forged : keys.contains(key) ? .file(file, key) : .unknownKey
      case .forged: .forged
      default: .damaged
      }
    }
    var received = device.receive(
      replica.listing, folderKeys: replica.keys, wall: time(index), using: &random, open: open)
    if !devices[index].usesFormat1, device.upgrade(wall: time(index), using: &random) != nil {
      received = device.receive(
        replica.listing, folderKeys: replica.keys, wall: time(index), using: &random, open: open)
    }
    for session in received.sessions {
      check(session, in: replica)
      device.didStore(session)
      devices[index].account.stored.insert(session.id)
    }
    for session in received.erased { device.didErase(session) }
    devices[index].account.removeErased(received.erased, device.state)
    let epoch = UInt128(device.key.epoch)
    let plan = device.publish(wall: time(index)) { SharedID(bits: $0.bits << 32 | epoch) }
    devices[index].device = device
    for announcement in device.announcements {
      let path = "key-\(announcement.key.epoch)-\(announcement.key.writer).age"
      if devices[index].replica.entries[path]?.item == nil { put(.key(announcement), path, index) }
    }
    for file in plan.files.prefix(limit) { write(file, plan.key, index) }
    if plan.files.count <= limit {
      for path in plan.removals { put(nil, path, index) }
      _ = devices[index].device.didWrite(plan)
    }
    if !canBeOlder { checkNoRollback(received.findings, index) }
    return (received.findings, plan.files.count + plan.removals.count)
  }

  private mutating func check(_ session: Received.Session, in replica: SimulatedReplica) {
    for (part, source) in session.sources.enumerated() {
      let isFound = replica.entries.values.contains { entry in
        guard case .file(let file, _) = entry.item, case .part(let found) = file.content else { return false }
        return file.digest == source.digest && found.session == session.id && found.part == part
      }
      if !isFound { complaints.append("part \(part) of session \(session.id) is read from the wrong file") }
    }
  }

  private mutating func write(_ file: VaultFile, _ key: VaultKey, _ device: Int) {
    var file = file
    digest += 1
    file.digest = digest
    put(.file(file, key), VaultPath.text(file.device, file.name), device)
  }

  mutating func put(_ item: SimulatedItem?, _ path: String, _ device: Int) {
    version += 1
    devices[device].replica.entries[path] = .init(version: version, item: item)
  }

  private mutating func copy(_ from: Int, _ to: Int, _ percent: Int, _ seed: UInt64) {
    guard from != to else { return }
    var random = SeededGenerator(seed: seed)
    for path in devices[from].replica.entries.keys.sorted()
    where percent == 100 || Int.random(in: 0..<100, using: &random) < percent {
      devices[to].replica.receive(path, from: devices[from].replica)
    }
  }

  private mutating func forget(_ by: Int, _ device: Int) {
    guard by != device, !devices[by].isStolen, !devices[device].isStolen else { return }
    enterPassphrase(by)
    sync(by)
    if !keys.isSubset(of: devices[by].device.keys) { hasConcurrentKeys = true }
    guard let announcement = try? devices[by].device.forget(devices[device].device.id, wall: time(by)) else {
      return complaints.append("there is no later key")
    }
    keys.insert(announcement.key)
    devices[device].isStolen = true
    sync(by)
  }

  private mutating func enterPassphrase(_ device: Int) {
    guard !devices[device].isStolen else { return }
    for (_, entry) in devices[device].replica.entries.sorted(by: { $0.key < $1.key }) {
      if case .key(let announcement) = entry.item { devices[device].device.learn(announcement) }
    }
  }

  /// Copies everything and syncs until nothing changes.
  /// - Parameter upgrades: Whether all devices are updated to format 2.
  mutating func settle(upgrades: Bool) {
    for _ in 0..<20 {
      wall += 60_000
      var all = SimulatedReplica()
      for device in devices {
        for path in device.replica.entries.keys { all.receive(path, from: device.replica) }
      }
      var writes = 0
      for index in devices.indices {
        devices[index].replica = all
        guard !devices[index].isStolen else { continue }
        enterPassphrase(index)
        if upgrades { devices[index].usesFormat1 = false }
        writes += sync(index).writes
      }
      if writes == 0 { return }
    }
    complaints.append("the devices write files without end")
  }
}
