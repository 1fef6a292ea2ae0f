import Crypto

/// Decrypts a stream of bytes in constant memory (128 KiB, apart from scrypt). It performs no I/O.
///
/// Each returned byte is authentic, but the stream is complete only after ``finish()``: until then, it may be truncated.
package struct AgeDecryptor: ~Copyable, Sendable {
  private enum State {
    case header(HeaderReader)
    /// The header is valid; its file key follows.
    case nonce(SymmetricKey)
    case payload(PayloadCipher)
    /// The final chunk has been returned.
    case finished
    case failed(AgeError)
  }

  private let identities: AgeIdentities
  private var state = State.header(HeaderReader())
  /// The bytes of the nonce or chunk so far.
  private var pending: [UInt8] = []

  package init(with identities: AgeIdentities) { self.identities = identities }

  /// Decrypts the next bytes of the file. After an error, every call throws the same error.
  /// - Parameter release: receives the plaintext of each chunk, also of those before an error.
  /// - Throws: ``AgeError``.
  package mutating func update(
    _ ciphertext: ArraySlice<UInt8>, release: ([UInt8]) -> Void
  ) throws(AgeError) {
    do throws(AgeError) {
      var rest = ciphertext
      while !rest.isEmpty { try advance(&rest, release) }
    } catch {
      state = .failed(error)
      throw error
    }
  }

  /// Decrypts the next bytes of the file.
  /// - Returns: the plaintext of the chunks that are complete so far.
  /// - Throws: ``AgeError``.
  package mutating func update(_ ciphertext: ArraySlice<UInt8>) throws(AgeError) -> [UInt8] {
    var plaintext: [UInt8] = []
    try update(ciphertext) { plaintext += $0 }
    return plaintext
  }

  /// Decrypts the final chunk.
  /// - Returns: the rest of the plaintext.
  /// - Throws: ``AgeError``, among others if the file is truncated.
  package consuming func finish() throws(AgeError) -> [UInt8] {
    switch state {
    case .header(let reader): throw reader.truncation
    case .nonce: throw .truncatedPayload(chunk: 0)
    case .payload(let cipher): return try Self.final(pending, cipher)
    case .finished: return []
    case .failed(let error): throw error
    }
  }

  private mutating func advance(_ rest: inout ArraySlice<UInt8>, _ release: ([UInt8]) -> Void)
    throws(AgeError)
  {
    switch state {
    case .header(var reader):
      if let header = try reader.read(&rest) {
        state = .nonce(try fileKey(header))
      } else {
        state = .header(reader)
      }
    case .nonce(let fileKey):
      guard fill(PayloadCipher.nonceByteCount, from: &rest) else { return }
      state = .payload(PayloadCipher(fileKey: fileKey, nonce: pending))
      pending.removeAll(keepingCapacity: true)
    case .payload(let cipher):
      guard fill(PayloadCipher.sealedChunkByteCount, from: &rest) else { return }
      release(try openPending(cipher))
    case .finished: throw .trailingBytes
    case .failed(let error): throw error
    }
  }

  private func fileKey(_ header: Header) throws(AgeError) -> SymmetricKey {
    let fileKey = try identities.unwrap(header.stanzas)
    guard FileKey.isValid(mac: header.mac, fileKey, of: header.authenticated) else { throw .headerMismatch }
    return fileKey
  }

  /// Opens a chunk of full size, which may be the final one.
  private mutating func openPending(_ cipher: PayloadCipher) throws(AgeError) -> [UInt8] {
    defer { pending.removeAll(keepingCapacity: true) }
    var cipher = cipher
    if let plaintext = cipher.open(pending[...], isFinal: false) {
      state = .payload(cipher)
      return [UInt8](plaintext)
    }
    let plaintext = try Self.final(pending, cipher)
    state = .finished
    return plaintext
  }

  private static func final(_ chunk: [UInt8], _ cipher: PayloadCipher) throws(AgeError) -> [UInt8] {
    var cipher = cipher
    let number = cipher.chunk
    guard chunk.count >= ChunkCipher.tagByteCount else { throw .truncatedPayload(chunk: number) }
    guard let plaintext = cipher.open(chunk[...], isFinal: true) else { throw .damagedPayload(chunk: number) }
    guard number == 0 || !plaintext.isEmpty else { throw .damagedPayload(chunk: number) }
    return [UInt8](plaintext)
  }

  /// Moves bytes from `rest` to `pending`.
  /// - Returns: whether `pending` contains `count` bytes.
  private mutating func fill(_ count: Int, from rest: inout ArraySlice<UInt8>) -> Bool {
    let piece = rest.prefix(count - pending.count)
    pending += piece
    rest = rest.dropFirst(piece.count)
    return pending.count == count
  }
}
