package import Age

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
  /// Of keys that this device does not have.
  package var new: [String] = []

  /// No differences.
  package init() {}

  /// Compares the folder with the copies, and writes missing files.
  /// - Throws: ``VaultError``, ``FileError``.
  package init(_ folder: VaultFolder, _ store: KeyStore, _ ring: KeyRing, restores: Bool = true) throws {
    let (files, copies) = (try folder.keyFiles(), try store.copies())
    let known = Set(ring.keys.map { KeyFile.name(of: $0.announcement.key) })
    for (name, copy) in copies.sorted(by: { $0.key < $1.key }) {
      if let file = files[name] {
        if file != copy { changed.append(name) }
      } else if restores {
        try folder.write(copy, to: name)
        restored.append(name)
      }
    }
    for (name, file) in files.sorted(by: { $0.key < $1.key }) where copies[name] == nil {
      if known.contains(name) {
        if restores { try store.saveCopy(file, name: name) }
      } else {
        new.append(name)
      }
    }
  }

  /// Sentences for the user.
  package var warnings: [String] {
    restored.map { "\($0) was missing in the folder and is written again" }
      + changed.map {
        """
        \($0) differs from the copy of this device: the passphrase was changed on another device, or the file was replaced by \
        another program; verify it with: stressmon sync join FOLDER
        """
      }
      + new.map {
        """
        \($0) is a new key: a device was forgotten. Until this device has it, it cannot read new files of the others; type the \
        passphrase in: stressmon sync join FOLDER
        """
      }
  }
}
