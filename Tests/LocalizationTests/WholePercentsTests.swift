import Localization
import TestSupport
import Testing

/// Regression: 56 + 8 + 37 = 101.
@Suite struct WholePercentsTests {
  @Test(
    arguments: [
      ([55.6, 7.6, 36.8], [56, 7, 37]), ([1, 1, 1], [34, 33, 33]),
      ([1, 1, 1, 1, 1, 1], [17, 17, 17, 17, 16, 16]),
      ([5], [100]), ([0, 3, 0], [0, 100, 0]), ([0.5, 99.5], [1, 99]), ([1, 399], [0, 100]),
    ] as [([Double], [Int])])
  func theLargestRemaindersAreRoundedUp(parts: [Double], percents: [Int]) {
    #expect(wholePercents(of: parts) == percents)
  }

  @Test func percentsAddUpToAHundredAndDifferByLessThanOne() throws {
    var random = SeededGenerator(seed: 30)
    for _ in 0..<2000 {
      let parts = (0..<Int.random(in: 1...6, using: &random)).map { _ in
        Double.random(in: 0...1, using: &random)
      }
      let percents = try #require(wholePercents(of: parts))
      let sum = parts.reduce(0, +)
      #expect(percents.reduce(0, +) == 100)
      #expect(zip(parts, percents).allSatisfy { abs(100 * $0 / sum - Double($1)) < 1 })
    }
  }

  @Test func nothingHasNoPercents() {
    #expect(wholePercents(of: []) == nil && wholePercents(of: [0, 0]) == nil)
    #expect(wholePercents(of: [.infinity, 1]) == nil)
  }
}
