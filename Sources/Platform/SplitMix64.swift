/// The pseudorandom number generator SplitMix64 (Steele, Lea, Flood: "Fast splittable pseudorandom number
/// generators", OOPSLA 2014). It uses only integer arithmetic and exact floating-point operations, so a seed
/// gives equal numbers on every platform.
package struct SplitMix64: RandomNumberGenerator, Equatable, Sendable {
  private var state: UInt64

  /// Creates the `stream`-th independent generator of a seed. With one stream per kind of value, the number of draws of one
  /// kind does not affect another.
  package init(seed: UInt64, stream: UInt64) {
    state = seed
    state = next() ^ (stream &* 0xD6E8_FEB8_6659_FD93)
  }

  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}
