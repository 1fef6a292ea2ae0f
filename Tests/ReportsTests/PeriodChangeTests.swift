import Localization
import Stress
import TestSupport
import Testing

@testable import Reports

@Suite struct PeriodChangeTests {
  @Test("A difference within the variation of days is no change; a larger one is a change")
  func changes() throws {
    let days = [50.0, 40, 45, 55, 48, 52, 60]
    let same = PeriodChange(of: days, against: days.reversed(), isRatio: false)
    #expect(same.change == 0 && same.isChanged == false)
    let lower = PeriodChange(of: days.map { $0 - 30 }, against: days, isRatio: false)
    #expect(try abs(#require(lower.change) + 30) < 1e-12 && lower.isChanged == true)
    let double = PeriodChange(of: days.map { $0 * 2 }, against: days, isRatio: true)
    #expect(try abs(#require(double.change) - 2) < 1e-12 && double.isChanged == true)
    // Daily means 1, 2, 3 against 2, 3, 4: difference 1, standard error sqrt(2/3), four degrees of freedom, t 2.776.
    let known = PeriodChange(of: [2, 3, 4], against: [1, 2, 3], isRatio: false)
    let interval = try #require(known.interval)
    #expect(abs(interval.lowerBound - (1 - 2.776 * 0.8165)) < 0.003)
    #expect(abs(interval.upperBound - (1 + 2.776 * 0.8165)) < 0.003)
  }

  @Test(
    "A change is displayed with as many decimals as it needs to differ from zero",
    arguments: [
      (0.2, 0.01, "50.2, the week before 50.0: clearly higher (+0.2, 95 % interval +0.2 to +0.2)"),
      (0.02, 0.001, "50.02, the week before 50.00: clearly higher (+0.02, 95 % interval +0.02 to +0.02)"),
      (1e-5, 1e-7, "50, the week before 50: no clear change (+0, 95 % interval +0 to +0)"),
      (5, 0.1, "55, the week before 50: clearly higher (+5, 95 % interval +5 to +5)"),
      (0.2, 1, "50, the week before 50: no clear change (+0, 95 % interval -2 to +2)"),
    ])
  func displayedZero(change: Double, spread: Double, expected: String) {
    let days = [-1.0, 0, 1].map { 50 + $0 * spread }
    let week = PeriodChange(of: days.map { $0 + change }, against: days, isRatio: false)
    let sentence = PeriodChanges.sentence("Stress", unit: "", decimals: 0, week, hasDetails: true, .english)
    #expect(sentence.contains(expected), "\(sentence)")
  }

  @Test("Two days give no interval, and equal days do not divide by zero")
  func tooFew() throws {
    let few = PeriodChange(of: [50, 40], against: [1, 2, 3], isRatio: false)
    #expect(few.change == nil && few.isChanged == nil && few.now == 45)
    let none = PeriodChange(of: [], against: [], isRatio: true)
    #expect(none.now == nil && none.before == nil)
    let alike = PeriodChange(of: [5, 5, 5], against: [5, 5, 5], isRatio: false)
    #expect(alike.isChanged == false && alike.interval == 0...0)
    let zero = PeriodChange(of: [0, 0, 0], against: [1, 1, 1], isRatio: true)
    #expect(try #require(zero.change).isFinite && zero.isChanged == true)
  }

  @Test("One of twenty pairs of equally distributed weeks is reported as a change")
  func coverage() {
    var random = SeededGenerator(seed: 8)
    func week() -> [Double] {
      (0..<7).map { _ in (0..<12).reduce(0) { sum, _ in sum + Double.random(in: -1...1, using: &random) } }
    }
    let changed = (0..<2000).count { _ in
      PeriodChange(of: week(), against: week(), isRatio: false).isChanged == true
    }
    #expect((60...140).contains(changed), "\(changed) of 2000")
  }
}
