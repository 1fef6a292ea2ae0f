import Glibc
import Localization
import Platform
import Stress
import TestSupport
import Testing

@testable import Reports

/// The trigger of weekly digests over eight weeks.
@Suite struct DigestFactorTests {
  /// A diary of eight weeks with `perDay` values a day, of a normal distribution with the standard deviation 1.
  private struct Person {
    private var values: [StressEpisode] = []
    private let perDay: Int

    /// - Parameters:
    ///   - rate: the probability of each trigger.
    ///   - effect: added to values with the first trigger.
    init(
      _ random: inout SeededGenerator, triggers: Int, rate: Double, perDay: Int = 1, effect: Double = 0
    ) {
      self.perDay = perDay
      for _ in 0..<56 * perDay {
        let names = (0..<triggers).filter { _ in Double.random(in: 0..<1, using: &random) < rate }
        let normal = (0..<12).reduce(-6.0) { sum, _ in sum + Double.random(in: 0..<1, using: &random) }
        values.append(
          StressEpisode(
            stress: normal + (names.contains(0) ? effect : 0), triggers: Set(names.map { "t\($0)" })))
      }
    }

    /// The values up to the end of a week, from 1.
    func values(week: Int) -> [StressEpisode] { Array(values.prefix(7 * week * perDay)) }

    /// Fewer permutations than usual make the p-value coarser, not smaller.
    func factor(week: Int, _ random: inout SeededGenerator) -> DigestFactor? {
      DigestFactor([(.nights, values(week: week))], shuffles: 199, using: &random)
    }
  }

  /// `STRESSMON_DIGEST_PEOPLE=1000 swift test --filter DigestFactorTests` simulates more people.
  @Test("With 20 triggers without effect, at most about 5 % of the digests of eight weeks state one")
  func nullJournals() {
    var random = SeededGenerator(seed: 38)
    let people = getenv("STRESSMON_DIGEST_PEOPLE").flatMap { Int(String(cString: $0)) } ?? 120
    let stated = (0..<people).map { _ in
      let person = Person(&random, triggers: 20, rate: 0.25)
      return (1...8).count { person.factor(week: $0, &random) != nil }
    }
    let digests = Double(8 * people)
    let rate = Double(stated.reduce(0, +)) / digests
    // The weeks of a person are not independent, so the standard error is that of the people.
    let mean = Double(stated.reduce(0, +)) / Double(people)
    let variance = stated.reduce(0) { $0 + (Double($1) - mean) * (Double($1) - mean) } / Double(people - 1)
    let error = (variance / Double(people)).squareRoot() / 8
    print("digests that state a trigger without effect: \(rate * 100) %, standard error \(error * 100) %")
    #expect(rate <= 0.05 + 2 * error && rate < 0.08)
  }

  @Test(
    "An effect of 0.5 SD is found by week 8 in most journals with four entries a day, not with one value a day",
    arguments: [(perDay: 4, triggers: 5, found: 0.7...1.0), (perDay: 1, triggers: 5, found: 0.1...0.7)])
  func trueEffect(perDay: Int, triggers: Int, found: ClosedRange<Double>) {
    var random = SeededGenerator(seed: 39)
    let people = 40
    var (correct, other) = (0, 0)
    for _ in 0..<people {
      let person = Person(&random, triggers: triggers, rate: 0.3, perDay: perDay, effect: 0.5)
      let factors = [4, 6, 8].compactMap { person.factor(week: $0, &random) }
      if factors.contains(where: { $0.trigger == "t0" && !$0.isLower }) { correct += 1 }
      if factors.contains(where: { $0.trigger != "t0" }) { other += 1 }
    }
    print("effect of 0.5 SD, \(perDay) values a day: found for \(correct) of \(people), another for \(other)")
    #expect(found.contains(Double(correct) / Double(people)))
  }

  @Test("The series with the most values is tested, and the counts are those of the values with the trigger")
  func counts() throws {
    var random = SeededGenerator(seed: 1)
    let wine = (0..<6).map { StressEpisode(stress: $0 == 0 ? 60 : 10 + Double($0), triggers: ["wine"]) }
    let others = (0..<20).map { StressEpisode(stress: 50 + Double($0 % 5), triggers: []) }
    let factor = try #require(
      DigestFactor([(.nights, wine + others), (.entries, Array(others.prefix(10)))], using: &random))
    #expect(factor.series == .nights && factor.trigger == "wine" && factor.isLower)
    #expect(factor.agreeing == 5 && factor.occasions == 6)
    #expect(DigestFactor([(.nights, wine), (.entries, others)], using: &random) == nil)
    #expect(DigestFactor([], using: &random) == nil)
  }

  @Test("A week is compared with the usual value, and states a trigger only if there is one")
  func sentences() throws {
    var random = SeededGenerator(seed: 1)
    let wine = (0..<6).map { StressEpisode(stress: 10 + Double($0), triggers: ["wine"]) }
    let others = (0..<20).map { StressEpisode(stress: 50 + Double($0 % 5), triggers: []) }
    let factor = DigestFactor([(.nights, wine + others)], using: &random)
    let usual = [35.0, 36, 37, 36, 35, 37]
    func sentence(_ week: [Double], _ factor: DigestFactor? = nil, mornings: [Double] = []) -> String? {
      WeeklyDigest.sentence(
        stress: PeriodChange(of: week, against: usual, isRatio: false),
        morningRMSSD: PeriodChange(of: mornings, against: [50, 51, 49], isRatio: true), factor, .english)
    }
    #expect(
      sentence([30, 31, 32, 31], factor)
        == "A calmer week: 31, usually 36; after days with wine nights were lower, 6 of 6.")
    #expect(sentence([40, 41, 42]) == "A more stressful week: 41, usually 36.")
    #expect(sentence([36, 35, 37]) == "A week as usual: 36, usually 36.")
    #expect(sentence([31]) == "A week as usual: 31, usually 36.")
    #expect(
      sentence([], mornings: [40, 41, 42])
        == "Your HRV in the mornings was lower this week: 41 ms, usually 50.")
    #expect(sentence([]) == nil)
  }

  @Test(
    "The latest complete week ends on Sunday",
    arguments: [(20_780, 20_779), (20_784, 20_779), (20_786, 20_779)])
  func weeks(today: Int64, sunday: Int64) {
    // 2026-11-23, day 20780, is a Monday.
    #expect(WeeklyDigest.lastDay(before: today) == sunday)
  }
}
