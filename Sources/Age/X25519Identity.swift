import Crypto
import FoundationEssentials

/// A private key, as text `AGE-SECRET-KEY-1...`. Descriptions and reflection show only its recipient.
package struct X25519Identity: Sendable {
  static let prefix = "AGE-SECRET-KEY-"

  private let key: Curve25519.KeyAgreement.PrivateKey
  package let recipient: X25519Recipient

  /// Generates a key.
  package init() { self.init(Curve25519.KeyAgreement.PrivateKey()) }

  private init(_ key: Curve25519.KeyAgreement.PrivateKey) {
    self.key = key
    recipient = X25519Recipient(key.publicKey)
  }

  /// - Parameter text: `AGE-SECRET-KEY-1...`, in upper or lower case.
  /// - Throws: ``AgeError/malformedKey(reason:)``, without the text.
  package init(_ text: String) throws(AgeError) {
    let (prefix, bytes) = try Bech32.decode(text)
    guard prefix == Self.prefix.lowercased() else {
      throw .malformedKey(reason: "an identity starts with \(Self.prefix)1")
    }
    guard let key = try? Curve25519.KeyAgreement.PrivateKey(rawRepresentation: bytes) else {
      throw .malformedKey(reason: "an identity has \(X25519Recipient.byteCount) bytes, not \(bytes.count)")
    }
    self.init(key)
  }

  /// `AGE-SECRET-KEY-1...`: store it in files of mode 0600 only.
  package var secretText: String {
    Bech32.encode(prefix: Self.prefix, [UInt8](key.rawRepresentation)).uppercased()
  }

  /// Derives `byteCount` bytes (at most 8160) with HKDF-SHA256 for another purpose, which `info` names.
  package func derivedKey(info: String, byteCount: Int) -> [UInt8] {
    let key = HKDF<SHA256>.deriveKey(
      inputKeyMaterial: SymmetricKey(data: key.rawRepresentation), info: Array(info.utf8),
      outputByteCount: byteCount)
    return unsafe key.withUnsafeBytes { unsafe [UInt8]($0) }
  }

  /// The file key in `stanza`, if the stanza is for this identity.
  /// - Throws: ``AgeError/malformedStanza(type:reason:)``.
  func unwrap(_ stanza: Stanza) throws(AgeError) -> SymmetricKey? {
    let share = try stanza.decodedArgument(0, of: 1, byteCount: X25519Recipient.byteCount)
    try stanza.requireFileKeyBody()
    guard let secret = X25519Key.sharedSecret(of: key, and: share) else {
      throw .malformedStanza(type: stanza.type, reason: "the share is a point of low order")
    }
    let key = X25519Key.wrapKey(secret, share: share, recipient: recipient.bytes)
    return FileKey.open(stanza.body, using: key)
  }
}

extension X25519Identity: CustomStringConvertible, CustomReflectable {
  package var description: String { "identity of \(recipient)" }
  package var customMirror: Mirror { Mirror(self, children: ["recipient": recipient]) }
}
