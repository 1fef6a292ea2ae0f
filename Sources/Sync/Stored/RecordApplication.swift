internal import History
internal import Platform

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

  func run(_ history: SyncRows) throws -> Result {
    var result = Result()
    try deleteRows(history)
    try deleteProfiles(history)
    try removeEmptied(history)
    if changesProfiles { _ = try prepareProfiles(history) }
    let fresh = try read(history)
    try applySettings(history, fresh, &result)
    try applyStraps(history, fresh)
    for table in SyncedTable.numbered { try apply(table, history, fresh, &result) }
    result.changedBaselines.formUnion(try deleteTimes(history))
    result.rows.merge(try read(history).rows) { $1 }
    return result
  }

  private func read(_ history: SyncRows) throws -> LocalRecords {
    // A profile that remains after its record was deleted becomes another record.
    let known = localRecords.rows.filter { key, _ in
      !isEmptied(key) && !(key.kind.isOfProfile && device.state.isDeleted(key))
    }
    var local = try LocalRecords(history, device, known: known)
    try local.addTables(history, device, registers: false)
    return local
  }

  /// The value to write, or `nil` to keep the current one.
  private func change(_ key: RecordKey, _ field: String, from current: String?) -> String?? {
    // A field that changed meanwhile keeps its value.
    if let known = localRecords.values[key], known[field] != current { return nil }
    guard let shared = device.state.records[key]?[field] else {
      // As does one that no device has set, unless a version set it that is not trusted any more.
      return current != nil && device.emptied[key]?.contains(field) == true ? .some(nil) : nil
    }
    return device.isEqual(field, current, shared.value) ? nil : .some(shared.value)
  }

  /// The values of a record after the changes, if there are any.
  private func changed(_ key: RecordKey, _ current: [String: String]) -> [String: String]? {
    var values = current
    var isChanged = false
    for field in key.kind.fields {
      guard let value = change(key, field, from: current[field]) else { continue }
      values[field] = value
      isChanged = true
    }
    return isChanged ? values : nil
  }

  // MARK: - Records without trusted versions

  /// Whether a record lost all of its fields when a key was learned.
  private func isEmptied(_ key: RecordKey) -> Bool {
    device.emptied[key] != nil && device.state.records[key] == nil && !device.state.isDeleted(key)
  }

  /// Deletes the rows of these records. Their deletion is not shared: another device may know them from a trusted file.
  private func removeEmptied(_ history: SyncRows) throws {
    for (key, row) in localRecords.rows where isEmptied(key) {
      try history.removeRecord(kind: key.kind.name, id: key.id.text)
      if let table = key.kind.table {
        try history.delete(row, from: table)
      } else if key.kind == .profile {
        _ = try history.deleteEmptyProfile(row)
      } else if key.kind == .strap, let address = localRecords.values[key]?["address"] {
        try history.removeStrap(address, of: row)
      }
    }
    for (key, fields) in device.emptied {
      for deleted in deletedTimes(key, fields) where device.state.records[key]?[deleted.name] == nil {
        try history.remove(deleted)
      }
    }
  }

  // MARK: - Tables

  /// Deletes the rows of tombstones.
  private func deleteRows(_ history: SyncRows) throws {
    for (key, row) in localRecords.rows where device.state.isDeleted(key) {
      if let table = key.kind.table { try history.delete(row, from: table) }
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
      if let values = changed(key, current), let columns = columns(values, fresh) {
        try history.update(row, columns, in: table)
      }
    }
    for (key, fields) in device.state.records.sorted(by: { $0.key < $1.key })
    where key.kind == kind && localRecords.rows[key] == nil && fresh.rows[key] == nil {
      guard let columns = columns(fields.compactMapValues(\.value), fresh) else { continue }
      result.rows[key] = try history.insert(columns, into: table)
    }
  }

  /// The values with the number of the local profile and the local session, if the profile is in the history.
  private func columns(_ values: [String: String], _ fresh: LocalRecords) -> [String: String]? {
    var columns = values
    if let profile = values["profile"] {
      guard let id = SharedID(profile), let number = fresh.rows[RecordKey(.profile, id)] else { return nil }
      columns["profile"] = "\(number)"
    }
    if let session = values["session"].flatMap({ SharedID($0) }) {
      columns["session"] = (device.localSession(session) ?? session).text
    }
    return columns
  }

  /// Deletes the shared times of sessions.
  /// - Returns: The names of the profiles of the changed sessions.
  private func deleteTimes(_ history: SyncRows) throws -> Set<String> {
    let times = device.state.records.flatMap { deletedTimes($0.key, Set($0.value.keys)) }
    return try history.apply(times, sampling: sampling)
  }

  /// The times that the fields of a record delete, of a session of the history.
  private func deletedTimes(_ key: RecordKey, _ fields: Set<String>) -> [SyncDeletedTimes] {
    guard key.kind == .cut, let session = device.localSession(key.id) else { return [] }
    return fields.compactMap { SyncDeletedTimes(session: session.text, name: $0) }
  }
}

// MARK: - Profiles

extension RecordApplication {
  /// Deletes the profiles of tombstones. One with data that were not deleted is kept, and becomes another record.
  private func deleteProfiles(_ history: SyncRows) throws {
    for (key, row) in localRecords.rows where key.kind == .profile && device.state.isDeleted(key) {
      guard try !history.deleteEmptyProfile(row) else { continue }
      for record in try history.records() where record.row == row && RecordKind(record.kind).isOfProfile {
        try history.removeRecord(kind: record.kind, id: record.id)
      }
    }
  }

  /// Whether a profile must be created or renamed.
  var changesProfiles: Bool {
    device.state.records.contains { key, fields in
      key.kind == .profile && fields["name"]?.value != localRecords.profileName(of: key.id)
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
      guard let name = fields["name"]?.value?.asProfileName, fresh.rows[key] == nil else { continue }
      let free = Self.unique(name, key, names)
      names.insert(free)
      try history.save(SyncRecordRow(key, row: history.profile(creating: free)))
    }
  }

  /// Renames profiles, first to temporary names, because names may be exchanged. Of two profiles with one name, that with the
  /// greater identifier gets another one, which the next sync shares.
  private func rename(_ history: SyncRows, _ fresh: LocalRecords) throws {
    var names: Set<String> = []
    var renamed: [(row: Int64, name: String)] = []
    for (row, profile) in fresh.profiles.sorted(by: { $0.value.id < $1.value.id }) {
      let key = RecordKey(.profile, profile.id)
      let current = profile.row.name
      let desired = change(key, "name", from: current).flatMap { $0?.asProfileName } ?? current
      let name = Self.unique(desired, key, names)
      names.insert(name)
      if name != current { renamed.append((row, name)) }
    }
    for (row, _) in renamed { try history.renameProfile(row, to: "\n\(row)") }
    for (row, name) in renamed { try history.renameProfile(row, to: name) }
  }

  /// The name, or one with the end of the identifier if the name is taken.
  private static func unique(_ name: String, _ key: RecordKey, _ taken: Set<String>) -> String {
    let candidates = [name] + (4...26).map { "\(name)-\(key.id.text.suffix($0))" }
    return candidates.first { !taken.contains($0) } ?? key.id.text
  }

  private func applySettings(_ history: SyncRows, _ fresh: LocalRecords, _ result: inout Result) throws {
    for profile in fresh.profiles.values {
      guard let values = changed(RecordKey(.setting, profile.id), profile.row.settings) else { continue }
      var row = profile.row
      row.settings = values
      guard row != profile.row else { continue }
      try history.changeSettings(from: profile.row, to: row, at: time)
      result.changedBaselines.insert(row.name)
    }
  }

  private func applyStraps(_ history: SyncRows, _ fresh: LocalRecords) throws {
    for key in device.state.records.keys where key.kind == .strap {
      let current = fresh.values[key] ?? [:]
      guard let values = changed(key, current), var columns = columns(values, fresh) else { continue }
      columns["name"] = values["name"]?.asStrapName
      // A malformed location is absent.
      columns["body_location"] = values["body_location"].flatMap { Int64($0) }.map { "\($0)" }
      if values["present"] == "1" {
        _ = try history.insert(columns, into: .straps)
      } else if let row = fresh.rows[key], let address = current["address"] {
        try history.removeStrap(address, of: row)
      }
    }
  }
}
