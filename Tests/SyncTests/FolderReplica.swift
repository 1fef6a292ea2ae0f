import Foundation
import Sync

/// One device's copy of the folder as real files. A synchroniser copies the entry with the higher version; a removal is an entry
/// without bytes.
struct FolderReplica {
  struct Entry {
    var version: UInt64
    var bytes: [UInt8]?
  }

  let path: String
  private(set) var entries: [String: Entry] = [:]
  /// Files of keys, which the tests do not encrypt.
  var keys: Set<KeyAnnouncement> = []

  init(path: String) { self.path = path }

  /// The paths of files, in order.
  var paths: [String] { entries.filter { $0.value.bytes != nil }.keys.sorted() }

  /// Records what a device changed in the folder.
  mutating func scan(_ version: inout UInt64) throws {
    let found = Set(try VaultFolder(path).listing().files.keys)
    for name in found {
      let bytes = try Self.read(path + "/" + name)
      guard bytes != entries[name]?.bytes else { continue }
      version += 1
      entries[name] = Entry(version: version, bytes: bytes)
    }
    for (name, entry) in entries where entry.bytes != nil && !found.contains(name) {
      version += 1
      entries[name] = Entry(version: version)
    }
  }

  /// Writes the names of the keys to the folder.
  func writeKeys() throws {
    for announcement in keys where announcement.key.epoch > 1 {
      try Data().write(to: URL(fileURLWithPath: path + "/" + KeyFile.name(of: announcement.key)))
    }
  }

  mutating func put(_ bytes: [UInt8]?, _ name: String, _ version: inout UInt64) throws {
    version += 1
    try set(Entry(version: version, bytes: bytes), name)
  }

  mutating func receive(_ name: String, from other: FolderReplica) throws {
    guard let entry = other.entries[name], entry.version > entries[name]?.version ?? 0 else { return }
    try set(entry, name)
  }

  private mutating func set(_ entry: Entry, _ name: String) throws {
    let full = path + "/" + name
    entries[name] = entry
    guard let bytes = entry.bytes else {
      unlink(full)
      return
    }
    let folder = full.split(separator: "/").dropLast().joined(separator: "/")
    try FileManager.default.createDirectory(atPath: "/" + folder, withIntermediateDirectories: true)
    // A synchroniser replaces files, so the inode changes.
    unlink(full)
    try Data(bytes).write(to: URL(fileURLWithPath: full))
  }

  private static func read(_ path: String) throws -> [UInt8] {
    Array(try Data(contentsOf: URL(fileURLWithPath: path)))
  }
}
