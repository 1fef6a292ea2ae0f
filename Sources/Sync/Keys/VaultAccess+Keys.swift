package import Age
package import Localization

extension VaultAccess {
  /// The first key of a new vault.
  /// - Parameter wall: The machine's clock in ms since 1970.
  package static func newRing(
    device: SharedID, wall: Int64, using generator: inout some RandomNumberGenerator
  ) -> KeyRing {
    let identity = X25519Identity()
    let announcement = KeyAnnouncement(
      key: VaultKey(epoch: 1, writer: device), forgotten: nil,
      stamp: Stamp(milliseconds: wall, counter: 0, device: device))
    return KeyRing(
      vault: SharedID(using: &generator), recipient: "\(identity.recipient)",
      keys: [KeyFile(announcement: announcement, identity: identity)])
  }

  /// Writes the files of a new vault to an existing folder.
  /// - Returns: The key file.
  /// - Throws: ``AgeError``, ``VaultError``.
  package static func create(
    _ path: String, _ ring: KeyRing, _ passphrase: Passphrase, workFactor: Int = KeyFile.workFactor
  ) throws -> [UInt8] {
    let key = try ring.keys[0].encrypted(passphrase, workFactor: workFactor)
    try VaultFolder.create(path, VaultDescription(vault: ring.vault, recipient: ring.recipient), key: key)
    return key
  }

  /// Encrypts all keys of `ring` with another passphrase and replaces their files.
  ///
  /// The first key is last: until it is replaced, ``verify(_:for:)`` accepts the previous passphrase, so an interrupted change can
  /// be repeated.
  package func changePassphrase(_ ring: KeyRing, to passphrase: Passphrase, _ store: KeyStore) throws {
    for file in ring.keys.reversed() { try write(file, passphrase, store) }
  }

  /// Encrypts a key with the passphrase and writes its file to the key store and to the folder.
  package func write(_ file: KeyFile, _ passphrase: Passphrase, _ store: KeyStore) throws {
    let name = KeyFile.name(of: file.announcement.key)
    let bytes = try file.encrypted(passphrase, workFactor: workFactor)
    try store.saveCopy(bytes, name: name)
    try folder.write(bytes, to: name)
  }
}

/// The differences between the key files of the folder and the copies of this device.
package struct KeyFileDifferences: Equatable, Sendable {
  /// Written again, because they were missing in the folder.
  package var restored: [String] = []
  /// Changed in the folder: another passphrase, or forged.
  package var changed: [String] = []
  /// Of keys later than those of this device, which has none of them.
  package var new: [String] = []

  /// No differences.
  package init() {}

  /// Compares the folder with the copies, and writes missing files.
  /// - Throws: ``VaultError``, ``FileError``.
  package init(_ folder: VaultFolder, _ store: KeyStore, _ ring: KeyRing, restores: Bool = true) throws {
    let (names, copies) = (folder.keyFileNames(), try store.copies())
    for (name, copy) in copies.sorted(by: { $0.key < $1.key }) {
      if names.contains(name) {
        if try folder.keyFile(name) != copy { changed.append(name) }
      } else if restores {
        try folder.write(copy, to: name)
        restored.append(name)
      }
    }
    let known = ring.keys.map(\.announcement.key)
    for name in names.sorted() where copies[name] == nil {
      if known.contains(where: { KeyFile.name(of: $0) == name }) {
        if restores, let file = try folder.keyFile(name) { try store.saveCopy(file, name: name) }
      } else if let key = KeyFile.key(ofName: name), key > known.max() ?? key {
        new.append(name)
      }
    }
  }

  /// Sentences for the user.
  package var warnings: [Phrase] {
    let restored = Self.subject(restored).map {
      Phrase("\($0) was missing in the folder and is written again")
    }
    let changed = Self.subject(changed).map {
      Phrase(
        """
        \($0) differs from the copy of this device: the passphrase was changed on another device, or the file was replaced by \
        another program; verify it with: stressmon sync join FOLDER
        """)
    }
    let new = Self.subject(new).map {
      Phrase(
        """
        \($0) is a new key: a device was forgotten. Until this device has the key, it uses nothing new of the others, because the \
        forgotten device could have written it; type the passphrase in: stressmon sync join FOLDER. If you forgot no device, \
        another program added the file: delete it
        """)
    }
    return [restored, changed, new].compactMap(\.self)
  }

  /// The subject of a sentence on all files, because the operator of the folder can add any number.
  private static func subject(_ names: [String]) -> Phrase? {
    guard let first = names.first else { return nil }
    guard names.count > 1 else { return Phrase(untranslated: first) }
    return Phrase("\(first) and \(names.count - 1) other files: each")
  }
}
