import Sync

/// A substitute for encryption in tests: a checksum instead of authenticated encryption, and a keyed checksum instead of HMAC.
struct FastCrypt: FileCrypt {
  /// The secret of each key.
  var secrets: [VaultKey: UInt64]
  var current: VaultKey
  let firstRecipient = "age1fast"

  func seal(_ plaintext: [UInt8]) throws -> [UInt8] {
    let head = Array("\(current.epoch) \(current.writer)\n".utf8)
    return Self.bytes(Self.checksum(head + plaintext, 0)) + head + plaintext
  }

  func open(_ file: [UInt8]) throws(FileCryptError) -> (plaintext: [UInt8], key: VaultKey) {
    guard file.count > 8, Self.bytes(Self.checksum(Array(file[8...]), 0)) == Array(file[..<8]),
      let end = file[8...].firstIndex(of: 10)
    else { throw .damaged }
    let words = String(decoding: file[8..<end], as: UTF8.self).split(separator: " ")
    guard words.count == 2, let epoch = Int(words[0]), let writer = SharedID(words[1]) else { throw .damaged }
    let key = VaultKey(epoch: epoch, writer: writer)
    guard secrets[key] != nil else { throw .unknownKey }
    return (Array(file[(end + 1)...]), key)
  }

  func authenticationCode(of message: [UInt8], purpose: String, key: VaultKey) -> [UInt8]? {
    secrets[key].map { secret in
      (0..<2).flatMap { Self.bytes(Self.checksum(message + Array(purpose.utf8), secret &+ UInt64($0))) }
    }
  }

  private static func bytes(_ word: UInt64) -> [UInt8] {
    (0..<8).map { UInt8(truncatingIfNeeded: word >> (8 * UInt64($0))) }
  }

  private static func checksum(_ bytes: [UInt8], _ secret: UInt64) -> UInt64 {
    bytes.reduce(0xCBF2_9CE4_8422_2325 ^ secret) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
  }
}
