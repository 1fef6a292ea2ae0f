package import SystemPackage

/// Encrypts and decrypts complete files. Decryption recognises the armor.
package enum AgeFile {
  /// Encrypts `plaintext` in memory.
  /// - Throws: the errors of ``AgeEncryptor``.
  package static func encrypt(
    _ plaintext: [UInt8], to recipients: AgeRecipients, isArmored: Bool = false
  ) throws(AgeError) -> [UInt8] {
    var encryptor = try AgeEncryptor(to: recipients)
    var file: [UInt8] = []
    // A tag of 16 bytes per chunk; header and nonce.
    file.reserveCapacity(plaintext.count + plaintext.count / pieceByteCount * ChunkCipher.tagByteCount + 4096)
    for piece in pieces(of: plaintext) { file += encryptor.update(piece) }
    file += encryptor.finish()
    guard isArmored else { return file }
    var armor = ArmorEncoder()
    let text = armor.update(file[...])
    return text + armor.finish()
  }

  /// Decrypts `file` in memory.
  /// - Throws: ``AgeError``.
  package static func decrypt(_ file: [UInt8], with identities: AgeIdentities) throws(AgeError) -> [UInt8] {
    var reader = AgeFileReader(with: identities)
    var plaintext: [UInt8] = []
    plaintext.reserveCapacity(file.count)
    for piece in pieces(of: file) { try reader.update(piece) { plaintext += $0 } }
    try reader.finish { plaintext += $0 }
    return plaintext
  }

  private static let pieceByteCount = PayloadCipher.chunkByteCount

  /// Pieces of bytes. Only the input and the result need buffers of their size.
  private static func pieces(of bytes: [UInt8]) -> some Sequence<ArraySlice<UInt8>> {
    stride(from: 0, to: bytes.count, by: pieceByteCount).lazy.map {
      bytes[$0..<min($0 + pieceByteCount, bytes.count)]
    }
  }

  /// Encrypts everything that `input` contains after its current position, in constant memory.
  /// - Throws: ``AgeError``; `output` then contains an incomplete file, which the caller removes.
  package static func encrypt(
    from input: FileDescriptor, to output: FileDescriptor, recipients: AgeRecipients, isArmored: Bool = false
  ) throws(AgeError) {
    var encryptor = try AgeEncryptor(to: recipients)
    var armor = ArmorEncoder()
    var buffer = ByteBuffer()
    while let piece = try buffer.read(input) {
      let bytes = encryptor.update(piece)
      try output.writeBytes(isArmored ? armor.update(bytes[...]) : bytes)
    }
    let rest = encryptor.finish()
    try output.writeBytes(isArmored ? armor.update(rest[...]) + armor.finish() : rest)
  }

  /// Decrypts everything that `input` contains after its current position, in constant memory.
  /// - Throws: ``AgeError``; `output` then contains at most a part of the plaintext, which the caller discards.
  package static func decrypt(
    from input: FileDescriptor, to output: FileDescriptor, identities: AgeIdentities
  ) throws(AgeError) {
    var reader = AgeFileReader(with: identities)
    var buffer = ByteBuffer()
    while let piece = try buffer.read(input) {
      var plaintext: [UInt8] = []
      try reader.update(piece) { plaintext += $0 }
      try output.writeBytes(plaintext)
    }
    var plaintext: [UInt8] = []
    try reader.finish { plaintext += $0 }
    try output.writeBytes(plaintext)
  }
}

/// A buffer for reading a file in pieces.
struct ByteBuffer {
  private var bytes = [UInt8](repeating: 0, count: 256 * 1024)

  /// Reads the next bytes. Returns `nil` at the end of the file.
  /// - Throws: ``AgeError/file(operation:errno:)``.
  mutating func read(_ descriptor: FileDescriptor) throws(AgeError) -> ArraySlice<UInt8>? {
    let count = try FileDescriptor.checked("read") {
      try unsafe bytes.withUnsafeMutableBytes { try unsafe descriptor.read(into: $0) }
    }
    return count == 0 ? nil : bytes[..<count]
  }
}

extension FileDescriptor {
  /// - Throws: ``AgeError/file(operation:errno:)``.
  func writeBytes(_ bytes: [UInt8]) throws(AgeError) {
    _ = try Self.checked("write") { try writeAll(bytes) }
  }

  static func checked<Value>(_ operation: String, _ body: () throws -> Value) throws(AgeError) -> Value {
    do {
      return try body()
    } catch {
      throw .file(operation: operation, errno: (error as? Errno)?.rawValue ?? 0)
    }
  }
}
