internal import History
internal import Platform

extension RecordApplication {
  /// Deletes the profiles of tombstones. One with data that were not deleted is kept, and becomes another record.
  func deleteProfiles(_ history: SyncRows) throws {
    for (key, row) in localRecords.rows
    where key.kind == .profile && device.state.tombstones[.record(key)] != nil {
      guard try !history.deleteEmptyProfile(row) else { continue }
      for record in try history.records()
      where record.row == row && Self.kindsOfProfiles.contains(record.kind) {
        try history.removeRecord(kind: record.kind, id: record.id)
      }
    }
  }

  static let kindsOfProfiles = [RecordKind.profile, .strap, .setting].map(\.name)

  /// Whether a profile must be created or renamed.
  var changesProfiles: Bool {
    device.state.records.contains { key, fields in
      key.kind == .profile && fields["name"]?.value != localRecords.values[key]?["name"]
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
      let desired = change(key, "name", from: current).flatMap { $0?.asProfileName } ?? current
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

  func applySettings(_ history: SyncRows, _ fresh: LocalRecords, _ result: inout Result) throws {
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

  func applyStraps(_ history: SyncRows, _ fresh: LocalRecords) throws {
    for (key, fields) in device.state.records where key.kind == .strap {
      guard let id = fields["profile"]?.value.flatMap({ SharedID($0) }),
        let profile = fresh.profiles.first(where: { $0.value.id == id })?.key,
        let address = fields["address"]?.value
      else { continue }
      let current = fresh.values[key] ?? [:]
      guard let values = changed(key, current, SyncedStrap.fields) else { continue }
      if values["present"] != "1" {
        if !current.isEmpty { try history.removeStrap(address, of: profile) }
      } else if let strap = SyncedStrap(values, profile: profile) {
        try history.save(strap.row)
      }
    }
  }
}
