internal import Age
package import Localization

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

  /// Each attempt to open a key file costs 256 MiB of memory and half a second, and the operator of the folder can add any number.
  static let fileLimit = 64
  static let failureLimit = 5

  /// - Throws: ``VaultAccessError``, ``VaultError``, ``AgeError``.
  package func open(_ secret: VaultSecret) throws -> Opened {
    switch secret {
    case .passphrase(let passphrase): try open(passphrase)
    case .recoveryKey(let identity): try open(identity)
    }
  }

  private func open(_ passphrase: Passphrase) throws -> Opened {
    let description = try folder.description()
    let names = folder.keyFileNames().sorted()
    guard names.contains(KeyFile.firstName) else { throw VaultAccessError.noKeyFile }
    guard names.count <= Self.fileLimit else { throw VaultAccessError.tooManyKeyFiles(names.count) }
    var opened = Opened(
      ring: KeyRing(vault: description.vault, recipient: description.recipient, keys: []), copies: [:])
    // The first key is the only one that must open, and is tried first.
    for name in [KeyFile.firstName] + names.filter({ $0 != KeyFile.firstName }) {
      guard let file = try folder.keyFile(name) else { throw VaultError.invalidKeyFile(name: name) }
      do {
        opened.ring.add(try KeyFile(file, name: name, passphrase: passphrase))
        opened.copies[name] = file
      } catch {
        guard name != KeyFile.firstName else { throw error }
        opened.unopened.append(name)
        guard opened.unopened.count < Self.failureLimit else {
          throw VaultAccessError.unopenedKeyFiles(opened.unopened)
        }
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
    let name = KeyFile.name(of: key)
    return Opened(ring: ring, copies: try folder.keyFiles().filter { $0.key == name })
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
      guard folder.keyFileNames().contains(KeyFile.firstName),
        let file = try folder.keyFile(KeyFile.firstName)
      else { throw VaultAccessError.noKeyFile }
      _ = try KeyFile(file, name: KeyFile.firstName, passphrase: passphrase)
    }
  }
}

/// The reason why a secret opens no key. The description contains no secret.
package enum VaultAccessError: Error, Equatable, Sendable, Translatable {
  case noKeyFile
  case otherRecoveryKey
  case notArrived
  case tooManyKeyFiles(Int)
  /// The passphrase opens the first key, but not these.
  case unopenedKeyFiles([String])

  /// The message in English.
  package var description: String { Language.english.text(message) }

  package var message: Phrase {
    switch self {
    case .noKeyFile:
      Phrase(
        """
        the folder contains no \(KeyFile.firstName): wait until the synchroniser has copied it, or type the recovery key instead \
        of the passphrase
        """)
    case .otherRecoveryKey:
      Phrase(
        """
        the recovery key opens no file of this folder; show the current one on another device with: stressmon sync recovery
        """)
    case .tooManyKeyFiles(let count):
      Phrase(
        """
        the folder contains \(count) key files, more than \(VaultAccess.fileLimit): another program added files; delete those that \
        no device of yours wrote, then try again
        """)
    case .unopenedKeyFiles(let names):
      Phrase(
        """
        the passphrase opens \(KeyFile.firstName), but not \(names.joined(separator: ", ")); nothing was changed. If no device \
        changed the passphrase, these files are forged: delete them, then try again
        """)
    case .notArrived:
      Phrase(
        """
        no files of a device have arrived in the folder; wait until the synchroniser has copied them, then try again
        """)
    }
  }
}
