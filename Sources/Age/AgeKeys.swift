import Crypto

/// The keys that a file is encrypted to. The format does not allow keys and a passphrase in one file.
package enum AgeRecipients: Sendable {
  case keys([X25519Recipient])
  /// The work factor is the binary logarithm of scrypt's N: memory is 1 KiB * 2^workFactor.
  case passphrase(Passphrase, workFactor: Int = Passphrase.defaultWorkFactor)

  func wrap(_ fileKey: SymmetricKey) throws(AgeError) -> [Stanza] {
    switch self {
    case .keys(let recipients):
      guard !recipients.isEmpty else { throw .noRecipients }
      return try recipients.map { recipient throws(AgeError) in try recipient.wrap(fileKey) }
    case .passphrase(let passphrase, let workFactor):
      return [try passphrase.wrap(fileKey, workFactor: workFactor)]
    }
  }
}

/// The keys that a file is decrypted with.
package enum AgeIdentities: Sendable {
  case keys([X25519Identity])
  /// Files with a higher work factor are rejected, because they cost memory and time before the passphrase is checked.
  case passphrase(Passphrase, workFactorLimit: Int = Passphrase.defaultWorkFactor)

  /// The file key of the first stanza that one of the keys opens.
  func unwrap(_ stanzas: [Stanza]) throws(AgeError) -> SymmetricKey {
    let isPassphrase = stanzas.contains { $0.type == Passphrase.stanzaType }
    guard !isPassphrase || stanzas.count == 1 else {
      throw .malformedStanza(type: Passphrase.stanzaType, reason: "it is not the only stanza")
    }
    switch self {
    case .keys(let identities):
      guard !isPassphrase else { throw .passphraseRequired }
      return try Self.unwrap(stanzas, identities)
    case .passphrase(let passphrase, let limit):
      guard isPassphrase, let stanza = stanzas.first else { throw .identityRequired }
      return try passphrase.unwrap(stanza, workFactorLimit: limit)
    }
  }

  private static func unwrap(
    _ stanzas: [Stanza], _ identities: [X25519Identity]
  ) throws(AgeError) -> SymmetricKey {
    for stanza in stanzas where stanza.type == X25519Recipient.stanzaType {
      for identity in identities {
        if let fileKey = try identity.unwrap(stanza) { return fileKey }
      }
    }
    throw .noMatchingIdentity
  }
}
