import TestSupport
import Testing

@testable import Stress

@Suite struct TriggerEffectsTests {
  /// A journal with a skewed distribution of stress and independent random triggers; `effect` is added for
  /// the first trigger.
  private func journal(
    _ random: inout SeededGenerator, occasions: Int, triggers: Int, effect: Double = 0
  ) -> [StressEpisode] {
    (0..<occasions).map { _ in
      let names = (0..<triggers).filter { _ in Double.random(in: 0..<1, using: &random) < 0.35 }
      let base = Double.random(in: 0..<1, using: &random)
      let stress = 100 * base * base * base + (names.contains(0) ? effect : 0)
      return StressEpisode(stress: stress, triggers: Set(names.map { "t\($0)" }))
    }
  }

  @Test("At most about 5 % of journals without an association report one", arguments: [(12, 1), (24, 4)])
  func nullJournals(occasions: Int, triggers: Int) {
    var random = SeededGenerator(seed: UInt64(occasions))
    var spoken = 0
    for _ in 0..<200 {
      let journal = journal(&random, occasions: occasions, triggers: triggers)
      // Fewer permutations make the p-value coarser, not smaller.
      let effects = TriggerEffects(journal, shuffles: 199, using: &random)
      if effects.effects.contains(where: \.isBeyondChance) { spoken += 1 }
    }
    // At most 10 of 200 are expected; 20 or more have a probability of 1/300.
    #expect(spoken < 20)
  }

  @Test("An association is found with its size and interval") func association() throws {
    var random = SeededGenerator(seed: 7)
    let effects = TriggerEffects(
      journal(&random, occasions: 80, triggers: 4, effect: 40), using: &random)
    let first = try #require(effects.effects.first)
    #expect(first.trigger == "t0" && first.isBeyondChance)
    #expect(first.low < 40 && 40 < first.high && first.low > 0)
    #expect(effects.effects.count == 4 && effects.effects.dropFirst().allSatisfy { !$0.isBeyondChance })
    #expect(first.with + first.without == 80 && effects.occasions == 80)
  }

  @Test("Welch's t of two groups of five equals the manual calculation")
  func byHand() throws {
    let with = [26.0, 28, 30, 32, 34].map { StressEpisode(stress: $0, triggers: ["a"]) }
    let without = [2.0, 6, 10, 14, 18].map { StressEpisode(stress: $0, triggers: []) }
    var random = SeededGenerator(seed: 1)
    let effects = TriggerEffects(with + without, using: &random)
    let effect = try #require(effects.effects.first)
    // Standard error sqrt(10/5 + 40/5) = 3.1623; (2 + 8)^2 / (2^2/4 + 8^2/4) = 5.882 degrees of freedom, t =
    // 2.459.
    #expect(effect.difference == 20)
    #expect(abs(effect.halfWidth - 3.16228 * 2.459) < 0.01)
    // Two of the 252 permutations reach this t.
    #expect(abs(effect.chance - 2.0 / 252) < 0.006)
  }

  @Test("Triggers with too few episodes are listed but not tested") func tooFewEpisodes() {
    var random = SeededGenerator(seed: 1)
    var occasions = (0..<4).map { StressEpisode(stress: 90 + Double($0), triggers: ["rare", "always"]) }
    occasions += (0..<20).map { StressEpisode(stress: Double($0), triggers: ["always"]) }
    let effects = TriggerEffects(occasions, using: &random)
    #expect(effects.effects.isEmpty)
    #expect(effects.tooFew.map(\.trigger) == ["always", "rare"])
    #expect(effects.tooFew.map(\.occasions) == [24, 4])
    #expect(TriggerEffects([], using: &random).effects.isEmpty)
  }

  @Test("Equal values give no effect, and equal journals give equal results")
  func degenerate() throws {
    var random = SeededGenerator(seed: 1)
    let equal = (0..<12).map { StressEpisode(stress: 50, triggers: $0 < 6 ? ["a"] : []) }
    let effect = try #require(TriggerEffects(equal, using: &random).effects.first)
    #expect(effect.difference == 0 && effect.halfWidth == 0 && effect.chance == 1)
    var (first, second) = (SeededGenerator(seed: 9), SeededGenerator(seed: 9))
    let occasions = journal(&random, occasions: 25, triggers: 3, effect: 10)
    #expect(
      TriggerEffects(occasions, using: &first) == TriggerEffects(occasions, using: &second))
  }
}
