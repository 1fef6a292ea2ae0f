/// How long to wait before the next attempt: doubling, with jitter, so that two programs do not stay in step.
struct Backoff: Equatable, Sendable {
  private var state: UInt64

  static let first = Duration.milliseconds(500)
  static let longest = Duration.seconds(15)

  init(seed: UInt64) { state = seed }

  /// Between half and one and a half times `first * 2^failures`, at most `longest`.
  mutating func delay(afterFailures failures: Int) -> Duration {
    let plain = min(Self.first * (1 << min(max(failures, 0), 10)), Self.longest)
    return min(plain / 2 + plain * Double(next() >> 11) / Double(1 << 53), Self.longest)
  }

  /// SplitMix64 (Steele, Lea, Flood 2014).
  private mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}
