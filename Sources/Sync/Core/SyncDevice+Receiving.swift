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
    package var localSession: LocalSession
    /// The file of each part.
    package var sources: [FileReference]
    /// Whether the history contains the session without some of its events.
    package var restores: Bool

    package init(id: SharedID, localSession: LocalSession, sources: [FileReference], restores: Bool = false) {
      (self.id, self.localSession, self.sources, self.restores) = (id, localSession, sources, restores)
    }
  }

  package var findings: [SyncFinding] = []
  package var sessions: [Session] = []
  /// Sessions of the history that were deleted on another device.
  package var erased: [SharedID] = []
  /// Number of changes that the shared state did not contain.
  package var changes = 0
}

extension SyncDevice {
  /// Reads the folder.
  ///
  /// While it contains a later key that this device does not have, no new file of another device is used: a device was forgotten,
  /// and has the keys of this one.
  /// - Parameters:
  ///   - listing: The paths of all files in directories of devices, with a value that changes when the file changes, such as a
  ///     hash of size, inode and modification time.
  ///   - folderKeys: The keys whose files the folder contains.
  ///   - wall: The machine's clock in ms since 1970.
  ///   - open: Decrypts and authenticates a file.
  package mutating func receive(
    _ listing: [String: UInt64], folderKeys: [VaultKey] = [], wall: Int64,
    using generator: inout some RandomNumberGenerator, open: (String) throws -> OpenedFile
  ) rethrows -> Received {
    var received = Received()
    isPaused = folderKeys.contains { !keys.contains($0) && $0 > key }
    try readChanges(of: listing, wall, &received, open)
    if isUsedElsewhere {
      let previous = id
      renew(DeviceKey(using: &generator), wall: wall)
      received.findings.append(.restoredHistory(old: previous, new: id))
      try readChanges(of: listing, wall, &received, open)
    }
    keepRepeatedDeletions()
    let present = Set(read.values.compactMap(\.reference))
    received.findings += pathFindings + deviceFindings(present, wall: wall)
    received.findings += repair(present)
    received.sessions = sessionsToStore(present)
    received.erased = localSessions.filter { state.isDeleted($0.key, $0.value.content) }.keys.sorted()
    return received
  }

  /// The history stored a session.
  package mutating func didStore(_ session: Received.Session) {
    localSessions[session.id] = session.localSession
  }

  private mutating func readChanges(
    of listing: [String: UInt64], _ wall: Int64, _ received: inout Received,
    _ open: (String) throws -> OpenedFile
  ) rethrows {
    for path in read.keys where listing[path] == nil { read[path] = nil }
    // The order is fixed, because equal folders must give equal findings.
    // The own `about.age` is always read: a killed program may have saved a later one than it wrote.
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
      if !isKnown(file), let replacement = replacement(of: file.device) {
        // The other device publishes the content of the earlier files again.
        guard file.number > replacement.last else { return }
        entry.finding = .unsigned(path: path, device: replacement.device)
      } else if let finding = refusal(of: file, key, path) {
        // Only files of other devices: an own one that is not known was written by another copy of this history, whose numbers must
        // not be used again.
        if file.device != id {
          entry.reference = file.reference
        } else if signingKey != nil {
          foundNumber = max(foundNumber, file.number)
        }
        entry.finding = finding
      } else if !isReplaced(key) || isKnown(file) {
        receive(file, key, at: path, &entry, wall, &received)
      }
    }
  }

  /// The reason not to use a file. A file that is used has none, nor has the own `about.age` of the previous key.
  private func refusal(of file: VaultFile, _ key: VaultKey, _ path: String) -> SyncFinding? {
    if isKnown(file) { return nil }
    if isReplaced(key) {
      return isOwnPreviousAbout(file) ? nil : .oldKey(path: path, device: file.device)
    }
    return isPaused && file.device != id ? .paused(path: path, device: file.device) : nil
  }

  /// The identifier under which a device of format 1 continues, and the last number that it wrote before.
  private func replacement(of device: SharedID) -> (device: SharedID, last: Int)? {
    guard !device.isSigning else { return nil }
    if let replaced, replaced.device == device { return (id, replaced.number) }
    for (peer, peerState) in peers where state.forgotten[peer] == nil {
      if let replaced = peerState.replaced, replaced.device == device { return (peer, replaced.number) }
    }
    return nil
  }

  /// Whether the key was replaced, because a forgotten device may have it.
  func isReplaced(_ key: VaultKey) -> Bool {
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
    return file.number > 0 && peers[file.device]?.files[file.number]?.digest == file.digest
  }

  private mutating func receive(
    _ file: VaultFile, _ key: VaultKey, at path: String, _ entry: inout ReadFile, _ wall: Int64,
    _ received: inout Received
  ) {
    if case .about(let about) = file.content {
      guard entry.expected == nil else { return }
      entry.about = file.device
      if file.device == id { return receiveOwn(about, &entry) }
      return receive(about, of: file.device, &entry)
    }
    entry.reference = file.reference
    guard file.device != id else { return receiveOwn(file) }
    var peerState = peers[file.device] ?? PeerState()
    var peerFile = PeerFile(digest: file.digest, key: key, about: own.aboutVersion + 1)
    if let known = peerState.files[file.number] {
      if known.digest == file.digest {
        // Merged again: when a key is learned, changes that are not trusted are removed, and what they replaced comes back.
        peerFile = known
      } else {
        entry.finding = .numberUsedTwice(path: path, device: file.device, number: file.number)
      }
    }
    let isWithdrawn = peerState.withdrawn.contains(file.number)
    if case .part(let part) = file.content, !isWithdrawn {
      peerFile.session = part.session
      sessions[part.session, default: SharedSession()].add(part, file.reference)
    }
    peerState.files[file.number] = peerFile
    peerState.received.insert(file.number)
    peerState.written = max(peerState.written, file.number)
    peers[file.device] = peerState
    if case .changes(let changes) = file.content {
      received.changes += merge(changes, peerFile.receipt, wall)
    }
  }

  /// - Returns: The number of changes that are new.
  private mutating func merge(_ changes: [Change], _ receipt: Receipt, _ wall: Int64) -> Int {
    var count = 0
    for change in changes where state.merge(change, receipt) {
      count += 1
      let stamp = change.stamp
      if clock.observe(stamp, wall: wall) != nil {
        rejectedStamps[stamp.device] = min(rejectedStamps[stamp.device] ?? stamp, stamp)
      }
    }
    return count
  }

  private mutating func receive(_ about: About, of device: SharedID, _ entry: inout ReadFile) {
    var peerState = peers[device] ?? PeerState()
    defer { peers[device] = peerState }
    guard about.version >= peerState.aboutVersion else {
      entry.finding = .rolledBack(device: device, found: about.version, read: peerState.aboutVersion)
      return
    }
    peerState.name = about.name
    peerState.aboutVersion = about.version
    peerState.replaced = device.isSigning ? about.replaced : nil
    peerState.written = max(peerState.written, about.written)
    foundNumber = max(foundNumber, about.received[id]?.last ?? 0)
    for (number, file) in peerState.files
    where about.withdrawn.contains(number) && !peerState.withdrawn.contains(number) {
      if let session = file.session { sessions[session]?.remove(FileID(device, number)) }
    }
    peerState.withdrawn.formUnion(about.withdrawn)
  }

  /// The digest of an own file is known when it is read, so it can be a source of a session that another device completed.
  private mutating func receiveOwn(_ file: VaultFile) {
    foundNumber = max(foundNumber, file.number)
    guard case .part(let part) = file.content, own.live[file.number] != nil else { return }
    sessions[part.session]?.remove(file.reference.file)
    sessions[part.session, default: SharedSession()].add(part, file.reference)
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
  /// The sessions of the folder that are complete, or whose devices are all forgotten, and that the history does not contain.
  private func sessionsToStore(_ present: Set<FileReference>) -> [Received.Session] {
    var contents = Set(localSessions.values.compactMap(\.content))
    var result: [Received.Session] = []
    for (id, session) in sessions.sorted(by: { $0.key < $1.key }) where !state.isDeleted(id, session.content)
    {
      let known = localSessions[id]
      if known == nil, let content = session.content, contents.contains(content) { continue }
      let sources = session.sources(present.contains)
      guard isImprovement(sources, known, session), !awaitsProfile(session, sources) else { continue }
      if let content = session.content { contents.insert(content) }
      let localSession = LocalSession(
        content: session.content, parts: sources.count, hasEnded: true,
        lacksEvents: sources.contains(where: \.lacksEvents))
      let restores = known?.lacksEvents ?? false
      result.append(
        Received.Session(id: id, localSession: localSession, sources: sources, restores: restores))
    }
    return result
  }

  /// Whether the files contain the session with more parts, or with events that the history lacks.
  private func isImprovement(
    _ sources: [FileReference], _ known: LocalSession?, _ session: SharedSession
  ) -> Bool {
    guard !sources.isEmpty, sources.count == session.total || isAbandoned(session) else { return false }
    guard let known else { return true }
    if known.lacksEvents {
      return sources.count >= known.parts && sources.allSatisfy { !$0.lacksEvents && $0.file.device != id }
    }
    return known.parts < session.total ?? known.parts && sources.count > known.parts
  }

  /// Whether the record of the session's profile is in a file that has not arrived. The profile of that name in the history may be
  /// another one, because profiles can be renamed.
  private func awaitsProfile(_ session: SharedSession, _ sources: [FileReference]) -> Bool {
    guard let profile = session.content?.profile else { return false }
    let key = RecordKey(.profile, profile)
    guard state.records[key] == nil, state.tombstones[.record(key)] == nil else { return false }
    return !sources.allSatisfy { isComplete($0.file.device) }
  }

  /// Whether no device remains that could write the rest of the session.
  private func isAbandoned(_ session: SharedSession) -> Bool {
    session.partFiles.values.allSatisfy {
      $0.allSatisfy { state.isGone($0.file.device) && isComplete($0.file.device) }
    }
  }

  /// Whether all files of a device have arrived, or those of the identifier under which it continues. True for a forgotten device.
  private func isComplete(_ device: SharedID) -> Bool {
    var (device, previous) = (device, Set<SharedID>())
    while state.forgotten[device] == nil, previous.insert(device).inserted,
      let next = state.retired[device]?.stamp.device
    {
      device = next
    }
    guard device != id, state.forgotten[device] == nil else { return true }
    return peers[device].map { $0.aboutVersion > 0 && $0.missing.isEmpty } ?? false
  }
}

// MARK: - Findings

extension SyncDevice {
  /// The faults of single paths.
  var pathFindings: [SyncFinding] {
    read.sorted { $0.key < $1.key }.flatMap { path, entry -> [SyncFinding] in
      var findings = entry.finding.map { [$0] } ?? []
      if let expected = entry.expected, entry.finding == nil {
        let isCopy = entry.reference.map { read[expected]?.reference == $0 } ?? (read[expected]?.about != nil)
        findings.append(
          isCopy ? .duplicate(path: path, of: expected) : .misplaced(path: path, expected: expected))
      }
      return findings
    }
  }

  /// The faults of other devices that are not forgotten.
  func deviceFindings(_ present: Set<FileReference>, wall: Int64) -> [SyncFinding] {
    var findings: [SyncFinding] = []
    let abouts = Set(read.values.compactMap(\.about))
    var presentNumbers: [SharedID: NumberSet] = [:]
    for reference in present.sorted(by: { $0.file < $1.file }) {
      presentNumbers[reference.file.device, default: NumberSet()].insert(reference.file.number)
    }
    for (device, peerState) in peers.sorted(by: { $0.key < $1.key }) where !state.isGone(device) {
      if peerState.aboutVersion > 0, !abouts.contains(device) {
        findings.append(.missingDevice(device))
        continue
      }
      let missing = peerState.missing
      if !missing.isEmpty { findings.append(.missing(device: device, missing)) }
      let removed = peerState.received.subtracting(presentNumbers[device] ?? NumberSet()).subtracting(
        peerState.withdrawn)
      if !removed.isEmpty { findings.append(.removed(device: device, removed)) }
    }
    return findings + [fastClock(wall)].compactMap(\.self)
  }

  /// The device with the first stamp that is too far ahead. The stamps of later edits of the same values are later than this one also
  /// on devices whose clocks are right.
  private func fastClock(_ wall: Int64) -> SyncFinding? {
    let ahead = rejectedStamps.values.compactMap { stamp -> (stamp: Stamp, lead: Int64)? in
      let (lead, overflows) = stamp.milliseconds.subtractingReportingOverflow(wall)
      return overflows || lead > HybridClock.maximumLead ? (stamp, overflows ? .max : lead) : nil
    }
    return ahead.min { $0.stamp < $1.stamp }.map {
      .clockAhead(device: $0.stamp.device, milliseconds: $0.lead)
    }
  }

  /// Withdraws files of this device that are not in the folder. They are then written again.
  mutating func repair(_ present: Set<FileReference>) -> [SyncFinding] {
    let found = Set(present.lazy.filter { [id] in $0.file.device == id }.map(\.file.number))
    let lost = own.live.keys.filter { !found.contains($0) }.sorted()
    guard !lost.isEmpty else { return [] }
    for number in lost { withdraw(number) }
    return [.repaired(NumberSet(lost))]
  }

  /// Removes a file of this device from the folder's content.
  /// - Returns: Its name.
  @discardableResult
  mutating func withdraw(_ number: Int) -> VaultName? {
    guard let file = own.live.removeValue(forKey: number) else { return nil }
    own.withdrawn.insert(number)
    switch file.content {
    case .part(let session, _): sessions[session]?.remove(FileID(id, number))
    case .changes: needsSnapshot = true
    }
    return file.name
  }
}
