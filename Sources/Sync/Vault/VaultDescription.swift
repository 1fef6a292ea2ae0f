internal import JSONLines
package import Localization

/// The content of `stressmon.json`, which is written once and is not encrypted.
package struct VaultDescription: Equatable, Sendable {
  package static let name = "stressmon.json"
  package static let format = 1

  package var vault: SharedID
  /// The recipient of the first key.
  package var recipient: String

  package init(vault: SharedID, recipient: String) {
    self.vault = vault
    self.recipient = recipient
  }

  package var bytes: [UInt8] {
    var line = JSONLine()
    line.line { line in
      line.put("format", Self.format)
      line.put("vault", vault.text)
      line.put("recipient", recipient)
    }
    return line.bytes
  }

  /// - Throws: ``VaultError/invalidDescription``, ``VaultError/newerFormat(_:)``.
  package init(_ bytes: [UInt8]) throws(VaultError) {
    guard let fields = (try? JSONObject(bytes)).map(Fields.init), let format = fields.number("format") else {
      throw .invalidDescription
    }
    guard format == Self.format else { throw .newerFormat(format) }
    guard let vault = fields.id("vault"), let recipient = fields.text("recipient") else {
      throw .invalidDescription
    }
    self.init(vault: vault, recipient: recipient)
  }

  /// - Parameter recipient: That of the first identity of the vault, which this device derives itself.
  /// - Throws: ``VaultError/otherVault(expected:found:)``, ``VaultError/forgedRecipient``.
  package func check(vault: SharedID, recipient: String) throws(VaultError) {
    guard self.vault == vault else { throw .otherVault(expected: vault, found: self.vault) }
    guard self.recipient == recipient else { throw .forgedRecipient }
  }
}

/// The reason why a vault cannot be used at all. Faults of single files are ``SyncFinding``s.
package enum VaultError: Error, Equatable, Sendable, Translatable {
  /// The folder contains no `stressmon.json`: it is not mounted, or not a vault.
  case noVault(path: String)
  case invalidDescription
  case newerFormat(Int)
  case otherVault(expected: SharedID, found: SharedID)
  case forgedRecipient
  case invalidKeyFile(name: String)
  /// A key file states the greatest epoch, so there can be no later key.
  case noLaterKey
  /// The process that holds the lock.
  case isRunning(pid: Int32?)
  case file(path: String, reason: String)

  /// The message in English.
  package var description: String { Language.english.text(message) }

  package var message: Phrase {
    switch self {
    case .noVault(let path):
      Phrase(
        """
        \(path) contains no \(VaultDescription.name): nothing was changed; mount the folder, or wait until the synchroniser has \
        copied it
        """)
    case .invalidDescription:
      Phrase(
        """
        \(VaultDescription.name) is damaged: nothing was changed; restore it from another device's copy of the folder
        """)
    case .newerFormat(let format):
      Phrase(
        """
        the vault has format \(format), newer than this program (format \(VaultDescription.format)); update stressmon
        """)
    case .otherVault(let expected, let found):
      Phrase(
        """
        the folder contains vault \(found), not \(expected): nothing was changed; select the folder of this history
        """)
    case .forgedRecipient:
      Phrase(
        """
        the recipient in \(VaultDescription.name) does not belong to the key of this vault: the file was forged; nothing was \
        changed; find out who can write to the folder
        """)
    case .invalidKeyFile(let name): Phrase("\(name) contains no key of this vault")
    case .noLaterKey:
      Phrase(
        """
        a key file of the folder states the greatest epoch (\(Fields.numberLimit)), so no later key is possible: nothing was \
        changed; leave the folder with: stressmon sync leave, and begin another one with: stressmon sync init FOLDER
        """)
    case .isRunning(let pid):
      pid.map {
        Phrase("another sync of this history is running (process \($0)); wait until it has ended")
      } ?? Phrase("another sync of this history is running; wait until it has ended")
    case .file(let path, let reason): Phrase("\(path): \(reason)")
    }
  }
}
