/// Bech32 (BIP 173, 2017), without its limit on the length.
enum Bech32 {
  private static let alphabet = Array("qpzry9x8gf2tvdw0s3jn54khce6mua7l".utf8)
  private static let checksumLength = 6

  static func encode(prefix: String, _ bytes: [UInt8]) -> String {
    let values = regrouped(bytes, from: 8, to: 5)
    let remainder = polymod(expanded(prefix) + values + [UInt8](repeating: 0, count: checksumLength)) ^ 1
    let checksum = (0..<checksumLength).map { UInt8(remainder >> (5 * UInt32(5 - $0)) & 31) }
    let text = (values + checksum).map { alphabet[Int($0)] }
    return prefix + "1" + String(decoding: text, as: UTF8.self)
  }

  /// The prefix in lower case, and the bytes.
  /// - Throws: ``AgeError/malformedKey(reason:)``.
  static func decode(_ text: String) throws(AgeError) -> (prefix: String, bytes: [UInt8]) {
    guard text.utf8.allSatisfy({ (33...126).contains($0) }) else {
      throw .malformedKey(reason: "invalid character")
    }
    let lower = text.lowercased()
    guard text == lower || text == text.uppercased() else {
      throw .malformedKey(reason: "upper and lower case are mixed")
    }
    guard let separator = lower.utf8.lastIndex(of: UInt8(ascii: "1")), separator > lower.startIndex else {
      throw .malformedKey(reason: "the separator 1 is missing")
    }
    let prefix = String(lower[..<separator])
    return (prefix, try bytes(Array(lower.utf8[separator...].dropFirst()), prefix: prefix))
  }

  private static func bytes(_ characters: [UInt8], prefix: String) throws(AgeError) -> [UInt8] {
    let values = characters.compactMap { alphabet.firstIndex(of: $0).map(UInt8.init) }
    guard values.count == characters.count else { throw .malformedKey(reason: "invalid character") }
    guard values.count >= checksumLength, polymod(expanded(prefix) + values) == 1 else {
      throw .malformedKey(reason: "the checksum does not match; check for typing errors")
    }
    let data = values.dropLast(checksumLength)
    let bytes = regrouped(data, from: 5, to: 8)
    let padded = regrouped(bytes, from: 8, to: 5)
    // The last group has spare bits, which must be fewer than five and zero.
    guard padded.elementsEqual(data) else { throw .malformedKey(reason: "invalid padding") }
    return bytes
  }

  /// Concatenates groups of `from` bits and splits them into groups of `to` bits. Adds zero bits to complete the last
  /// group of five, and removes spare bits after the last group of eight.
  private static func regrouped(_ groups: some Sequence<UInt8>, from: UInt32, to: UInt32) -> [UInt8] {
    var (bits, count): (UInt32, UInt32) = (0, 0)
    var result: [UInt8] = []
    for group in groups {
      bits = (bits << from | UInt32(group)) & 0xfff
      count += from
      while count >= to {
        count -= to
        result.append(UInt8(bits >> count & ((1 << to) - 1)))
      }
    }
    if to == 5, count > 0 { result.append(UInt8(bits << (to - count) & 31)) }
    return result
  }

  private static func expanded(_ prefix: String) -> [UInt8] {
    prefix.lowercased().utf8.map { $0 >> 5 } + [0] + prefix.lowercased().utf8.map { $0 & 31 }
  }

  private static func polymod(_ values: [UInt8]) -> UInt32 {
    let generators: [UInt32] = [0x3b6a_57b2, 0x2650_8e6d, 0x1ea1_19fa, 0x3d42_33dd, 0x2a14_62b3]
    return values.reduce(1) { checksum, value in
      var next = (checksum & 0x1ff_ffff) << 5 ^ UInt32(value)
      for (bit, generator) in generators.enumerated() where checksum >> (25 + UInt32(bit)) & 1 == 1 {
        next ^= generator
      }
      return next
    }
  }
}
