/// A reproducible pseudorandom number generator (SplitMix64: Steele, Lea, Flood 2014) for property tests.
package struct SeededGenerator: RandomNumberGenerator, Sendable {
  private var state: UInt64
  package init(seed: UInt64) { state = seed }

  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}

extension [UInt8] {
  /// A copy in which up to three bytes are replaced by random bytes or by other bytes of the array.
  package func corrupted(using random: inout SeededGenerator) -> [UInt8] {
    var bytes = self
    for _ in 0..<Int.random(in: 1...3, using: &random) {
      let index = Int.random(in: 0..<bytes.count, using: &random)
      bytes[index] =
        Bool.random(using: &random)
        ? UInt8.random(in: 0...255, using: &random) : bytes.randomElement(using: &random) ?? 0
    }
    return bytes
  }
}
