internal import Crypto

/// The key of a user of NATS: Ed25519 in the text form of nats-server ("nkeys").
///
/// The text is Base32 of a prefix, the 32 bytes of the key and their CRC-16 (CCITT, XMODEM), without padding. The prefix of a
/// public key is one byte and yields the letter `U`; that of a seed is two bytes and yields `SU`.
///
///     seed:        prefix 0x95 0x00 | seed (32)       | CRC-16, low byte first
///     public key:  prefix 0xA0      | public key (32) | CRC-16, low byte first
struct UserKey {
  private static let userPrefix: UInt8 = 20 << 3
  private static let seedPrefix: [UInt8] = [18 << 3 | userPrefix >> 5, (userPrefix & 31) << 3]

  private let key: Curve25519.Signing.PrivateKey

  /// A new key.
  init() { key = Curve25519.Signing.PrivateKey() }

  /// Parses a seed. Other text is rejected.
  init?(seed text: String) {
    guard let bytes = Base32.decoded(text), bytes.count == 36, bytes.starts(with: Self.seedPrefix),
      Self.withChecksum(Array(bytes.dropLast(2))) == bytes,
      let key = try? Curve25519.Signing.PrivateKey(rawRepresentation: bytes[2..<34])
    else { return nil }
    self.key = key
  }

  /// `SU` and 56 letters and digits: the secret of the user.
  var seed: String { Base32.encoded(Self.withChecksum(Self.seedPrefix + key.rawRepresentation)) }

  /// `U` and 55 letters and digits, which nats-server knows.
  var publicKey: String {
    Base32.encoded(Self.withChecksum([Self.userPrefix] + key.publicKey.rawRepresentation))
  }

  private static func withChecksum(_ bytes: [UInt8]) -> [UInt8] {
    var checksum: UInt16 = 0
    for byte in bytes {
      checksum ^= UInt16(byte) << 8
      for _ in 0..<8 { checksum = checksum & 0x8000 == 0 ? checksum << 1 : checksum << 1 ^ 0x1021 }
    }
    return bytes + [UInt8(truncatingIfNeeded: checksum), UInt8(checksum >> 8)]
  }
}

/// Base32 (RFC 4648) without padding.
private enum Base32 {
  private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".utf8)

  static func encoded(_ bytes: [UInt8]) -> String {
    var (text, buffer, count): ([UInt8], UInt32, Int) = ([], 0, 0)
    for byte in bytes {
      (buffer, count) = (buffer << 8 | UInt32(byte), count + 8)
      while count >= 5 {
        count -= 5
        text.append(alphabet[Int(buffer >> count) & 31])
      }
      buffer &= 1 << count - 1
    }
    if count > 0 { text.append(alphabet[Int(buffer << (5 - count)) & 31]) }
    return String(decoding: text, as: UTF8.self)
  }

  /// Decodes text without padding. Characters outside the alphabet are invalid.
  static func decoded(_ text: String) -> [UInt8]? {
    var (bytes, buffer, count): ([UInt8], UInt32, Int) = ([], 0, 0)
    for character in text.utf8 {
      guard let digit = alphabet.firstIndex(of: character) else { return nil }
      (buffer, count) = (buffer << 5 | UInt32(digit), count + 5)
      guard count >= 8 else { continue }
      count -= 8
      bytes.append(UInt8(truncatingIfNeeded: buffer >> count))
      buffer &= 1 << count - 1
    }
    return bytes
  }
}
