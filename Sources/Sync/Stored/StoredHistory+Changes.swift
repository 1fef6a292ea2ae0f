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
    let found = try reader.sync { rows in
      var local = try LocalRecords(rows, device)
      try addDeletions(rows, to: &device, wall)
      try addSessions(rows, local, to: &device, wall)
      try addCuts(rows, to: &device, wall)
      // Entries are compared after the sessions that they refer to are known.
      try local.addTables(rows, device, registers: true)
      return (local, try rows.records())
    }
    addEdits(found.0, to: &device, wall)
    removeStraps(found.0, found.1, from: &device, wall)
    localRecords = found.0
  }

  private func addDeletions(_ rows: SyncRows, to device: inout SyncDevice, _ wall: Int64) throws {
    for deletion in try rows.deletions() {
      guard let id = SharedID(deletion.id) else { continue }
      if deletion.kind == "session" {
        guard let localSession = device.localSessions[id], !device.state.isDeleted(id, localSession.content)
        else { continue }
        device.deleteSession(id, wall: wall)
      } else {
        let key = RecordKey(RecordKind(deletion.kind), id)
        if device.state.tombstones[.record(key)] == nil { device.deleteRecord(key, wall: wall) }
      }
    }
  }

  private func addSessions(
    _ rows: SyncRows, _ local: LocalRecords, to device: inout SyncDevice, _ wall: Int64
  ) throws {
    var stored: Set<SharedID> = []
    for session in try rows.sessions() {
      guard let id = SharedID(session.id.text) else { continue }
      stored.insert(id)
      // Its header states whether it has readings, which are stored at its end.
      guard session.hasEnded || session.isSampled else { continue }
      let parts = StoredSessions.parts(upTo: session.last ?? .zero) - (session.hasEnded ? 0 : 1)
      guard parts > 0 else { continue }
      var localSession = device.localSessions[id] ?? LocalSession(content: nil, parts: 0, hasEnded: false)
      // A session with deleted times keeps its parts, which may be empty.
      localSession.parts = max(localSession.parts, parts)
      localSession.hasEnded = localSession.hasEnded || session.hasEnded
      localSession.content =
        localSession.content ?? local.profiles[session.profile].flatMap { session.content(of: $0.id) }
      if localSession.hasEnded, device.localSessions[id]?.hasEnded != true {
        for cut in try rows.deletedTimes(of: session.id) { add(cut, to: &device, wall) }
      }
      if device.localSessions[id] != localSession { device.setLocalSession(id, localSession) }
    }
    // Not deleted by the user: triggers would have recorded that.
    for id in device.localSessions.keys where !stored.contains(id) { device.didErase(id) }
  }

  private func addCuts(_ rows: SyncRows, to device: inout SyncDevice, _ wall: Int64) throws {
    for cut in try rows.cuts() { add(cut, to: &device, wall) }
  }

  private func add(_ cut: SyncCutRow, to device: inout SyncDevice, _ wall: Int64) {
    guard let id = SharedID(cut.session) else { return }
    let key = RecordKey(.cut, id)
    if device.state.records[key]?[cut.name] == nil { device.edit(key, cut.name, "1", wall: wall) }
  }

  private func addEdits(_ local: LocalRecords, to device: inout SyncDevice, _ wall: Int64) {
    for (key, values) in local.values.sorted(by: { $0.key < $1.key }) {
      for field in SharedFields.names(of: key.kind) {
        // An absent value of a record that was never read here is not a change.
        guard values[field] != nil || !local.isNew(key) else { continue }
        let shared = device.state.records[key]?[field]?.value
        guard !device.isEqual(field, values[field], shared) else { continue }
        device.edit(key, field, values[field], wall: wall)
      }
    }
  }

  /// A strap that was in the history after the last sync and is not any more was unpaired.
  private func removeStraps(
    _ local: LocalRecords, _ saved: [SyncRecordRow], from device: inout SyncDevice, _ wall: Int64
  ) {
    for record in saved where record.kind == RecordKind.strap.name && record.row != nil {
      guard let id = SharedID(record.id) else { continue }
      let key = RecordKey(.strap, id)
      if local.values[key] == nil, device.state.records[key]?["present"]?.value == "1" {
        device.edit(key, "present", "0", wall: wall)
      }
    }
  }
}

extension SyncSessionRow {
  /// The content of a session that was not imported is derived from its ID.
  fileprivate func content(of profile: SharedID) -> SessionContent? {
    let bits = fingerprint.map { $0.reduce(0) { $0 << 8 | UInt128($1) } } ?? SharedID(id.text)?.bits
    return bits.map { SessionContent(profile: profile, fingerprint: $0) }
  }
}

/// The fields of the kinds that this version knows.
enum SharedFields {
  static func names(of kind: RecordKind) -> [String] {
    switch kind {
    case .profile: ["name"]
    case .setting: ProfileSettings.fields
    case .strap: SyncedStrap.fields
    default: SyncedTable.all.first { $0.kind == kind.name }?.fields ?? []
    }
  }
}

extension SyncDevice {
  /// The current values of a record; absent if it is deleted.
  func values(of key: RecordKey) -> [String: String]? { state.records[key]?.compactMapValues(\.value) }

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
    for (key, fields) in state.records where SyncedTable.all.contains(where: { $0.kind == key.kind.name }) {
      guard let shared = fields["session"]?.value.flatMap({ SharedID($0) }),
        let session = localSession(shared), sessions.contains(session),
        let tombstone = state.tombstone(of: session, localSessions[session]?.content)
      else { continue }
      deleteRecord(key, becauseOf: tombstone)
    }
  }
}
