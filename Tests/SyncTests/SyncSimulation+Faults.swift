import Sync
import TestSupport

extension SyncSimulation {
  /// A device that has a key of the vault writes changes and deletions in the name of another one: a forgotten device in the name of
  /// any device, others in that of devices with signing keys.
  mutating func impersonate(_ device: Int, _ victim: Int, _ pick: Int) {
    let attacker = devices[device].device
    let id = devices[victim].device.id
    guard device != victim, id.isSigning || devices[device].isStolen else { return }
    let stamp = Stamp(milliseconds: time(device), counter: 7, device: id)
    let value = "forged \(pick)"
    let key = RecordKey(.journal, SharedID(bits: UInt128(pick % 4)))
    let session = Deleted.session(SharedID(bits: UInt128(1000 + pick)))
    let changes: [Change] = [.set(key, field: "f0", FieldVersion(value, stamp)), .delete(session, stamp)]
    forbiddenChanges.values.insert(value)
    forbiddenChanges.deleted.insert(session)
    let number = 70_000_000 + pick
    let file = VaultFile(
      device: id, number: number, digest: UInt64(number), name: .changes(number: number),
      content: .changes(changes))
    let path = VaultPath.text(id, file.name)
    put(.impersonated(file, attacker.key), path, device)
    guard !devices[device].isStolen else { return }
    if !sync(device).findings.contains(.forged(path: path)) { report("\(path) is not reported as forged") }
  }

  /// The operator of the folder puts back a file that a device of format 1 wrote before it had a signing key.
  mutating func replay(_ device: Int, _ pick: Int) {
    let old = devices.flatMap { $0.oldReplica.map { Array($0.entries) } ?? [] }.filter { path, entry in
      if case .file(let file, _) = entry.item { !file.device.isSigning } else { false }
    }.sorted { $0.key < $1.key }
    guard !old.isEmpty else { return }
    let (path, entry) = old[pick % old.count]
    canBeOlder = true
    put(entry.item, path, device)
  }

  /// Injects a fault, syncs the device, and checks that the fault is reported.
  mutating func inject(_ fault: SyncFault, _ device: Int, _ pick: Int) {
    guard !devices[device].isStolen else { return }
    sync(device)
    let paths = devices[device].replica.paths
    guard !paths.isEmpty else { return }
    let path = paths[pick % paths.count]
    guard let item = devices[device].replica.entries[path]?.item, case .file(let file, let key) = item else {
      return
    }
    let isOwn = file.device == devices[device].device.id
    // A fault of a file that is not used, for instance of a replaced key, has no effect to detect.
    let isUsed = sync(device).findings.allSatisfy { !"\($0)".contains(path) }
    let isLive = isUsed && isExpected(file, key, device)
    var expected: (SyncFinding) -> Bool
    switch fault {
    case .lose:
      put(nil, path, device)
      expected = { $0.concerns(file.device, own: isOwn) }
    case .duplicate:
      put(item, path.replacing(".age", with: " 2.age"), device)
      expected = { $0 == .foreignFile(path: path.replacing(".age", with: " 2.age")) }
    case .truncate:
      put(.damaged, path, device)
      expected = { $0 == .damaged(path: path) }
    case .rename:
      let renamed = VaultPath.text(file.device, .changes(number: 90_000_000 + pick))
      put(nil, path, device)
      put(item, renamed, device)
      expected = { $0 == .misplaced(path: renamed, expected: path) }
    case .swap:
      let moved = VaultPath.text(SharedID(bits: 99), file.name)
      put(item, moved, device)
      expected = { $0 == .duplicate(path: moved, of: path) }
    case .conflictCopy:
      let copy = path.replacing(".age", with: ".sync-conflict-20261123-080000-ABCDEFG.age")
      put(item, copy, device)
      expected = { $0 == .conflictCopy(path: copy) }
    case .forge:
      let forged = VaultPath.text(file.device, .changes(number: 80_000_000 + pick))
      put(.forged, forged, device)
      expected = { $0 == .forged(path: forged) }
    case .replayAbout:
      guard case .about(var about) = file.content, about.version > 1 else { return }
      about.version -= 1
      var replayed = file
      replayed.content = .about(about)
      canBeOlder = true
      put(.file(replayed, key), path, device)
      expected = { if case .rolledBack(file.device, _, _) = $0 { true } else { false } }
    case .rollBack:
      guard let old = devices[device].oldReplica else { return }
      rollBack(to: old, device)
      return
    case .removeDirectory:
      for path in paths where path.hasPrefix(file.device.text) { put(nil, path, device) }
      expected = { $0 == .missingDevice(file.device) || ($0.concerns(file.device, own: isOwn)) }
    }
    let found = sync(device).findings
    guard isLive, !found.contains(where: expected) else { return }
    report("\(fault) of \(path) on device \(device) is not reported; found: \(found.map(\.description))")
  }

  /// Restores an earlier copy of the folder, and checks that it is reported for each device with an older `about`.
  private mutating func rollBack(to old: SimulatedReplica, _ index: Int) {
    let current = devices[index].replica
    let expected = current.entries.keys.compactMap { path in
      rolledBackDevice(at: path, from: current, to: old, index)
    }
    canBeOlder = true
    for path in Set(current.entries.keys).union(old.entries.keys).sorted() {
      let before = old.entries[path]
      if before?.version != current.entries[path]?.version { put(before?.item, path, index) }
    }
    let found = sync(index).findings
    for device in expected.sorted() {
      let isReported = found.contains { finding in
        if case .rolledBack(device, _, _) = finding { true } else { false }
      }
      if !isReported { report("the older state of device \(device) is not reported on device \(index)") }
    }
  }

  /// The device whose `about` at `path` is used now and older in `old`, and readable in both.
  private func rolledBackDevice(
    at path: String, from current: SimulatedReplica, to old: SimulatedReplica, _ index: Int
  ) -> SharedID? {
    let device = devices[index].device
    guard case .file(let file, device.key) = current.entries[path]?.item,
      case .file(let older, device.key) = old.entries[path]?.item, case .about(let about) = file.content,
      case .about(let oldAbout) = older.content, VaultPath(path) == .device(file.device, .about),
      !device.state.isGone(file.device)
    else { return nil }
    let read = file.device == device.id ? device.own.writtenAbout : device.peers[file.device]?.aboutVersion
    return read == about.version && oldAbout.version < about.version ? file.device : nil
  }

  /// Without a fault, an interrupted sync must not look like an older copy of the folder.
  mutating func checkNoRollback(_ findings: [SyncFinding], _ index: Int) {
    for case .rolledBack(let device, let found, let read) in findings {
      report("device \(index) reports version \(found) of \(device) after \(read) without a rollback")
    }
  }

  /// Whether the absence of the file would be a fault. A copy of an `about` for a replaced key is reported as such.
  private func isExpected(_ file: VaultFile, _ key: VaultKey, _ index: Int) -> Bool {
    let device = devices[index].device
    guard !device.state.isGone(file.device), file.number > 0 || key == device.key else { return false }
    if file.device == device.id { return file.number == 0 ? false : device.own.live[file.number] != nil }
    return device.peers[file.device].map { $0.aboutVersion > 0 && !$0.withdrawn.contains(file.number) }
      ?? false
  }
}

extension SyncFinding {
  fileprivate func concerns(_ device: SharedID, own: Bool) -> Bool {
    switch self {
    case .removed(device, _), .missing(device, _), .missingDevice(device): true
    case .repaired: own
    default: false
    }
  }
}
