/// The history of a device, as far as sync changes it.
package protocol SyncedHistory {
  /// Saves the state of the device, durably. Called before files are written.
  mutating func save(_ device: SyncDevice) throws
  /// Saves which `about.age` the folder contains. Called after files were written.
  mutating func saveWrittenAbout(of device: SyncDevice) throws
  /// Prepares the history for sessions, after the folder was read.
  mutating func prepare(_ device: SyncDevice) throws
  /// Stores a session, or replaces one that has fewer parts. Nothing is stored if it throws.
  /// - Parameter part: Returns the lines of a part. To be called in order; throws ``PartUnavailableError``.
  mutating func store(_ session: Received.Session, part: (Int) throws -> ArraySlice<UInt8>) throws
  /// Erases sessions permanently, because of tombstones in the state of the device.
  mutating func erase(_ sessions: [SharedID], of device: inout SyncDevice) throws
  /// The lines of one part of a session.
  func events(of session: SharedID, part: Int) throws -> [UInt8]
}

/// A file of a session changed since the folder was listed. The next sync reads it again.
package struct PartUnavailableError: Error {}

/// One sync: reads the folder, changes the history, and writes the files of this device.
package struct SyncPass<Crypt: FileCrypt>: Sendable {
  package let folder: VaultFolder
  package let codec: VaultCodec<Crypt>

  private let upgrades: Bool

  /// - Parameter upgrades: Whether a device of format 1 gets a signing key. Tests run the earlier program without.
  package init(folder: VaultFolder, codec: VaultCodec<Crypt>, upgrades: Bool = true) {
    self.folder = folder
    self.codec = codec
    self.upgrades = upgrades
  }

  /// - Parameter wall: The machine's clock in ms since 1970.
  /// - Returns: The faults of the folder, and what was exchanged; everything else was processed.
  /// - Throws: ``VaultError`` if the folder cannot be read or written, and errors of the history. What was done remains valid, and
  ///   the next sync completes it.
  package func run(
    _ device: inout SyncDevice, _ history: inout some SyncedHistory, wall: Int64,
    using generator: inout some RandomNumberGenerator
  ) throws -> SyncReport {
    let received = try read(&device, wall: wall, using: &generator)
    folder.removeTemporaries(of: device.id)
    var report = SyncReport()
    report.findings = received.findings
    report.changesReceived = received.changes
    try history.prepare(device)
    report.sessionsReceived = try store(received, &device, &history)
    report.sessionsErased = received.erased.count
    // The files that were read may have changed the key.
    let codec = try codec.encrypting(for: device.key)
    let plan = device.publish(wall: wall, tag: codec.tag)
    try history.save(device)
    for file in plan.files {
      try folder.write(
        codec.encode(file, signedWith: device.signingKey, events: events(of: file, history)),
        to: VaultPath.text(file.device, file.name))
    }
    folder.remove(plan.removals)
    if device.didWrite(plan) { try history.saveWrittenAbout(of: device) }
    report.add(plan)
    return report
  }

  /// Reads the folder into the device, without changing the history.
  package func read(
    _ device: inout SyncDevice, wall: Int64, using generator: inout some RandomNumberGenerator
  ) throws -> Received {
    try folder.description().check(vault: codec.vault, recipient: codec.crypt.firstRecipient)
    let received = try receive(&device, wall, &generator)
    guard upgrades, let finding = device.upgrade(wall: wall, using: &generator) else { return received }
    var again = try receive(&device, wall, &generator)
    again.changes += received.changes
    again.findings.append(finding)
    return again
  }

  private func receive(
    _ device: inout SyncDevice, _ wall: Int64, _ generator: inout some RandomNumberGenerator
  ) throws -> Received {
    let listing = try folder.listing()
    return device.receive(
      listing.files, folderKeys: listing.keys.compactMap(KeyFile.key(ofName:)), wall: wall, using: &generator
    ) { open($0).file }
  }

  private func open(_ path: String) -> (file: OpenedFile, events: ArraySlice<UInt8>) {
    // A file that cannot be read, for instance because it was removed meanwhile, is read again by the next sync.
    guard let bytes = try? folder.read(path, limit: VaultCodec<Crypt>.sizeLimit) else {
      return (.damaged, [])
    }
    return codec.decode(bytes)
  }

  /// - Returns: The number of stored sessions.
  private func store(
    _ received: Received, _ device: inout SyncDevice, _ history: inout some SyncedHistory
  ) throws -> Int {
    var count = 0
    for session in received.sessions {
      do {
        try history.store(session) { try part($0, of: session, device) }
      } catch is PartUnavailableError {
        continue
      }
      device.didStore(session)
      count += 1
    }
    guard !received.erased.isEmpty else { return count }
    try history.erase(received.erased, of: &device)
    for session in received.erased { device.didErase(session) }
    return count
  }

  private func part(
    _ number: Int, of session: Received.Session, _ device: SyncDevice
  ) throws(PartUnavailableError) -> ArraySlice<UInt8> {
    let source = session.sources[number]
    guard let path = device.path(of: source) else { throw PartUnavailableError() }
    let (opened, events) = open(path)
    guard case .file(let file, _) = opened, file.digest == source.digest else { throw PartUnavailableError() }
    return events
  }

  private func events(of file: VaultFile, _ history: some SyncedHistory) throws -> [UInt8] {
    guard case .part(let part) = file.content else { return [] }
    return try history.events(of: part.session, part: part.part)
  }
}

/// What one sync found and exchanged.
package struct SyncReport: Sendable {
  /// The faults of the folder.
  package var findings: [SyncFinding] = []
  /// Sessions that were stored in the history.
  package var sessionsReceived = 0
  /// Sessions of which files were written.
  package var sessionsSent = 0
  /// Changes of records, tombstones and devices that were new to this device.
  package var changesReceived = 0
  /// Changes in the files that were written; the whole shared state if it replaces earlier files.
  package var changesSent = 0
  package var filesWritten = 0
  /// Sessions that were erased from the history because another device deleted them.
  package var sessionsErased = 0

  package init() {}

  mutating func add(_ plan: FolderPlan) {
    var sessions: Set<SharedID> = []
    for file in plan.files {
      switch file.content {
      case .about: break
      case .part(let part): sessions.insert(part.session)
      case .changes(let changes): changesSent += changes.count
      }
    }
    sessionsSent += sessions.count
    filesWritten += plan.files.count
  }
}
