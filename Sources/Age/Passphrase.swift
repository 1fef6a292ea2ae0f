import Crypto
import CryptoExtras
import FoundationEssentials
import JSONLines

/// A passphrase, from which scrypt (RFC 7914) derives a key. Descriptions and reflection do not show it.
package struct Passphrase: Sendable, CustomStringConvertible, CustomReflectable {
  /// The binary logarithm of the scrypt work factor: N = 2^18, 256 MiB of memory with r = 8.
  package static let defaultWorkFactor = 18
  static let stanzaType = "scrypt"
  static let workFactors = 1...30
  private static let saltByteCount = 16

  // SymmetricKey overwrites its memory when it is released.
  private let bytes: SymmetricKey

  /// - Throws: ``AgeError/emptyPassphrase``.
  package init(_ text: String) throws(AgeError) {
    guard !text.isEmpty else { throw .emptyPassphrase }
    bytes = SymmetricKey(data: Array(text.utf8))
  }

  /// The stanza from which the same passphrase derives `fileKey`.
  /// - Throws: ``AgeError/passphraseDerivationFailed(workFactor:)``.
  func wrap(_ fileKey: SymmetricKey, workFactor: Int) throws(AgeError) -> Stanza {
    let salt = RandomBytes.make(count: Self.saltByteCount)
    let key = try wrapKey(salt: salt, workFactor: workFactor)
    return Stanza(
      type: Self.stanzaType, arguments: [Base64.encode(salt, padding: false), String(workFactor)],
      body: FileKey.seal(fileKey, using: key))
  }

  /// - Throws: ``AgeError/malformedStanza(type:reason:)``, ``AgeError/workFactorTooHigh(found:limit:)``,
  ///   ``AgeError/wrongPassphrase``, ``AgeError/passphraseDerivationFailed(workFactor:)``.
  func unwrap(_ stanza: Stanza, workFactorLimit: Int) throws(AgeError) -> SymmetricKey {
    let salt = try stanza.decodedArgument(0, of: 2, byteCount: Self.saltByteCount)
    let workFactor = try Self.workFactor(stanza)
    try stanza.requireFileKeyBody()
    guard workFactor <= workFactorLimit else {
      throw .workFactorTooHigh(found: workFactor, limit: workFactorLimit)
    }
    let key = try wrapKey(salt: salt, workFactor: workFactor)
    guard let fileKey = FileKey.open(stanza.body, using: key) else { throw .wrongPassphrase }
    return fileKey
  }

  /// A decimal number without sign and leading zero. Numbers of more than two digits are above any limit.
  private static func workFactor(_ stanza: Stanza) throws(AgeError) -> Int {
    let digits = Array(stanza.arguments[1].utf8)
    guard digits.first != UInt8(ascii: "0"),
      digits.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains)
    else { throw .malformedStanza(type: stanza.type, reason: "the work factor is not a decimal number") }
    return digits.count > 2 ? .max : Int(stanza.arguments[1]) ?? .max
  }

  private func wrapKey(salt: [UInt8], workFactor: Int) throws(AgeError) -> SymmetricKey {
    guard Self.workFactors.contains(workFactor) else {
      throw .passphraseDerivationFailed(workFactor: workFactor)
    }
    let salt = Array("age-encryption.org/v1/scrypt".utf8) + salt
    let key = unsafe bytes.withUnsafeBytes { password in
      unsafe try? KDF.Scrypt.deriveKey(
        from: password, salt: salt, outputByteCount: 32, rounds: 1 << workFactor, blockSize: 8, parallelism: 1
      )
    }
    guard let key else { throw .passphraseDerivationFailed(workFactor: workFactor) }
    return key
  }

  package var description: String { "passphrase" }
  package var customMirror: Mirror { Mirror(self, children: []) }
}
