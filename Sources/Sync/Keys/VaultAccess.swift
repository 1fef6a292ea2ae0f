internal import Age

/// Opens the keys of a vault with a passphrase or a recovery key, and creates vaults and keys.
package struct VaultAccess: Sendable {
  let folder: VaultFolder
  let workFactor: Int

  /// - Parameter workFactor: The binary logarithm of scrypt's N, for new key files. Tests lower it.
  package init(_ folder: VaultFolder, workFactor: Int = KeyFile.workFactor) {
    (self.folder, self.workFactor) = (folder, workFactor)
  }

  /// What a secret opened.
  package struct Opened: Sendable {
    package var ring: KeyRing
    /// The key files of the ring, by name.
    package var copies: [String: [UInt8]]
    /// The key files that the passphrase does not open; empty for a recovery key.
    package var unopened: [String] = []
  }

  /// - Throws: ``VaultAccessError``, ``VaultError``, ``AgeError``.
  package func open(_ secret: VaultSecret) throws -> Opened {
    switch secret {
    case .passphrase(let passphrase): try open(passphrase)
    case .recoveryKey(let identity): try open(identity)
    }
  }

  private func open(_ passphrase: Passphrase) throws -> Opened {
    let description = try folder.description()
    let files = try folder.keyFiles()
    guard files[KeyFile.firstName] != nil else { throw VaultAccessError.noKeyFile }
    var opened = Opened(
      ring: KeyRing(vault: description.vault, recipient: description.recipient, keys: []), copies: [:])
    for (name, file) in files.sorted(by: { $0.key < $1.key }) {
      do {
        opened.ring.add(try KeyFile(file, name: name, passphrase: passphrase))
        opened.copies[name] = file
      } catch {
        guard name != KeyFile.firstName else { throw error }
        opened.unopened.append(name)
      }
    }
    guard let first = opened.ring.keys.first, "\(first.identity.recipient)" == description.recipient else {
      throw VaultError.forgedRecipient
    }
    return opened
  }

  /// The epoch and the writer of the key are in the `about.age` of a device that uses it, authenticated by the key.
  private func open(_ identity: X25519Identity) throws -> Opened {
    let description = try folder.description()
    guard let key = try key(of: identity, vault: description.vault) else {
      throw description.recipient == "\(identity.recipient)"
        ? VaultAccessError.notArrived : VaultAccessError.otherRecoveryKey
    }
    if key.epoch == 1, description.recipient != "\(identity.recipient)" { throw VaultError.forgedRecipient }
    let announcement = KeyAnnouncement(
      key: key, forgotten: nil, stamp: Stamp(milliseconds: 0, counter: 0, device: key.writer))
    let ring = KeyRing(
      vault: description.vault, recipient: description.recipient,
      keys: [KeyFile(announcement: announcement, identity: identity)])
    return Opened(
      ring: ring, copies: try folder.keyFiles().filter { $0.key == KeyFile.name(of: key) })
  }

  private func key(of identity: X25519Identity, vault: SharedID) throws -> VaultKey? {
    let unknown = VaultKey(epoch: 0, writer: vault)
    guard let crypt = AgeCrypt(vault: vault, identities: [unknown: identity], current: unknown) else {
      return nil
    }
    let codec = VaultCodec(vault: vault, crypt: crypt)
    for device in folder.devices() {
      let path = VaultPath.text(device, .about)
      guard let bytes = try folder.read(path, limit: VaultCodec<AgeCrypt>.sizeLimit) else { continue }
      if case .file(let file, _) = codec.decode(bytes).file, case .about(let about) = file.content {
        return about.key
      }
    }
    return nil
  }

  /// Whether the secret belongs to a key of `ring`.
  /// - Throws: ``VaultAccessError/otherRecoveryKey``, ``VaultError``, ``AgeError``.
  package func verify(_ secret: VaultSecret, for ring: KeyRing) throws {
    switch secret {
    case .recoveryKey(let identity):
      guard ring.keys.contains(where: { $0.identity.recipient == identity.recipient }) else {
        throw VaultAccessError.otherRecoveryKey
      }
    case .passphrase(let passphrase):
      guard let file = try folder.keyFiles()[KeyFile.firstName] else { throw VaultAccessError.noKeyFile }
      _ = try KeyFile(file, name: KeyFile.firstName, passphrase: passphrase)
    }
  }
}

/// The reason why a secret opens no key. The description contains no secret.
package enum VaultAccessError: Error, Equatable, Sendable, CustomStringConvertible {
  case noKeyFile
  case otherRecoveryKey
  case notArrived

  package var description: String {
    switch self {
    case .noKeyFile:
      """
      the folder contains no \(KeyFile.firstName): wait until the synchroniser has copied it, or type the recovery key instead of \
      the passphrase
      """
    case .otherRecoveryKey:
      "the recovery key opens no file of this folder; show the current one on another device with: stressmon sync recovery"
    case .notArrived:
      "no files of a device have arrived in the folder; wait until the synchroniser has copied them, then try again"
    }
  }
}
