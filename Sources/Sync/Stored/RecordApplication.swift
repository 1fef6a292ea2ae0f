internal import History

/// Writes the values of the shared records to the history, where they differ, in one transaction.
///
/// A field whose row changed since ``localRecords`` keeps its value; the next sync shares it.
struct RecordApplication {
  let device: SyncDevice
  let localRecords: LocalRecords
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

  init(_ device: SyncDevice, localRecords: LocalRecords, at time: Int64, sampling: MeasurementSampling) {
    (self.device, self.localRecords, self.time, self.sampling) = (device, localRecords, time, sampling)
  }

  func run(_ history: SyncRows) throws -> Result {
    var result = Result()
    try deleteRows(history)
    try deleteProfiles(history)
    try removeEmptied(history)
    if changesProfiles { _ = try prepareProfiles(history) }
    let fresh = try read(history)
    try applySettings(history, fresh, &result)
    try applyStraps(history, fresh)
    for table in SyncedTable.all { try apply(table, history, fresh, &result) }
    result.changedBaselines.formUnion(try applyCuts(history))
    result.rows.merge(try read(history).rows) { $1 }
    return result
  }

  func read(_ history: SyncRows) throws -> LocalRecords {
    // A profile that remains after its record was deleted becomes another record.
    let known = localRecords.rows.filter { key, _ in
      !isEmptied(key)
        && (!Self.kindsOfProfiles.contains(key.kind.name) || device.state.tombstones[.record(key)] == nil)
    }
    var local = try LocalRecords(history, device, known: known)
    try local.addTables(history, device, registers: false)
    return local
  }

  /// The value to write, or `nil` to keep the current one.
  func change(_ key: RecordKey, _ field: String, from current: String?) -> String?? {
    // A field that changed meanwhile keeps its value.
    if let known = localRecords.values[key], known[field] != current { return nil }
    guard let shared = device.state.records[key]?[field] else {
      // As does one that no device has set, unless a version set it that is not trusted any more.
      return current != nil && device.emptied[key]?.contains(field) == true ? .some(nil) : nil
    }
    return device.isEqual(field, current, shared.value) ? nil : .some(shared.value)
  }

  /// The values of a record after the changes, if there are any.
  func changed(_ key: RecordKey, _ current: [String: String], _ fields: [String]) -> [String: String]? {
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

// MARK: - Records without trusted versions

extension RecordApplication {
  /// Whether a record lost all of its fields when a key was learned.
  private func isEmptied(_ key: RecordKey) -> Bool {
    device.emptied[key] != nil && device.state.records[key] == nil
      && device.state.tombstones[.record(key)] == nil
  }

  /// Deletes the rows of these records. Their deletion is not shared: another device may know them from a trusted file.
  private func removeEmptied(_ history: SyncRows) throws {
    for (key, row) in localRecords.rows where isEmptied(key) {
      try history.removeRecord(kind: key.kind.name, id: key.id.text)
      if let table = SyncedTable.all.first(where: { $0.kind == key.kind.name }) {
        try history.delete(row, from: table)
      } else if key.kind == .profile {
        _ = try history.deleteEmptyProfile(row)
      } else if key.kind == .strap, let address = localRecords.values[key]?["address"] {
        try history.removeStrap(address, of: row)
      }
    }
    for (key, fields) in device.emptied where key.kind == .cut {
      guard let session = device.localSession(key.id) else { continue }
      for field in fields where device.state.records[key]?[field] == nil {
        guard let cut = SyncCutRow(session: session.text, name: field) else { continue }
        try history.remove(cut)
      }
    }
  }
}

// MARK: - Tables

extension RecordApplication {
  /// Deletes the rows of tombstones.
  private func deleteRows(_ history: SyncRows) throws {
    for table in SyncedTable.all {
      for (key, row) in localRecords.rows
      where key.kind.name == table.kind && device.state.tombstones[.record(key)] != nil {
        try history.delete(row, from: table)
      }
    }
  }

  private func apply(
    _ table: SyncedTable, _ history: SyncRows, _ fresh: LocalRecords, _ result: inout Result
  ) throws {
    let kind = RecordKind(table.kind)
    for (key, row) in localRecords.rows.merging(fresh.rows, uniquingKeysWith: { $1 }) where key.kind == kind {
      guard let current = fresh.values[key] else {
        if !isEmptied(key) { result.absent.insert(key) }
        continue
      }
      if let values = changed(key, current, table.fields), let columns = columns(values, fresh) {
        _ = try history.update(row, columns, in: table)
      }
    }
    for (key, fields) in device.state.records.sorted(by: { $0.key < $1.key })
    where key.kind == kind && localRecords.rows[key] == nil && fresh.rows[key] == nil {
      guard let columns = columns(fields.compactMapValues(\.value), fresh),
        let row = try history.insert(columns, into: table)
      else { continue }
      result.rows[key] = row
    }
  }

  /// The values with the number of the local profile and the local session, if the profile is in the history.
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
    var deletedTimes: [SyncCutRow] = []
    for (key, fields) in device.state.records where key.kind == .cut {
      guard let session = device.localSession(key.id) else { continue }
      deletedTimes += fields.keys.compactMap { SyncCutRow(session: session.text, name: $0) }
    }
    return try history.apply(deletedTimes, sampling: sampling)
  }
}
