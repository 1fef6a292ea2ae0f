package import HeartRate
package import History
package import Localization
internal import Platform

/// The folder and the vault of a device.
package struct SyncMembership: Equatable, Sendable {
  /// Path of the folder.
  package var folder: String
  package var vault: SharedID
  /// The name of this device.
  package var name: String

  package init(folder: String, vault: SharedID, name: String) {
    (self.folder, self.vault, self.name) = (folder, vault, name)
  }

  fileprivate var row: SyncVaultRow { SyncVaultRow(folder: folder, vault: vault.text, name: name) }
}

/// The history of this device as ``SyncedHistory``.
///
/// The shared state and the rows of the history change in one transaction (``save(_:)``), so the rows always equal the saved
/// shared state, except for changes that were made on this device since. ``addLocalChanges(to:wall:)`` finds these by comparison.
package struct StoredHistory: SyncedHistory {
  let location: StoreLocation
  let sessions: StoredSessions
  let clock: @Sendable () -> WallTime
  let today: @Sendable () -> Int
  /// The records of the history, once ``addLocalChanges(to:wall:)`` has found them.
  var localRecords: LocalRecords?

  /// - Parameters:
  ///   - sampling: The measurements to store of received sessions.
  ///   - clock: The time at which rows are changed.
  ///   - today: The local day up to which baselines are estimated, in days since 1970-01-01.
  package init(
    _ location: StoreLocation, sampling: MeasurementSampling = .every(.seconds(10)),
    clock: @escaping @Sendable () -> WallTime = { SystemClock.wall },
    today: @escaping @Sendable () -> Int = { LocalZone.today }
  ) {
    (self.location, self.clock, self.today) = (location, clock, today)
    sessions = StoredSessions(location, sampling: sampling)
  }

  /// The device of this history, if it is in a vault.
  /// - Throws: ``HistoryError``, with the code `corrupt` if the state cannot be read.
  package func device() throws(HistoryError) -> SyncDevice? {
    guard let reader = try HistoryReader(location) else { return nil }
    let (ledger, versions) = try reader.sync { (try $0.ledger(), try $0.versions()) }
    guard !ledger.isEmpty else { return nil }
    guard var device = try? SyncDevice(SyncLedger(ledger)) else {
      throw HistoryError(.corrupt, path: location.path, .read, detail: "state of the sync")
    }
    for version in versions { device.restore(version) }
    return device
  }

  /// The folder and the vault that were stored with ``begin(_:_:)``, if the history is in a vault.
  package func membership() throws(HistoryError) -> SyncMembership? {
    guard let row = try HistoryReader(location)?.sync({ try $0.vault() }) else { return nil }
    guard let vault = SharedID(row.vault) else {
      throw HistoryError(.corrupt, path: location.path, .read, detail: "identifier of the vault")
    }
    return SyncMembership(folder: row.folder, vault: vault, name: row.name)
  }

  /// Joins a vault: stores the membership and the state of the new device.
  package mutating func begin(_ device: SyncDevice, _ membership: SyncMembership) throws(HistoryError) {
    try write { rows in
      try rows.removeAll()
      try rows.save(membership.row)
      try rows.save(SyncLedger(device).entries)
    }
    localRecords = nil
  }

  /// Stores another path of the folder, which was moved.
  package mutating func setFolder(_ path: String) throws(HistoryError) {
    guard var membership = try membership() else { return }
    membership.folder = path
    try write { try $0.save(membership.row) }
  }

  /// Leaves the vault: removes all rows about sync; sessions, journal and profiles stay.
  package mutating func leave() throws(HistoryError) {
    try write { try $0.removeAll() }
    localRecords = nil
  }

  /// Runs `body` in a transaction, and then overwrites the remains of all rows that were deleted. `body` throws only errors of the history.
  func write<T>(_ body: (SyncRows) throws -> T) throws(HistoryError) -> T {
    do {
      return try HistoryWriter(location, finishesErasure: false).sync(body)
    } catch let error as HistoryError {
      throw error
    } catch {
      throw HistoryError(.refused, path: location.path, .write, detail: String(describing: error))
    }
  }
}

// MARK: - Synchronisation

/// The history belongs to no vault.
package struct NoVaultError: Error, Equatable, Sendable, Translatable {
  package init() {}

  /// The message in English.
  package var description: String { Language.english.text(message) }

  package var message: Phrase {
    Phrase("this history is in no vault; type: stressmon sync init FOLDER, or: stressmon sync join FOLDER")
  }
}

/// Exchanges the history with the folder of its vault once. Hold the ``SyncLock`` of the history.
/// - Parameters:
///   - announcements: The keys of this device. Those that its history does not know yet are learned, after the changes of the user
///     are known and in the transaction that stores what follows from it.
///   - wall: The machine's clock in ms since 1970.
///   - generator: For a new identifier of a restored history.
/// - Throws: ``NoVaultError``, ``VaultError`` if the folder cannot be used, ``HistoryError``, ``SessionSyncError``. What was done
///   remains valid, and the next sync completes it.
package func synchronise<Crypt: FileCrypt>(
  folder: VaultFolder, codec: VaultCodec<Crypt>, history: inout StoredHistory,
  learning announcements: [KeyAnnouncement] = [], wall: Int64,
  using generator: inout some RandomNumberGenerator
) throws -> SyncReport {
  guard var device = try history.device() else { throw NoVaultError() }
  let pass = SyncPass(folder: folder, codec: codec)
  var changes = 0
  // A new device reads the vault before it compares its history with it.
  if device.own.about == nil { changes = try pass.read(&device, wall: wall, using: &generator).changes }
  try history.addLocalChanges(to: &device, wall: wall)
  for announcement in announcements { device.learn(announcement) }
  var report = try pass.run(&device, &history, wall: wall, using: &generator)
  report.changesReceived += changes
  return report
}

// MARK: - Sessions

extension StoredHistory {
  /// Saves the state of the device and, after ``addLocalChanges(to:wall:)``, writes the values of the shared records to the
  /// history where they differ, in one transaction. Estimates the baselines of profiles with sessions that were received.
  package mutating func save(_ device: SyncDevice) throws(HistoryError) {
    let application = application(device)
    let profiles = try write { rows in
      let result = try application?.run(rows)
      let absent = try rows.pendingDeletions(device, result?.absent ?? [])
      try rows.save(device, rows: result?.rows ?? [:], except: absent)
      return try rows.profilesToSearch().union(result?.changedBaselines ?? [])
    }
    localRecords = nil
    for profile in profiles { try estimateBaseline(of: profile) }
  }

  /// A session that cannot be read does not stop the sync; the next one searches it again.
  private func estimateBaseline(of profile: String) throws(HistoryError) {
    do throws(HistoryError) {
      try BaselineUpdater(location).learn(profile, today: today(), at: clock())
    } catch let error where error.code == .corrupt {}
  }

  package func saveWrittenAbout(of device: SyncDevice) throws(HistoryError) {
    var ledger = SyncLedger([])
    ledger.put(.writtenAbout, "", "\(device.own.writtenAbout)")
    try write { rows in try ledger.entries.forEach(rows.save) }
  }

  private func application(_ device: SyncDevice) -> RecordApplication? {
    localRecords.map {
      RecordApplication(
        device: device, localRecords: $0, time: clock().microseconds, sampling: sessions.sampling)
    }
  }

  /// Creates and renames profiles, to store sessions under the names that their profiles have now.
  package mutating func prepare(_ device: SyncDevice) throws(HistoryError) {
    guard let application = application(device), application.changesProfiles else { return }
    let current = try write { try application.prepareProfiles($0) }
    localRecords?.updateProfiles(from: current)
  }

  package mutating func store(
    _ session: Received.Session, part: (Int) throws -> ArraySlice<UInt8>
  ) throws {
    try sessions.store(session, profile: profile(of: session), at: clock(), part: part)
  }

  /// Saves the tombstones first, also those of the records that the history deletes together with a session. Otherwise a program
  /// that is killed in between would mistake the erasure for a deletion by its user.
  package mutating func erase(
    _ sessions: [SharedID], of device: inout SyncDevice
  ) throws(HistoryError) {
    device.deleteRecords(of: sessions)
    var ledger = SyncLedger([])
    ledger.put(device.state.tombstones)
    try write { rows in try ledger.entries.forEach(rows.save) }
    try self.sessions.erase(sessions, today: today(), at: clock())
  }

  package func events(of session: SharedID, part: Int) throws -> [UInt8] {
    try sessions.events(of: session, part: part)
  }

  /// The name of the local profile of a received session, whose header contains the name at the time of its recording.
  private func profile(of session: Received.Session) -> String? {
    session.localSession.content.flatMap { localRecords?.profileName(of: $0.profile) }
  }
}

// MARK: - State

extension SyncRows {
  /// The records that were deleted in the history since the device read its deletions. Their versions must not be saved.
  fileprivate func pendingDeletions(_ device: SyncDevice, _ absent: Set<RecordKey>) throws -> Set<RecordKey> {
    var pending = absent
    for deletion in try deletions() {
      guard let key = RecordKey(deletion) else { continue }
      let isSession = key.kind == .session
      if isSession ? device.localSessions[key.id] == nil : device.state.isDeleted(key) {
        try removeDeletion(of: deletion)
      } else if !isSession {
        pending.insert(key)
      }
    }
    for key in absent where !device.state.isDeleted(key) { try addDeletion(of: SyncRecordRow(key)) }
    return pending
  }

  /// Saves the state of a device.
  /// - Parameters:
  ///   - rows: The rows of records, in addition to those that are saved.
  ///   - absent: Records without values.
  fileprivate func save(_ device: SyncDevice, rows: [RecordKey: Int64], except absent: Set<RecordKey>) throws
  {
    var rows = rows
    for record in try records() {
      if let key = RecordKey(record), rows[key] == nil { rows[key] = record.row }
    }
    let present = device.state.records.filter { !absent.contains($0.key) }
    try save(SyncLedger(device).entries)
    try save(Set(present.keys.map { SyncRecordRow($0, row: rows[$0]) }))
    try save(
      present.reduce(into: Set<SyncVersionRow>()) { versions, record in
        for (field, value) in record.value {
          versions.formUnion(value.entries.map { SyncVersionRow(record.key, field, $0) })
        }
      })
  }
}

extension SyncVersionRow {
  fileprivate init(_ key: RecordKey, _ field: String, _ entry: SharedField.Entry) {
    let version = entry.version
    self.init(
      kind: key.kind.name, id: key.id.text, field: field, milliseconds: version.stamp.milliseconds,
      counter: Int64(version.stamp.counter), device: version.stamp.device.text, value: version.value,
      about: Int64(entry.receipt.about), epoch: Int64(entry.receipt.epoch))
  }
}

extension SyncDevice {
  /// Adds a version of a field. One whose identifiers are malformed is ignored.
  fileprivate mutating func restore(_ row: SyncVersionRow) {
    guard let id = SharedID(row.id), let device = SharedID(row.device),
      let counter = UInt32(exactly: row.counter), let about = Int(exactly: row.about),
      let epoch = Int(exactly: row.epoch)
    else { return }
    let stamp = Stamp(milliseconds: row.milliseconds, counter: counter, device: device)
    state.merge(
      .set(RecordKey(RecordKind(row.kind), id), field: row.field, FieldVersion(row.value?.text, stamp)),
      Receipt(about: about, epoch: epoch))
  }
}
