internal import Crypto

/// The private signing key of a device (Ed25519), from which its identifier is derived.
///
/// All devices share the keys of the vault, so only a signature proves which device wrote a file. The identifier is a hash of the
/// public key: no list of trusted keys is needed, and a device cannot sign for the identifier of another one.
package struct DeviceKey: Sendable {
  /// The 32 bytes of the private key.
  package let seed: [UInt8]
  package let publicKey: [UInt8]
  private let key: Curve25519.Signing.PrivateKey

  package init(using generator: inout some RandomNumberGenerator) {
    let seed = (0..<32).map { _ in UInt8.random(in: 0...255, using: &generator) }
    guard let key = DeviceKey(seed: seed) else { preconditionFailure("32 bytes are a key") }
    self = key
  }

  /// Fails unless there are 32 bytes.
  package init?(seed: [UInt8]) {
    guard let key = try? Curve25519.Signing.PrivateKey(rawRepresentation: seed) else { return nil }
    (self.seed, self.key, publicKey) = (seed, key, Array(key.publicKey.rawRepresentation))
  }

  /// The identifier of the device.
  package var id: SharedID { SharedID(publicKey: publicKey) }

  /// - Returns: A signature of 64 bytes.
  func signature(of message: [UInt8]) throws -> [UInt8] { Array(try key.signature(for: message)) }

  /// Whether `signature` was made with the private key of the device `id`.
  static func isValid(_ signature: [UInt8], of message: [UInt8], by publicKey: [UInt8], id: SharedID) -> Bool
  {
    guard SharedID(publicKey: publicKey) == id,
      let key = try? Curve25519.Signing.PublicKey(rawRepresentation: publicKey)
    else { return false }
    return key.isValidSignature(signature, for: message)
  }
}

extension DeviceKey: Equatable {
  package static func == (a: DeviceKey, b: DeviceKey) -> Bool { a.seed == b.seed }
}

extension SharedID {
  /// The last 25 bits of identifiers of signing devices, `ed255` as text.
  ///
  /// An identifier of format 1 is random and has this mark with a probability of 2^-25.
  private static let signingMark: UInt128 = 0b01110_01101_00010_00101_00101
  private static let markMask: UInt128 = 1 << 25 - 1

  /// The first 103 bits of the SHA-256 of the public key, and the mark.
  init(publicKey: [UInt8]) {
    let hash = SHA256.hash(data: Array("stressmon sync device 2\n".utf8) + publicKey)
    let bits = hash.prefix(16).reduce(UInt128(0)) { $0 << 8 | UInt128($1) }
    self.init(bits: bits & ~Self.markMask | Self.signingMark)
  }

  /// Whether files of the device must be signed (format 2).
  package var isSigning: Bool { bits & Self.markMask == Self.signingMark }
}
