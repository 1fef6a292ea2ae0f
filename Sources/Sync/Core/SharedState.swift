/// The state that all devices share, except sessions: a join of all changes ever read, in any order and any number of times.
package struct SharedState: Hashable, Sendable {
  package private(set) var records: [RecordKey: [String: SharedField]] = [:]
  /// A deleted session has a tombstone for its identifier and, if it is known, one for its content. Tombstones are removed only by
  /// ``removeUntrusted(_:)``.
  package private(set) var tombstones: [Deleted: ReceivedStamp] = [:]
  /// Devices that a new key excludes.
  package private(set) var forgotten: [SharedID: ReceivedStamp] = [:]
  /// Identifiers under which no device continues.
  package private(set) var retired: [SharedID: ReceivedStamp] = [:]

  package init() {}

  /// Merges one change.
  /// - Returns: False if the state already contains it, a later version, or a tombstone that takes precedence.
  @discardableResult
  package mutating func merge(_ change: Change, _ receipt: Receipt = .own) -> Bool {
    switch change {
    case .set(let key, let field, let version):
      guard tombstones[.record(key)] == nil else { return false }
      return set(key, field, version, receipt)
    case .delete(let target, let stamp):
      if case .record(let key) = target { records[key] = nil }
      return Self.raise(&tombstones[target], stamp, receipt)
    case .forget(let device, let stamp): return Self.raise(&forgotten[device], stamp, receipt)
    case .retire(let device, let stamp): return Self.raise(&retired[device], stamp, receipt)
    }
  }

  private mutating func set(
    _ key: RecordKey, _ field: String, _ version: FieldVersion, _ receipt: Receipt
  ) -> Bool {
    if records[key]?[field] == nil {
      records[key, default: [:]][field] = SharedField(version, receipt)
      return true
    }
    return records[key]?[field]?.merge(version, receipt) ?? false
  }

  /// Keeps the later stamp and the earlier receipt, so the order of merging does not matter.
  private static func raise(_ entry: inout ReceivedStamp?, _ stamp: Stamp, _ receipt: Receipt) -> Bool {
    guard let known = entry else {
      entry = ReceivedStamp(stamp, receipt)
      return true
    }
    entry = ReceivedStamp(max(known.stamp, stamp), known.receipt.earlier(receipt))
    return stamp > known.stamp
  }

  /// Whether the device writes no more files.
  package func isGone(_ device: SharedID) -> Bool { forgotten[device] != nil || retired[device] != nil }

  package func isDeleted(_ record: RecordKey) -> Bool { tombstones[.record(record)] != nil }

  package func isDeleted(_ session: SharedID, _ content: SessionContent?) -> Bool {
    tombstone(of: session, content) != nil
  }

  func tombstone(of session: SharedID, _ content: SessionContent?) -> ReceivedStamp? {
    tombstones[.session(session)] ?? content.flatMap { tombstones[.content($0)] }
  }

  /// The number of deleted times of a session. Files that were written before the latest one contain deleted data.
  package func deletedTimeCount(of session: SharedID) -> Int { records[RecordKey(.cut, session)]?.count ?? 0 }

  /// The current state as changes, in a fixed order. Overwritten versions are not part of it.
  package var changes: [Change] {
    var changes: [Change] = []
    for (key, fields) in records.sorted(by: { $0.key < $1.key }) {
      for (name, field) in fields.sorted(by: { $0.key < $1.key }) {
        if let version = field.current { changes.append(.set(key, field: name, version)) }
      }
    }
    changes += tombstones.sorted { $0.key < $1.key }.map { .delete($0.key, $0.value.stamp) }
    changes += forgotten.sorted { $0.key < $1.key }.map { .forget($0.key, $0.value.stamp) }
    changes += retired.sorted { $0.key < $1.key }.map { .retire($0.key, $0.value.stamp) }
    return changes
  }

  /// Removes everything that was received otherwise than `isTrusted` permits.
  /// - Returns: The fields that have no version any more.
  mutating func removeUntrusted(_ isTrusted: (Receipt) -> Bool) -> [RecordKey: Set<String>] {
    var emptied: [RecordKey: Set<String>] = [:]
    for (key, fields) in records {
      let rest = fields.compactMapValues { $0.keeping(isTrusted) }
      records[key] = rest.isEmpty ? nil : rest
      let names = Set(fields.keys).subtracting(rest.keys)
      if !names.isEmpty { emptied[key] = names }
    }
    for stamps in [\SharedState.forgotten, \.retired] {
      self[keyPath: stamps] = self[keyPath: stamps].filter { isTrusted($0.value.receipt) }
    }
    tombstones = tombstones.filter { isTrusted($0.value.receipt) }
    return emptied
  }
}
