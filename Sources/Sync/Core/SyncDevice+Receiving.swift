/// The result of opening a file.
package enum OpenedFile: Sendable {
  case file(VaultFile, VaultKey)
  case damaged
  case forged
  case unknownKey
  case newerFormat
}

/// What follows from the content of the folder.
package struct Received: Sendable {
  /// A session of the folder that the history does not contain, or contains with fewer parts.
  package struct Session: Hashable, Sendable {
    package var id: SharedID
    package var held: HeldSession
    /// The file of each part.
    package var sources: [PartCarrier]

    package init(id: SharedID, held: HeldSession, sources: [PartCarrier]) {
      (self.id, self.held, self.sources) = (id, held, sources)
    }
  }

  package var findings: [Finding] = []
  package var sessions: [Session] = []
  /// Sessions of the history that were deleted on another device.
  package var erased: [SharedID] = []
  /// Number of changes that the shared state did not contain.
  package var changes = 0
}

extension SyncDevice {
  /// Reads the folder.
  /// - Parameters:
  ///   - listing: The paths of all files in directories of devices, with a value that changes when the file changes, such as a
  ///     hash of size, inode and modification time.
  ///   - wall: The machine's clock in ms since 1970.
  ///   - open: Decrypts and authenticates a file.
  package mutating func receive(
    _ listing: [String: UInt64], wall: Int64, using generator: inout some RandomNumberGenerator,
    open: (String) throws -> OpenedFile
  ) rethrows -> Received {
    var received = Received()
    try readChanges(of: listing, wall, &received, open)
    if isUsedElsewhere {
      let previous = id
      renew(SharedID(using: &generator), wall: wall)
      received.findings.append(.restoredHistory(old: previous, new: id))
      try readChanges(of: listing, wall, &received, open)
    }
    let present = Set(read.values.compactMap(\.carrier))
    received.findings += pathFindings + deviceFindings(present, wall: wall)
    received.findings += repair(present)
    received.sessions = sessionsToStore(present)
    received.erased = held.filter { state.isDeleted($0.key, $0.value.content) }.keys.sorted()
    return received
  }

  /// The history stored a session.
  package mutating func didStore(_ session: Received.Session) { held[session.id] = session.held }

  private mutating func readChanges(
    of listing: [String: UInt64], _ wall: Int64, _ received: inout Received,
    _ open: (String) throws -> OpenedFile
  ) rethrows {
    for path in read.keys where listing[path] == nil { read[path] = nil }
    // In a fixed order, so that equal folders give equal findings.
    // The own `about` is always read: a killed program may have saved a later one than it wrote.
    let changed = listing.filter { entry in
      read[entry.key]?.signature != entry.value || read[entry.key]?.about == id
    }.keys.sorted()
    for path in changed {
      var entry = ReadFile(signature: listing[path] ?? 0)
      switch VaultPath(path) {
      case .conflictCopy: entry.finding = .conflictCopy(path: path)
      case .foreign: entry.finding = .foreignFile(path: path)
      case .temporary: break
      case .device: try receive(open(path), at: path, &entry, wall, &received)
      }
      read[path] = entry
    }
  }

  private mutating func receive(
    _ opened: OpenedFile, at path: String, _ entry: inout ReadFile, _ wall: Int64, _ received: inout Received
  ) {
    switch opened {
    case .damaged: entry.finding = .damaged(path: path)
    case .forged: entry.finding = .forged(path: path)
    case .unknownKey: entry.finding = .unknownKey(path: path)
    case .newerFormat: entry.finding = .newerFormat(path: path)
    case .file(let file, let key):
      if VaultPath(path) != .device(file.device, file.name) {
        entry.expected = VaultPath.text(file.device, file.name)
      }
      guard !isReplaced(key) || isKnown(file) else {
        if isOwnPreviousAbout(file) { return }
        entry.finding = .oldKey(path: path, device: file.device)
        return
      }
      receive(file, at: path, &entry, wall, &received)
    }
  }

  /// Whether a forgotten device may have the key.
  private func isReplaced(_ key: VaultKey) -> Bool {
    let current = self.key
    return key < current || (key != current && state.forgotten[key.writer] != nil)
  }

  /// Whether the file is the `about.age` that this device wrote before it received a new key, and that it writes again.
  private func isOwnPreviousAbout(_ file: VaultFile) -> Bool {
    guard file.device == id, case .about(let about) = file.content else { return false }
    return about.version <= own.aboutVersion
  }

  /// Whether the file was read before, or is one of this device.
  private func isKnown(_ file: VaultFile) -> Bool {
    if file.device == id { return own.live[file.number] != nil || own.withdrawn.contains(file.number) }
    return file.number > 0 && peers[file.device]?.digests[file.number] == file.digest
  }

  private mutating func receive(
    _ file: VaultFile, at path: String, _ entry: inout ReadFile, _ wall: Int64, _ received: inout Received
  ) {
    if case .about(let about) = file.content {
      guard entry.expected == nil else { return }
      entry.about = file.device
      if file.device == id { return receiveOwn(about, &entry) }
      return receive(about, of: file.device, &entry)
    }
    let carrier = PartCarrier(file: FileID(file.device, file.number), digest: file.digest)
    entry.carrier = carrier
    guard file.device != id else {
      foundNumber = max(foundNumber, file.number)
      return
    }
    var ledger = peers[file.device] ?? PeerLedger()
    if let known = ledger.digests[file.number] {
      if known == file.digest { return }
      entry.finding = .numberUsedTwice(path: path, device: file.device, number: file.number)
    }
    ledger.digests[file.number] = file.digest
    ledger.seen.insert(file.number)
    ledger.written = max(ledger.written, file.number)
    if case .part(let part) = file.content { ledger.sessions[file.number] = part.session }
    let isWithdrawn = ledger.withdrawn.contains(file.number)
    peers[file.device] = ledger
    switch file.content {
    case .about: break
    case .changes(let changes): received.changes += merge(changes, wall)
    case .part(let part) where !isWithdrawn:
      sessions[part.session, default: SharedSession()].add(part, carrier)
    case .part: break
    }
  }

  /// - Returns: The number of changes that are new.
  private mutating func merge(_ changes: [Change], _ wall: Int64) -> Int {
    var count = 0
    for change in changes where state.merge(change) {
      count += 1
      let stamp = change.stamp
      if clock.observe(stamp, wall: wall) != nil {
        leads[stamp.device] = max(leads[stamp.device] ?? stamp.milliseconds, stamp.milliseconds)
      }
    }
    return count
  }

  private mutating func receive(_ about: About, of device: SharedID, _ entry: inout ReadFile) {
    var ledger = peers[device] ?? PeerLedger()
    defer { peers[device] = ledger }
    guard about.version >= ledger.aboutVersion else {
      entry.finding = .rolledBack(device: device, found: about.version, read: ledger.aboutVersion)
      return
    }
    ledger.name = about.name
    ledger.aboutVersion = about.version
    ledger.written = max(ledger.written, about.written)
    foundNumber = max(foundNumber, about.seen[id]?.last ?? 0)
    for (number, session) in ledger.sessions where about.withdrawn.contains(number) {
      sessions[session]?.remove(FileID(device, number))
      ledger.sessions[number] = nil
    }
    ledger.withdrawn.formUnion(about.withdrawn)
  }

  private mutating func receiveOwn(_ about: About, _ entry: inout ReadFile) {
    // A program that was killed saved a later version than it wrote.
    if about.version < own.writtenAbout {
      entry.finding = .rolledBack(device: id, found: about.version, read: own.writtenAbout)
    }
    own.writtenAbout = max(own.writtenAbout, about.version)
    foundAbout = about.version
    foundNumber = max(foundNumber, about.written)
  }

  /// Whether files of this device exist that its history does not know, or another device forgot it but shared the key.
  private var isUsedElsewhere: Bool {
    foundNumber > own.written || foundAbout > own.aboutVersion || state.isGone(id)
  }
}

extension SyncDevice {
  /// The sessions of the folder that are complete, or whose carriers are all forgotten, and that the history does not contain.
  private func sessionsToStore(_ present: Set<PartCarrier>) -> [Received.Session] {
    var contents = Set(held.values.compactMap(\.content))
    var result: [Received.Session] = []
    for (id, session) in sessions.sorted(by: { $0.key < $1.key }) where !state.isDeleted(id, session.content)
    {
      let known = held[id]?.parts ?? 0
      if known > 0, known >= session.total ?? known { continue }
      if known == 0, let content = session.content, contents.contains(content) { continue }
      let sources = session.sources(present.contains)
      guard sources.count > known, sources.count == session.total || isAbandoned(session) else { continue }
      if let content = session.content { contents.insert(content) }
      let held = HeldSession(content: session.content, parts: sources.count, hasEnded: true)
      result.append(Received.Session(id: id, held: held, sources: sources))
    }
    return result
  }

  /// Whether no device remains that could write the rest of the session.
  private func isAbandoned(_ session: SharedSession) -> Bool {
    session.carriers.values.allSatisfy { $0.allSatisfy { state.isGone($0.file.device) } }
  }
}
