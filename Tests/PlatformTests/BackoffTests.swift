import Platform
import Testing

@Suite struct BackoffTests {
  private let second: Int64 = 1_000_000_000

  @Test func theDelayDoublesUpToThirtySeconds() {
    var backoff = Backoff()
    let delays = (0..<7).map { _ in backoff.failed(at: 0) / second }
    #expect(delays == [1, 2, 4, 8, 16, 30, 30])
  }

  @Test func aLastingConnectionResetsTheDelayAndAShortOneDoesNot() {
    var backoff = Backoff()
    for _ in 0..<3 { _ = backoff.failed(at: 0) }
    backoff.connected(at: 0)
    #expect(backoff.failed(at: second) == 9 * second)
    backoff.connected(at: 0)
    #expect(backoff.failed(at: 30 * second) == 31 * second)
  }

  @Test func aSuccessResetsTheDelay() {
    var backoff = Backoff(shortest: 2, longest: 5)
    #expect([0, 10, 20].map { backoff.failed(at: $0) } == [2, 14, 25])
    backoff.reset()
    #expect(backoff.failed(at: 30) == 32)
  }
}
