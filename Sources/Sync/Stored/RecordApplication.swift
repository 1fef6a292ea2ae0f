internal import History

/// Writes the values of the shared records to the history, where they differ, in one transaction.
///
/// A field whose row changed since ``seen`` keeps its value; the next sync shares it.
struct RecordApplication {
  let device: SyncDevice
  let seen: LocalRecords
  /// In microseconds since 1970.
  let time: Int64
  /// The measurements to store of sessions of which a part is deleted.
  let sampling: MeasurementSampling

  struct Result {
    /// The rows that contain the records.
    var rows: [RecordKey: Int64] = [:]
    /// Records whose rows were deleted meanwhile.
    var absent: Set<RecordKey> = []
    /// Names of profiles whose baselines must be estimated again.
    var changedBaselines: Set<String> = []
  }

  init(_ device: SyncDevice, seen: LocalRecords, at time: Int64, sampling: MeasurementSampling) {
    (self.device, self.seen, self.time, self.sampling) = (device, seen, time, sampling)
  }

  func run(_ history: SyncRows) throws -> Result {
    var result = Result()
    try deleteProfiles(history)
    try createProfiles(history, try read(history))
    try rename(history, try read(history))
    let fresh = try read(history)
    try applySettings(history, fresh, &result)
    try applyStraps(history, fresh)
    for table in SyncedTable.all { try apply(table, history, fresh, &result) }
    result.changedBaselines.formUnion(try applyCuts(history))
    result.rows.merge(try read(history).rows) { $1 }
    return result
  }

  private func read(_ history: SyncRows) throws -> LocalRecords {
    // A profile that remains after its record was deleted becomes another record.
    let known = seen.rows.filter { key, _ in
      !Self.kindsOfProfiles.contains(key.kind.name) || device.state.tombstones[.record(key)] == nil
    }
    var local = try LocalRecords(history, device, known: known)
    try local.addTables(history, device, registers: false)
    return local
  }

  /// The value to write; nil for the current one.
  private func change(_ key: RecordKey, _ field: String, from current: String?) -> String?? {
    // A field that no device has set keeps its value, as does one that changed meanwhile.
    guard let shared = device.state.records[key]?[field] else { return nil }
    if let known = seen.values[key], known[field] != current { return nil }
    return device.isEqual(field, current, shared.value) ? nil : .some(shared.value)
  }

  /// The values of a record after the changes; nil without any.
  private func changed(_ key: RecordKey, _ current: [String: String], _ fields: [String]) -> [String: String]?
  {
    var values = current
    var isChanged = false
    for field in fields {
      guard let value = change(key, field, from: current[field]) else { continue }
      values[field] = value
      isChanged = true
    }
    return isChanged ? values : nil
  }
}

// MARK: - Profiles

extension RecordApplication {
  /// Deletes the profiles of tombstones. One with data that were not deleted is kept, and becomes another record.
  private func deleteProfiles(_ history: SyncRows) throws {
    for (key, row) in seen.rows
    where key.kind == .profile && device.state.tombstones[.record(key)] != nil {
      guard try !history.deleteEmptyProfile(row) else { continue }
      for record in try history.records()
      where record.row == row && Self.kindsOfProfiles.contains(record.kind) {
        try history.removeRecord(kind: record.kind, id: record.id)
      }
    }
  }

  private static let kindsOfProfiles = [RecordKind.profile, .strap, .setting].map(\.name)

  /// Whether a profile must be created or renamed.
  var changesProfiles: Bool {
    device.state.records.contains { key, fields in
      key.kind == .profile && fields["name"]?.value != seen.values[key]?["name"]
    }
  }

  /// Creates and renames profiles.
  /// - Returns: The profiles.
  func prepareProfiles(_ history: SyncRows) throws -> LocalRecords {
    try createProfiles(history, try read(history))
    try rename(history, try read(history))
    return try read(history)
  }

  private func createProfiles(_ history: SyncRows, _ fresh: LocalRecords) throws {
    var names = Set(fresh.profiles.values.map(\.row.name))
    for (key, fields) in device.state.records.sorted(by: { $0.key < $1.key }) where key.kind == .profile {
      guard let name = fields["name"]?.value, !name.isEmpty, fresh.rows[key] == nil else { continue }
      let free = names.contains(name) ? Self.unique(name, key, names) : name
      names.insert(free)
      let row = try history.profile(creating: free)
      try history.save(SyncRecordRow(kind: key.kind.name, id: key.id.text, row: row))
    }
  }

  /// Renames profiles, first to temporary names, because names may be exchanged. Of two profiles with one name, that with the
  /// greater identifier gets another one, which the next sync shares.
  private func rename(_ history: SyncRows, _ fresh: LocalRecords) throws {
    var names: [String: Int64] = [:]
    var renamed: [(row: Int64, name: String)] = []
    for (row, profile) in fresh.profiles.sorted(by: { $0.value.id < $1.value.id }) {
      let key = RecordKey(.profile, profile.id)
      let current = profile.row.name
      let desired = change(key, "name", from: current).flatMap { $0 } ?? current
      let name = names[desired] == nil ? desired : Self.unique(desired, key, Set(names.keys))
      names[name] = row
      if name != current { renamed.append((row, name)) }
    }
    for (row, _) in renamed { try history.renameProfile(row, to: "\n\(row)") }
    for (row, name) in renamed { try history.renameProfile(row, to: name) }
  }

  private static func unique(_ name: String, _ key: RecordKey, _ names: Set<String>) -> String {
    let candidates = (4...26).map { "\(name)-\(key.id.text.suffix($0))" }
    return candidates.first { !names.contains($0) } ?? key.id.text
  }

  private func applySettings(_ history: SyncRows, _ fresh: LocalRecords, _ result: inout Result) throws {
    for profile in fresh.profiles.values {
      let key = RecordKey(.setting, profile.id)
      guard let values = changed(key, fresh.values[key] ?? [:], ProfileSettings.fields) else { continue }
      let (old, new) = (ProfileSettings(profile.row), ProfileSettings(values))
      guard old != new else { continue }
      if old.baseline != new.baseline {
        try history.setBaseline(new.baseline, of: profile.row.name, at: time)
      }
      if old.learnsSince != new.learnsSince { try history.setStart(new.learnsSince, of: profile.row.name) }
      result.changedBaselines.insert(profile.row.name)
    }
  }

  private func applyStraps(_ history: SyncRows, _ fresh: LocalRecords) throws {
    for (key, fields) in device.state.records where key.kind == .strap {
      guard let id = fields["profile"]?.value.flatMap({ SharedID($0) }),
        let profile = fresh.profiles.first(where: { $0.value.id == id })?.key,
        let address = fields["address"]?.value
      else { continue }
      let current = fresh.values[key] ?? [:]
      guard let values = changed(key, current, StrapRecord.fields) else { continue }
      if values["present"] != "1" {
        if !current.isEmpty { try history.removeStrap(address, of: profile) }
      } else if let strap = StrapRecord(values, profile: profile) {
        try history.save(strap.row)
      }
    }
  }
}

// MARK: - Tables

extension RecordApplication {
  private func apply(
    _ table: SyncedTable, _ history: SyncRows, _ fresh: LocalRecords, _ result: inout Result
  ) throws {
    let kind = RecordKind(table.kind)
    for (key, row) in seen.rows.merging(fresh.rows, uniquingKeysWith: { $1 }) where key.kind == kind {
      guard let current = fresh.values[key] else {
        result.absent.insert(key)
        continue
      }
      if device.state.tombstones[.record(key)] != nil {
        try history.delete(row, from: table)
      } else if let values = changed(key, current, table.fields), let columns = columns(values, fresh) {
        _ = try history.update(row, columns, in: table)
      }
    }
    for (key, fields) in device.state.records.sorted(by: { $0.key < $1.key })
    where key.kind == kind && seen.rows[key] == nil && fresh.rows[key] == nil {
      guard let columns = columns(fields.compactMapValues(\.value), fresh),
        let row = try history.insert(columns, into: table)
      else { continue }
      result.rows[key] = row
    }
  }

  /// The values with the number of the local profile and the local session. Nil if the profile is not in the history.
  private func columns(_ values: [String: String], _ fresh: LocalRecords) -> [String: String]? {
    var columns = values
    if let profile = values["profile"] {
      guard let number = fresh.profiles.first(where: { $0.value.id.text == profile })?.key else { return nil }
      columns["profile"] = "\(number)"
    }
    if let session = values["session"].flatMap({ SharedID($0) }) {
      columns["session"] = (device.localSession(session) ?? session).text
    }
    return columns
  }

  /// Deletes the shared times of sessions.
  /// - Returns: The names of the profiles of the changed sessions.
  private func applyCuts(_ history: SyncRows) throws -> Set<String> {
    var cuts: [SyncCutRow] = []
    for (key, fields) in device.state.records where key.kind == .cut {
      guard let session = device.localSession(key.id) else { continue }
      cuts += fields.keys.compactMap { SyncCutRow(session: session.text, name: $0) }
    }
    return try history.apply(cuts, sampling: sampling)
  }
}

// MARK: - Saving

extension SyncRows {
  /// The records that were deleted in the history since the device read its deletions. Their versions must not be saved.
  func pendingDeletions(_ device: SyncDevice, _ absent: Set<RecordKey>) throws -> Set<RecordKey> {
    var pending = absent
    for deletion in try deletions() {
      guard let id = SharedID(deletion.id) else { continue }
      let target =
        deletion.kind == "session" ? Deleted.session(id) : .record(RecordKey(RecordKind(deletion.kind), id))
      if device.state.tombstones[target] != nil {
        try remove(deletion)
      } else if case .record(let key) = target {
        pending.insert(key)
      }
    }
    for key in absent where device.state.tombstones[.record(key)] == nil {
      try add(SyncDeletionRow(kind: key.kind.name, id: key.id.text))
    }
    return pending
  }

  /// Saves the state of a device.
  /// - Parameters:
  ///   - rows: The rows of records, in addition to those that are saved.
  ///   - absent: Records without values.
  func save(_ device: SyncDevice, rows: [RecordKey: Int64], except absent: Set<RecordKey>) throws {
    try save(SyncLedger(device).entries)
    var saved: Set<RecordKey> = []
    for record in try records() {
      guard let id = SharedID(record.id) else { continue }
      let key = RecordKey(RecordKind(record.kind), id)
      if device.state.records[key] == nil || absent.contains(key) {
        try removeRecord(kind: record.kind, id: record.id)
      } else if rows[key] == nil || rows[key] == record.row {
        saved.insert(key)
      }
    }
    var versions: Set<SyncVersionRow> = []
    for (key, fields) in device.state.records where !absent.contains(key) {
      if !saved.contains(key) {
        try save(SyncRecordRow(kind: key.kind.name, id: key.id.text, row: rows[key]))
      }
      for (field, value) in fields {
        versions.formUnion(value.versions.map { SyncVersionRow(key, field, $0) })
      }
    }
    try save(versions)
  }
}

extension SyncVersionRow {
  fileprivate init(_ key: RecordKey, _ field: String, _ version: FieldVersion) {
    self.init(
      kind: key.kind.name, id: key.id.text, field: field, milliseconds: version.stamp.milliseconds,
      counter: Int64(version.stamp.counter), device: version.stamp.device.text, value: version.value)
  }
}
