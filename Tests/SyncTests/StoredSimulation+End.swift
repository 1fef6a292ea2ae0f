import HeartRate
import History
import Sync
import TestSupport

extension StoredSimulation {
  /// Injects a fault into the copy of a device and syncs it.
  mutating func inject(_ fault: SyncFault, _ device: Int, _ pick: Int) throws {
    guard !stolen.contains(device) else { return }
    let paths = replicas[device].paths.filter { $0.contains("/") }
    guard !paths.isEmpty else { return }
    let path = paths[pick % paths.count]
    guard let bytes = replicas[device].entries[path]?.bytes, let slash = path.firstIndex(of: "/") else {
      return
    }
    let folder = String(path[..<slash])
    switch fault {
    case .lose: try put(nil, path, device)
    case .duplicate: try put(bytes, path.replacing(".age", with: " 2.age"), device)
    case .truncate: try put(Array(bytes.prefix(bytes.count / 2)), path, device)
    case .rename:
      try put(nil, path, device)
      try put(bytes, "\(folder)/j-\(90_000_000 + pick).age", device)
    case .swap: try put(bytes, SharedID(bits: 99).text + path[slash...], device)
    case .conflictCopy:
      try put(bytes, path.replacing(".age", with: ".sync-conflict-20261123-080000-ABCDEFG.age"), device)
    case .forge: try put(bytes.reversed(), "\(folder)/j-\(80_000_000 + pick).age", device)
    case .replayAbout, .rollBack:
      guard let old = oldReplicas[device] else { return }
      let isReplayed = { (name: String) in fault == .rollBack || name.hasSuffix("about.age") }
      for name in Set(paths).union(old.entries.keys).filter(isReplayed).sorted()
      where old.entries[name]?.bytes != replicas[device].entries[name]?.bytes {
        try put(old.entries[name]?.bytes, name, device)
      }
    case .removeDirectory:
      for name in paths where name.hasPrefix(folder) { try put(nil, name, device) }
    }
    try sync(device)
  }

  private mutating func put(_ bytes: [UInt8]?, _ name: String, _ device: Int) throws {
    try replicas[device].put(bytes, name, &version)
  }

  /// Checks, after all files reached all devices, that they agree and that nothing is lost or restored.
  mutating func checkEnd() throws {
    let remaining = accounts.indices.filter { !stolen.contains($0) }
    guard let first = remaining.first else { return }
    let expected = try rows(first)
    for index in remaining {
      if let difference = try rows(index).difference(from: expected) {
        report("devices \(first) and \(index) differ: \(difference)")
      }
      try checkSessions(index)
      try checkEntries(index)
    }
  }

  /// The rows of a device, with the content of sessions instead of the identifier that the device stored first.
  private func rows(_ device: Int) throws -> StoredRows {
    var rows = try StoredRows(location(device))
    func normalised(_ text: String) -> String {
      contents.reduce(text) { $1.value.hasPrefix("content") ? $0.replacing($1.key.text, with: $1.value) : $0 }
    }
    rows.sessions = rows.sessions.map(normalised).sorted()
    rows.measurements = rows.measurements.map(normalised).sorted()
    rows.journal = rows.journal.map(normalised).sorted()
    rows.events = Dictionary(rows.events.map { (normalised($0.key), $0.value) }) { first, _ in first }
    return rows
  }

  private mutating func checkSessions(_ index: Int) throws {
    guard let reader = try HistoryReader(location(index)) else { return }
    let sessions = try reader.sessions(limit: .max).map(\.info)
    let stored = Set(sessions.compactMap { contents[$0.id] })
    for id in accounts[index].sessions {
      guard let content = contents[id], !everDeletedContents.contains(content) else { continue }
      if !stored.contains(content) { report("session \(content) of device \(index) is lost") }
    }
    for id in accounts[index].deletedSessions where sessions.contains(where: { $0.id == id }) {
      report("the deleted session \(id) is restored on device \(index)")
    }
    for account in accounts.indices where !stolen.contains(account) {
      for (id, cuts) in accounts[account].cuts {
        guard let session = sessions.first(where: { contents[$0.id] == contents[id] }) else { continue }
        for event in reader.events(of: session.id) {
          let time = event.wall ?? session.started.advanced(ticks: event.at.ticks)
          if cuts.contains(where: { $0.contains(time) }) {
            report("deleted events of session \(session.id) are restored on device \(index)")
            break
          }
        }
      }
    }
  }

  private mutating func checkEntries(_ index: Int) throws {
    guard let reader = try HistoryReader(location(index)) else { return }
    let tokens = try reader.profiles().flatMap { try reader.journal(of: $0) }.compactMap(\.triggers.first)
    if Set(tokens).count != tokens.count {
      report("journal entries of device \(index) are duplicates: \(tokens.sorted())")
    }
    for account in accounts.indices where !stolen.contains(account) {
      for token in accounts[account].entries
      where !everDeletedEntries.contains(token) && !tokens.contains(token) && everDeletedContents.isEmpty {
        report("entry \(token) of device \(account) is lost on device \(index)")
      }
      for token in accounts[account].deletedEntries where tokens.contains(token) {
        report("the deleted entry \(token) is restored on device \(index)")
      }
    }
  }
}
