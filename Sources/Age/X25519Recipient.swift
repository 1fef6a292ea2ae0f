import Crypto
import FoundationEssentials
import JSONLines

/// A public key to which files are encrypted, as text `age1...`.
package struct X25519Recipient: Hashable, Sendable, CustomStringConvertible {
  static let byteCount = 32
  static let prefix = "age"

  /// The u-coordinate on Curve25519 (RFC 7748).
  let bytes: [UInt8]

  init(_ key: Curve25519.KeyAgreement.PublicKey) { bytes = [UInt8](key.rawRepresentation) }

  /// - Parameter text: `age1...`, in lower or upper case.
  /// - Throws: ``AgeError/malformedKey(reason:)``.
  package init(_ text: String) throws(AgeError) {
    let (prefix, bytes) = try Bech32.decode(text)
    guard prefix == Self.prefix else { throw .malformedKey(reason: "a recipient starts with age1") }
    guard bytes.count == Self.byteCount else {
      throw .malformedKey(reason: "a recipient has \(Self.byteCount) bytes, not \(bytes.count)")
    }
    self.bytes = bytes
  }

  package var description: String { Bech32.encode(prefix: Self.prefix, bytes) }

  /// The stanza from which the owner of the identity derives `fileKey`.
  /// - Throws: ``AgeError/malformedKey(reason:)`` for a point of low order, for which everybody could derive it.
  func wrap(_ fileKey: SymmetricKey) throws(AgeError) -> Stanza {
    let ephemeral = Curve25519.KeyAgreement.PrivateKey()
    let share = [UInt8](ephemeral.publicKey.rawRepresentation)
    guard let secret = X25519Key.sharedSecret(of: ephemeral, and: bytes) else {
      throw .malformedKey(reason: "the recipient is a point of low order")
    }
    let key = X25519Key.wrapKey(secret, share: share, recipient: bytes)
    return Stanza(
      type: Self.stanzaType, arguments: [Base64.encode(share, padding: false)],
      body: FileKey.seal(fileKey, using: key))
  }

  static let stanzaType = "X25519"
}

/// The key agreement that both sides of an X25519 stanza have in common.
enum X25519Key {
  /// The shared secret, unless it is zero, which a point of low order causes. swift-crypto does not check this.
  static func sharedSecret(
    of key: Curve25519.KeyAgreement.PrivateKey, and point: [UInt8]
  ) -> SharedSecret? {
    guard let point = try? Curve25519.KeyAgreement.PublicKey(rawRepresentation: point),
      let secret = try? key.sharedSecretFromKeyAgreement(with: point)
    else { return nil }
    let isZero = unsafe secret.withUnsafeBytes { unsafe $0.reduce(0 as UInt8, |) == 0 }
    return isZero ? nil : secret
  }

  static func wrapKey(_ secret: SharedSecret, share: [UInt8], recipient: [UInt8]) -> SymmetricKey {
    secret.hkdfDerivedSymmetricKey(
      using: SHA256.self, salt: share + recipient, sharedInfo: Array("age-encryption.org/v1/X25519".utf8),
      outputByteCount: 32)
  }
}
