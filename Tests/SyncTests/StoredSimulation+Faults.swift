import Sync
import TestSupport

extension StoredSimulation {
  /// A device that has a key of the vault writes a file in the name of a device that signs its files. A device of format 1 also
  /// accepts it from a member, so only a forgotten device writes in its name.
  mutating func impersonate(_ device: Int, _ victim: Int, _ pick: Int) throws {
    guard device != victim, let attacker = try world.members[device].history.device(),
      let id = try world.members[victim].history.device()?.id, id.isSigning || stolen.contains(device)
    else { return }
    let stamp = Stamp(milliseconds: 1_795_000_000_000, counter: 7, device: id)
    let number = 70_000_000 + pick
    let deletions = try world.members.compactMap { try $0.history.device() }.flatMap(\.localSessions.keys)
    let file = VaultFile(
      device: id, number: number, digest: 0, name: .changes(number: number),
      content: .changes(deletions.map { .delete(.session($0), stamp) }))
    let path = VaultPath.text(id, file.name)
    let codec = world.codec(world.members[device].keys, current: attacker.key)
    try put(codec.encode(file, signedWith: attacker.signingKey), path, device)
    guard id.isSigning, !stolen.contains(device),
      try sync(device).findings.contains(.forged(path: path)) == false
    else { return }
    report("\(path) is not reported as forged")
  }

  /// The operator of the folder puts back a file that a device of format 1 wrote before it had a signing key.
  mutating func replay(_ device: Int, _ pick: Int) throws {
    let old = oldReplicas.flatMap { $0.map { Array($0.entries) } ?? [] }.filter { name, entry in
      if case .device(let id, _) = VaultPath(name) { !id.isSigning && entry.bytes != nil } else { false }
    }.sorted { $0.key < $1.key }
    guard !old.isEmpty else { return }
    let (name, entry) = old[pick % old.count]
    try put(entry.bytes, name, device)
  }

  /// Injects a fault into the copy of a device, syncs the device, and checks that the fault is reported.
  mutating func inject(_ fault: SyncFault, _ device: Int, _ pick: Int) throws {
    guard !stolen.contains(device) else { return }
    try sync(device)
    let paths = replicas[device].paths.filter { $0.contains("/") }
    guard !paths.isEmpty else { return }
    let path = paths[pick % paths.count]
    guard let bytes = replicas[device].entries[path]?.bytes, let slash = path.firstIndex(of: "/") else {
      return
    }
    let known = try sync(device).findings
    let isLive = try known.allSatisfy { !"\($0)".contains(path) } && isExpected(path, device)
    let expected: (SyncFinding) -> Bool
    let folder = String(path[..<slash])
    switch fault {
    case .lose:
      try put(nil, path, device)
      expected = { $0.concerns(folder) }
    case .duplicate:
      let copy = path.replacing(".age", with: " 2.age")
      try put(bytes, copy, device)
      expected = { $0 == .foreignFile(path: copy) }
    case .truncate:
      try put(Array(bytes.prefix(bytes.count / 2)), path, device)
      expected = { $0 == .damaged(path: path) }
    case .rename:
      let renamed = "\(folder)/j-\(90_000_000 + pick).age"
      try put(nil, path, device)
      try put(bytes, renamed, device)
      expected = { $0 == .misplaced(path: renamed, expected: path) }
    case .swap:
      let moved = SharedID(bits: 99).text + path[slash...]
      try put(bytes, moved, device)
      expected = { $0 == .duplicate(path: moved, of: path) }
    case .conflictCopy:
      let copy = path.replacing(".age", with: ".sync-conflict-20261123-080000-ABCDEFG.age")
      try put(bytes, copy, device)
      expected = { $0 == .conflictCopy(path: copy) }
    case .forge:
      let forged = "\(folder)/j-\(80_000_000 + pick).age"
      try put(bytes.reversed(), forged, device)
      expected = { $0 == .damaged(path: forged) }
    case .replayAbout: return try rollBack(device) { $0.hasSuffix("about.age") }
    case .rollBack: return try rollBack(device) { _ in true }
    case .removeDirectory:
      for name in paths where name.hasPrefix(folder) { try put(nil, name, device) }
      expected = { $0.concerns(folder) }
    }
    let found = try sync(device).findings
    if isLive, !found.contains(where: expected) {
      report("\(fault) of \(path) on device \(device) is not reported; found: \(found.map(\.description))")
    }
  }

  private mutating func put(_ bytes: [UInt8]?, _ name: String, _ device: Int) throws {
    try replicas[device].put(bytes, name, &version)
  }

  /// Whether the file at `path` is used and its absence would be a fault. A copy of an `about` for a replaced key is reported as such.
  private func isExpected(_ path: String, _ index: Int) throws -> Bool {
    guard let device = try world.members[index].history.device(),
      let (file, key) = world.file(replicas[index].entries[path]?.bytes, index),
      VaultPath(path) == .device(file.device, file.name), !device.state.isGone(file.device),
      file.number > 0 || key == device.key
    else { return false }
    if file.device == device.id { return file.number > 0 && device.own.live[file.number] != nil }
    return device.peers[file.device].map { $0.aboutVersion > 0 && !$0.withdrawn.contains(file.number) }
      ?? false
  }

  /// Restores files of an earlier copy, and checks that it is reported for each device with an older `about`.
  private mutating func rollBack(_ index: Int, _ isReplaced: (String) -> Bool) throws {
    guard let old = oldReplicas[index] else { return }
    let current = replicas[index]
    let names = Set(current.entries.keys).union(old.entries.keys).filter {
      $0.contains("/") && isReplaced($0)
    }
    .sorted()
    let expected = try names.compactMap { try rolledBackDevice(at: $0, from: current, to: old, index) }
    for name in names where old.entries[name]?.bytes != current.entries[name]?.bytes {
      try put(old.entries[name]?.bytes, name, index)
    }
    let found = try sync(index).findings
    for device in expected {
      let isReported = found.contains { finding in
        if case .rolledBack(device, _, _) = finding { true } else { false }
      }
      if !isReported { report("the older state of device \(device) is not reported on device \(index)") }
    }
  }

  /// The device whose `about` at `path` is used now and older in `old`, and encrypted for the current key in both.
  private func rolledBackDevice(
    at path: String, from current: FolderReplica, to old: FolderReplica, _ index: Int
  ) throws -> SharedID? {
    guard let device = try world.members[index].history.device(),
      let (file, key) = world.file(current.entries[path]?.bytes, index), key == device.key,
      let (older, oldKey) = world.file(old.entries[path]?.bytes, index), oldKey == device.key,
      case .about(let about) = file.content, case .about(let oldAbout) = older.content,
      VaultPath(path) == .device(file.device, .about), older.device == file.device,
      !device.state.isGone(file.device)
    else { return nil }
    let read = file.device == device.id ? device.own.writtenAbout : device.peers[file.device]?.aboutVersion
    return read == about.version && oldAbout.version < about.version ? file.device : nil
  }
}

extension SyncFinding {
  /// Whether it reports missing files of the device with this directory.
  fileprivate func concerns(_ folder: String) -> Bool {
    switch self {
    case .removed(let device, _), .missing(let device, _), .missingDevice(let device): device.text == folder
    case .repaired: true
    default: false
    }
  }
}
