/// The state that all devices share, except sessions: a join of all changes ever read, in any order and any number of times.
package struct SharedState: Hashable, Sendable {
  package private(set) var records: [RecordKey: [String: SharedField]] = [:]
  /// Never removed. A deleted session has a tombstone for its identifier and, if it is known, one for its content.
  package private(set) var tombstones: [Deleted: Stamp] = [:]
  /// Devices that a new key excludes.
  package private(set) var forgotten: [SharedID: Stamp] = [:]
  /// Identifiers under which no device continues.
  package private(set) var retired: [SharedID: Stamp] = [:]

  package init() {}

  /// Merges one change.
  /// - Returns: False if the state already contains it, or a tombstone that takes precedence.
  @discardableResult
  package mutating func merge(_ change: Change) -> Bool {
    switch change {
    case .set(let key, let field, let version):
      guard tombstones[.record(key)] == nil else { return false }
      return set(key, field, version)
    case .delete(let target, let stamp):
      if case .record(let key) = target { records[key] = nil }
      return raise(&tombstones, target, stamp)
    case .forget(let device, let stamp):
      return raise(&forgotten, device, stamp)
    case .retire(let device, let stamp):
      return raise(&retired, device, stamp)
    }
  }

  private mutating func set(_ key: RecordKey, _ field: String, _ version: FieldVersion) -> Bool {
    if records[key]?[field] == nil {
      records[key, default: [:]][field] = SharedField(version)
      return true
    }
    return records[key]?[field]?.merge(version) ?? false
  }

  /// Keeps the later of two stamps, so that the order of merging does not matter.
  private func raise<Key>(_ stamps: inout [Key: Stamp], _ key: Key, _ stamp: Stamp) -> Bool {
    if let known = stamps[key], known >= stamp { return false }
    stamps[key] = stamp
    return true
  }

  /// Whether the device writes no more files.
  package func isGone(_ device: SharedID) -> Bool { forgotten[device] != nil || retired[device] != nil }

  package func isDeleted(_ session: SharedID, _ content: SessionContent?) -> Bool {
    if tombstones[.session(session)] != nil { return true }
    return content.map { tombstones[.content($0)] != nil } ?? false
  }

  /// The number of deleted times of a session. Files that were written before the latest one contain deleted data.
  package func cuts(of session: SharedID) -> Int { records[RecordKey(.cut, session)]?.count ?? 0 }

  /// The whole state as changes, in a fixed order. Merging them into an empty state gives this state.
  package var changes: [Change] {
    var changes: [Change] = []
    for (key, fields) in records.sorted(by: { $0.key < $1.key }) {
      for (name, field) in fields.sorted(by: { $0.key < $1.key }) {
        changes += field.versions.map { .set(key, field: name, $0) }
      }
    }
    changes += tombstones.sorted { $0.key < $1.key }.map { .delete($0.key, $0.value) }
    changes += forgotten.sorted { $0.key < $1.key }.map { .forget($0.key, $0.value) }
    changes += retired.sorted { $0.key < $1.key }.map { .retire($0.key, $0.value) }
    return changes
  }
}
