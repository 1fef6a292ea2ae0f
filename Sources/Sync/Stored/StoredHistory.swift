package import HeartRate
package import History
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
    let state = try reader.sync { (try $0.ledger(), try $0.versions()) }
    guard !state.0.isEmpty else { return nil }
    guard var device = SyncDevice(SyncLedger(entries: state.0)) else {
      throw HistoryError(.corrupt, path: location.path, .read, detail: "state of the sync")
    }
    for version in state.1 { device.restore(version) }
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
      try rows.setVault(folder: membership.folder, vault: membership.vault.text, name: membership.name)
      try rows.save(SyncLedger(device).entries)
    }
    localRecords = nil
  }

  /// Stores another path of the folder, which was moved.
  package mutating func setFolder(_ path: String) throws(HistoryError) {
    guard let membership = try membership() else { return }
    try write { rows in
      try rows.setVault(folder: path, vault: membership.vault.text, name: membership.name)
    }
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
    let key = SyncLedgerKey(SyncLedger.Kind.writtenAbout.rawValue, "")
    try write { try $0.put("\(device.own.writtenAbout)", for: key) }
  }

  private func application(_ device: SyncDevice) -> RecordApplication? {
    localRecords.map {
      RecordApplication(device, localRecords: $0, at: clock().microseconds, sampling: sessions.sampling)
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
    var ledger = SyncLedger(entries: [:])
    ledger.put(device.state.tombstones)
    try write { rows in
      for (key, value) in ledger.entries { try rows.put(value, for: key) }
    }
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
