internal import History

extension SyncRows {
  /// The records that were deleted in the history since the device read its deletions. Their versions must not be saved.
  func pendingDeletions(_ device: SyncDevice, _ absent: Set<RecordKey>) throws -> Set<RecordKey> {
    var pending = absent
    for deletion in try deletions() {
      guard let id = SharedID(deletion.id) else { continue }
      let key = RecordKey(RecordKind(deletion.kind), id)
      if deletion.kind == "session" {
        if device.held[id] == nil { try remove(deletion) }
      } else if device.state.tombstones[.record(key)] != nil {
        try remove(deletion)
      } else {
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
        versions.formUnion(value.entries.map { SyncVersionRow(key, field, $0) })
      }
    }
    try save(versions)
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
