/// How long to wait before the next attempt: doubling, with jitter, so that two programs do not stay in step.
struct Backoff: Equatable, Sendable {
  private let first: Duration
  private let longest: Duration
  private var state: UInt64

  init(seed: UInt64, timing: LinkTiming = LinkTiming()) {
    state = seed
    first = timing.firstRest
    longest = timing.longestRest
  }

  /// Between half and one and a half times `first * 2^failures`, at most `longest`.
  mutating func delay(afterFailures failures: Int) -> Duration {
    let plain = min(first * (1 << min(max(failures, 0), 10)), longest)
    return min(plain / 2 + plain * Double(next() >> 11) / Double(1 << 53), longest)
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
