import Crypto
import FoundationEssentials

/// The symmetric key of 128 bits from which all keys of one file are derived.
enum FileKey {
  static let byteCount = 16
  static let sealedByteCount = byteCount + 16

  static func make() -> SymmetricKey { SymmetricKey(size: .bits128) }

  /// Encrypts the file key for a stanza. The nonce is fixed, because each wrap key is used once.
  static func seal(_ fileKey: SymmetricKey, using key: SymmetricKey) -> [UInt8] {
    unsafe fileKey.withUnsafeBytes { unsafe [UInt8](ChunkCipher.seal($0, using: key, nonce: zeroNonce)) }
  }

  /// - Returns: The file key, if the body was sealed with `key`.
  static func open(_ body: [UInt8], using key: SymmetricKey) -> SymmetricKey? {
    guard body.count == sealedByteCount else { return nil }
    return ChunkCipher.open(body[...], using: key, nonce: zeroNonce).map { SymmetricKey(data: $0) }
  }

  private static let zeroNonce = [UInt8](repeating: 0, count: 12)

  /// The MAC over the header up to and including `---`.
  static func headerMAC(_ fileKey: SymmetricKey, of header: ArraySlice<UInt8>) -> [UInt8] {
    let key = HKDF<SHA256>.deriveKey(
      inputKeyMaterial: fileKey, info: Array("header".utf8), outputByteCount: 32)
    return Array(HMAC<SHA256>.authenticationCode(for: header, using: key))
  }

  /// Compares in a time that does not depend on the position of the first difference.
  static func isValid(mac: [UInt8], _ fileKey: SymmetricKey, of header: ArraySlice<UInt8>) -> Bool {
    let expected = headerMAC(fileKey, of: header)
    return mac.count == expected.count && zip(mac, expected).reduce(0 as UInt8) { $0 | ($1.0 ^ $1.1) } == 0
  }

  static func payloadKey(_ fileKey: SymmetricKey, nonce: [UInt8]) -> SymmetricKey {
    HKDF<SHA256>.deriveKey(
      inputKeyMaterial: fileKey, salt: nonce, info: Array("payload".utf8), outputByteCount: 32)
  }
}

enum RandomBytes {
  static func make(count: Int) -> [UInt8] {
    var generator = SystemRandomNumberGenerator()
    return (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
  }
}
