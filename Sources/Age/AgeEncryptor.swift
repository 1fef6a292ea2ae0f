/// Encrypts a stream of bytes in constant memory. It performs no I/O: write the returned bytes in order.
///
/// It cannot be copied, because two copies would use the same nonces for different data.
package struct AgeEncryptor: ~Copyable, Sendable {
  private var cipher: PayloadCipher
  /// Plaintext of the current chunk. A full chunk waits for the next byte, because the final chunk is not empty.
  private var pending: [UInt8] = []
  /// The header and the nonce, until they are returned.
  private var output: [UInt8]

  /// - Throws: ``AgeError/noRecipients``, ``AgeError/headerTooLong(limit:)``, ``AgeError/malformedKey(reason:)``,
  ///   ``AgeError/passphraseDerivationFailed(workFactor:)``.
  package init(to recipients: AgeRecipients) throws(AgeError) {
    let fileKey = FileKey.make()
    let nonce = RandomBytes.make(count: PayloadCipher.nonceByteCount)
    output = try Header.encode(recipients.wrap(fileKey), fileKey: fileKey) + nonce
    cipher = PayloadCipher(fileKey: fileKey, nonce: nonce)
    pending.reserveCapacity(PayloadCipher.chunkByteCount)
  }

  /// Encrypts the next bytes of the plaintext.
  /// - Returns: the ciphertext that is complete so far.
  package mutating func update(_ plaintext: ArraySlice<UInt8>) -> [UInt8] {
    var rest = plaintext
    while !rest.isEmpty {
      if pending.count == PayloadCipher.chunkByteCount { sealPending(isFinal: false) }
      if pending.isEmpty, rest.count > PayloadCipher.chunkByteCount {
        output += cipher.seal(rest.prefix(PayloadCipher.chunkByteCount), isFinal: false)
        rest = rest.dropFirst(PayloadCipher.chunkByteCount)
        continue
      }
      let piece = rest.prefix(PayloadCipher.chunkByteCount - pending.count)
      pending += piece
      rest = rest.dropFirst(piece.count)
    }
    return takeOutput()
  }

  package mutating func update(_ plaintext: [UInt8]) -> [UInt8] { update(plaintext[...]) }

  /// Encrypts the final chunk.
  /// - Returns: the rest of the ciphertext.
  package consuming func finish() -> [UInt8] {
    sealPending(isFinal: true)
    return takeOutput()
  }

  private mutating func sealPending(isFinal: Bool) {
    output += cipher.seal(pending[...], isFinal: isFinal)
    pending.removeAll(keepingCapacity: true)
  }

  private mutating func takeOutput() -> [UInt8] {
    defer { output = [] }
    return output
  }
}
