internal import HeartRate
internal import History

extension StoredHistory {
  /// Compares the history with the shared state and adds sessions, edits and deletions made since the last sync to the device.
  ///
  /// A device that joined a vault reads it first (``SyncPass/read(_:wall:using:)``). Rows whose values the vault contains
  /// already, for example of a history that was in this vault before, then become the same records.
  /// - Parameter wall: The machine's clock in ms since 1970.
  package mutating func addLocalChanges(to device: inout SyncDevice, wall: Int64) throws {
    guard let reader = try HistoryReader(location) else { return }
    let local = try reader.sync { rows in
      var local = try LocalRecords(rows, device)
      try addDeletions(rows, to: &device, wall)
      try addSessions(rows, local, to: &device, wall)
      for deleted in try rows.deletedTimes() { add(deleted, to: &device, wall) }
      // Entries are compared after the sessions that they refer to are known.
      try local.addTables(rows, device, registers: true)
      return local
    }
    addEdits(local, to: &device, wall)
    removeStraps(local, from: &device, wall)
    localRecords = local
  }

  private func addDeletions(_ rows: SyncRows, to device: inout SyncDevice, _ wall: Int64) throws {
    for deletion in try rows.deletions() {
      guard let key = RecordKey(deletion) else { continue }
      if key.kind == .session {
        guard let localSession = device.localSessions[key.id],
          !device.state.isDeleted(key.id, localSession.content)
        else { continue }
        device.deleteSession(key.id, wall: wall)
      } else if !device.state.isDeleted(key) {
        device.deleteRecord(key, wall: wall)
      }
    }
  }

  private func addSessions(
    _ rows: SyncRows, _ local: LocalRecords, to device: inout SyncDevice, _ wall: Int64
  ) throws {
    var stored: Set<SharedID> = []
    for session in try rows.sessions() {
      guard let id = SharedID(session.id) else { continue }
      stored.insert(id)
      // Its header states whether it has readings, which are stored at its end.
      guard session.hasEnded || session.isSampled else { continue }
      let parts =
        StoredSessions.parts(upTo: SessionTime(ticks: session.last ?? 0)) - (session.hasEnded ? 0 : 1)
      guard parts > 0 else { continue }
      var localSession = device.localSessions[id] ?? LocalSession(content: nil, parts: 0, hasEnded: false)
      // A session with deleted times keeps its parts, which may be empty.
      localSession.parts = max(localSession.parts, parts)
      localSession.hasEnded = localSession.hasEnded || session.hasEnded
      localSession.content =
        localSession.content ?? local.profiles[session.profile].flatMap { session.content(of: $0.id) }
      if localSession.hasEnded, device.localSessions[id]?.hasEnded != true {
        for deleted in try rows.deletedTimes(of: session) { add(deleted, to: &device, wall) }
      }
      if device.localSessions[id] != localSession { device.setLocalSession(id, localSession) }
    }
    // Not deleted by the user: triggers would have recorded that.
    for id in device.localSessions.keys where !stored.contains(id) { device.didErase(id) }
  }

  private func add(_ deleted: SyncDeletedTimes, to device: inout SyncDevice, _ wall: Int64) {
    guard let id = SharedID(deleted.session) else { return }
    let key = RecordKey(.cut, id)
    if device.state.records[key]?[deleted.name] == nil { device.edit(key, deleted.name, "1", wall: wall) }
  }

  private func addEdits(_ local: LocalRecords, to device: inout SyncDevice, _ wall: Int64) {
    for (key, values) in local.values.sorted(by: { $0.key < $1.key }) {
      for field in key.kind.fields {
        // An absent value of a record that was never read here is not a change.
        guard values[field] != nil || !local.isNew(key) else { continue }
        let shared = device.state.records[key]?[field]?.value
        guard !device.isEqual(field, values[field], shared) else { continue }
        device.edit(key, field, values[field], wall: wall)
      }
    }
  }

  /// A strap that was in the history after the last sync and is not any more was unpaired.
  private func removeStraps(_ local: LocalRecords, from device: inout SyncDevice, _ wall: Int64) {
    for key in local.removed.sorted() where key.kind == .strap {
      guard device.state.records[key]?["present"]?.value == "1" else { continue }
      device.edit(key, "present", "0", wall: wall)
    }
  }
}

extension SyncSessionRow {
  /// The content of a session that was not imported is derived from its ID.
  fileprivate func content(of profile: SharedID) -> SessionContent? {
    let bits = fingerprint.map { UInt128($0, radix: 16) } ?? SharedID(id)?.bits
    return bits.map { SessionContent(profile: profile, fingerprint: $0) }
  }
}

extension SyncDevice {
  /// Whether the values of a row equal those of a record.
  func isEqual(_ key: RecordKey, _ values: [String: String]) -> Bool {
    key.kind.fields.allSatisfy { isEqual($0, values[$0], state.records[key]?[$0]?.value) }
  }

  /// Whether a value of the history equals the shared one. Sessions with equal content are equal, and a session that the
  /// history does not contain equals an absent one.
  func isEqual(_ field: String, _ local: String?, _ shared: String?) -> Bool {
    guard field == "session", local != shared else { return local == shared }
    guard let shared = shared.flatMap({ SharedID($0) }) else { return false }
    return localSession(shared)?.text == local
  }

  /// Deletes the records that the history deletes together with sessions, for the reason for which these are deleted.
  mutating func deleteRecords(of sessions: [SharedID]) {
    let sessions = Set(sessions)
    for (key, fields) in state.records where key.kind.table != nil {
      guard let shared = fields["session"]?.value.flatMap({ SharedID($0) }),
        let session = localSession(shared), sessions.contains(session),
        let tombstone = state.tombstone(of: session, localSessions[session]?.content)
      else { continue }
      deleteRecord(key, becauseOf: tombstone)
    }
  }
}
