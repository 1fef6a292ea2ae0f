import Sync
import TestSupport

/// What a simulated folder contains at a path.
enum SimulatedItem {
  case file(VaultFile, VaultKey)
  /// Written by another device that has the key.
  case impersonated(VaultFile, VaultKey)
  case key(KeyAnnouncement)
  case damaged
  case forged
}

/// One copy of the folder. A synchroniser copies the entry with the higher version; a removal is an entry without item.
struct SimulatedReplica {
  struct Entry {
    var version: UInt64
    var item: SimulatedItem?
  }

  var entries: [String: Entry] = [:]

  var listing: [String: UInt64] {
    var listing: [String: UInt64] = [:]
    for (path, entry) in entries {
      switch entry.item {
      case nil, .key: break
      default: listing[path] = entry.version
      }
    }
    return listing
  }

  /// The keys whose files the folder contains.
  var keys: [VaultKey] {
    entries.values.compactMap { if case .key(let announcement) = $0.item { announcement.key } else { nil } }
  }

  /// The paths of files of devices, in order.
  var paths: [String] { listing.keys.sorted() }

  mutating func receive(_ path: String, from other: SimulatedReplica) {
    guard let entry = other.entries[path], entry.version > entries[path]?.version ?? 0 else { return }
    entries[path] = entry
  }
}

/// A device with its history and its copy of the folder.
struct SimulatedDevice {
  var device: SyncDevice
  var replica = SimulatedReplica()
  /// Error of its clock in ms.
  var clockError: Int64 = 0
  /// Forgotten: it continues to write with the keys that it has.
  var isStolen = false
  /// Whether its program knows only format 1.
  var usesFormat1 = false
  var backup: SyncDevice?
  /// What must be found at the end: sessions that were in its history, deletions and edits that were made on it.
  var account = SimulatedAccount()
  var backupAccount = SimulatedAccount()
  var oldReplica: SimulatedReplica?
}

struct SimulatedAccount {
  var stored: Set<SharedID> = []
  var deleted: Set<SharedID> = []
  var deletedRecords: Set<RecordKey> = []
  var edits: [(record: RecordKey, field: String, version: FieldVersion)] = []

  /// A device that erased data for a tombstone cannot return them if it learns later that the device was forgotten before.
  mutating func removeErased(_ sessions: [SharedID], _ state: SharedState) {
    stored.subtract(sessions)
    edits.removeAll { state.tombstones[.record($0.record)] != nil }
  }
}

/// Changes that forgotten devices made after they were forgotten.
struct ForbiddenChanges {
  var values: Set<String> = []
  var deleted: Set<Deleted> = []
  /// What other devices deleted, or forgotten ones before.
  var permitted: Set<Deleted> = []
}
