import Crypto
import FoundationEssentials

/// ChaCha20-Poly1305 (RFC 8439) without associated data: ciphertext followed by a tag of 16 bytes.
enum ChunkCipher {
  static let tagByteCount = 16

  static func seal(_ plaintext: some DataProtocol, using key: SymmetricKey, nonce: [UInt8]) -> Data {
    // Both calls fail only for a key or nonce of another size, and the sizes here are constant.
    guard let nonce = try? ChaChaPoly.Nonce(data: nonce),
      let box = try? ChaChaPoly.seal(plaintext, using: key, nonce: nonce)
    else { preconditionFailure("ChaCha20-Poly1305 requires a key of 32 and a nonce of 12 bytes") }
    return box.combined.dropFirst(12)
  }

  /// - Returns: The plaintext, if `sealed` is what ``seal(_:using:nonce:)`` returned for the same key and nonce.
  static func open(_ sealed: ArraySlice<UInt8>, using key: SymmetricKey, nonce: [UInt8]) -> Data? {
    guard sealed.count >= tagByteCount, let nonce = try? ChaChaPoly.Nonce(data: nonce),
      let box = try? ChaChaPoly.SealedBox(
        nonce: nonce, ciphertext: sealed.dropLast(tagByteCount), tag: sealed.suffix(tagByteCount))
    else { return nil }
    return try? ChaChaPoly.open(box, using: key)
  }
}

/// The keys and nonces of the chunks of a payload: STREAM (Hoang, Reyhanitabar, Rogaway and Vizár, 2015) with a
/// counter of 11 bytes and a byte that marks the final chunk.
struct PayloadCipher {
  /// The size of the plaintext of each chunk except the last one.
  static let chunkByteCount = 64 * 1024
  static let sealedChunkByteCount = chunkByteCount + ChunkCipher.tagByteCount
  static let nonceByteCount = 16

  private let key: SymmetricKey
  /// The number of chunks so far.
  private(set) var chunk = 0

  init(fileKey: SymmetricKey, nonce: [UInt8]) { key = FileKey.payloadKey(fileKey, nonce: nonce) }

  mutating func seal(_ plaintext: ArraySlice<UInt8>, isFinal: Bool) -> Data {
    defer { chunk += 1 }
    return ChunkCipher.seal(plaintext, using: key, nonce: nonce(isFinal: isFinal))
  }

  /// - Returns: The plaintext, if `sealed` is the next chunk.
  mutating func open(_ sealed: ArraySlice<UInt8>, isFinal: Bool) -> Data? {
    guard let plaintext = ChunkCipher.open(sealed, using: key, nonce: nonce(isFinal: isFinal)) else {
      return nil
    }
    chunk += 1
    return plaintext
  }

  // The upper three bytes of the counter stay zero: 2^63 chunks exceed any file.
  private func nonce(isFinal: Bool) -> [UInt8] {
    let counter = UInt64(chunk)
    return [0, 0, 0] + (0..<8).map { UInt8(truncatingIfNeeded: counter >> (8 * UInt64(7 - $0))) }
      + [isFinal ? 1 : 0]
  }
}
