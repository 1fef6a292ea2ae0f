/// Decrypts a stream that is binary or armored, which its first bytes show.
struct AgeFileReader: ~Copyable {
  private enum Encoding {
    /// The bytes so far, too few to decide.
    case unknown([UInt8])
    case binary
    case armored(ArmorDecoder)
  }

  private static let headByteCount = 4096

  private var encoding = Encoding.unknown([])
  private var decryptor: AgeDecryptor

  init(with identities: AgeIdentities) { decryptor = AgeDecryptor(with: identities) }

  mutating func update(_ bytes: ArraySlice<UInt8>, release: ([UInt8]) -> Void) throws(AgeError) {
    switch encoding {
    case .unknown(let head):
      let head = head + bytes
      if head.count < Self.headByteCount {
        encoding = .unknown(head)
      } else {
        try decide(head, release)
      }
    case .binary: try decryptor.update(bytes, release: release)
    case .armored(var armor):
      let decoded = try armor.update(bytes)
      encoding = .armored(armor)
      try decryptor.update(decoded[...], release: release)
    }
  }

  consuming func finish(release: ([UInt8]) -> Void) throws(AgeError) {
    if case .unknown(let head) = encoding { try decide(head, release) }
    if case .armored(var armor) = encoding {
      try decryptor.update(armor.finish()[...], release: release)
    }
    release(try decryptor.finish())
  }

  private mutating func decide(_ head: [UInt8], _ release: ([UInt8]) -> Void) throws(AgeError) {
    encoding = ArmorDecoder.isArmored(head: head) ? .armored(ArmorDecoder()) : .binary
    try update(head[...], release: release)
  }
}
