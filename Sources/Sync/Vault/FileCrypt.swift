package import Age
internal import Crypto

/// Encrypts and decrypts the files of a vault. Tests replace it by a fast one.
package protocol FileCrypt: Sendable {
  /// Encrypts for the current key.
  /// - Throws: ``FileCryptError/unknownKey``.
  func seal(_ plaintext: [UInt8]) throws -> [UInt8]
  /// - Throws: ``FileCryptError``.
  func open(_ file: [UInt8]) throws(FileCryptError) -> (plaintext: [UInt8], key: VaultKey)
  /// HMAC-SHA256 with a key that is derived for `purpose` from the identity of `key`, if this identity is known.
  func authenticationCode(of message: [UInt8], purpose: String, key: VaultKey) -> [UInt8]?
  /// The key of ``seal(_:)``. Setting it to a key whose identity is unknown makes ``seal(_:)`` fail.
  var current: VaultKey { get set }
  /// The recipient of the first key, as `stressmon.json` states it.
  var firstRecipient: String { get }
}

/// The reason why a file cannot be opened.
package enum FileCryptError: Error, Equatable, Sendable {
  case unknownKey
  case damaged
}

/// The age format, with one identity per key of the vault.
package struct AgeCrypt: FileCrypt {
  package var current: VaultKey
  private let identities: [VaultKey: X25519Identity]
  private let vault: SharedID
  package let firstRecipient: String

  /// - Parameters:
  ///   - current: One of the keys of `identities`.
  ///   - firstRecipient: The recipient that `stressmon.json` must state. The default is that of the first identity, which a
  ///     device that joined with the recovery key of a later key does not have.
  package init?(
    vault: SharedID, identities: [VaultKey: X25519Identity], current: VaultKey, firstRecipient: String? = nil
  ) {
    guard identities[current] != nil else { return nil }
    (self.vault, self.identities, self.current) = (vault, identities, current)
    self.firstRecipient =
      firstRecipient ?? identities.min { $0.key < $1.key }.map { "\($0.value.recipient)" } ?? ""
  }

  package func seal(_ plaintext: [UInt8]) throws -> [UInt8] {
    guard let identity = identities[current] else { throw FileCryptError.unknownKey }
    return try AgeFile.encrypt(plaintext, to: .keys([identity.recipient]))
  }

  package func open(_ file: [UInt8]) throws(FileCryptError) -> (plaintext: [UInt8], key: VaultKey) {
    // The current key first: most files are for it.
    for key in identities.keys.sorted(by: >) {
      guard let identity = identities[key] else { continue }
      do throws(AgeError) {
        return (try AgeFile.decrypt(file, with: .keys([identity])), key)
      } catch {
        guard error == .noMatchingIdentity else { throw .damaged }
      }
    }
    throw .unknownKey
  }

  package func authenticationCode(of message: [UInt8], purpose: String, key: VaultKey) -> [UInt8]? {
    guard let identity = identities[key] else { return nil }
    let secret = identity.derivedKey(info: "stressmon sync \(purpose) \(vault)", byteCount: 32)
    return Array(HMAC<SHA256>.authenticationCode(for: message, using: SymmetricKey(data: secret)))
  }
}
