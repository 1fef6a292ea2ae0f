import HRV
import RealModule

/// A journal entry's period with its mean stress and its triggers.
package struct StressEpisode: Equatable, Sendable {
  /// Mean stress of the episode, 0 to 100.
  package var stress: Double
  /// Names of the triggers in lower case; empty without triggers.
  package var triggers: Set<String>
  /// Triggers whose presence is unknown; the episode is not compared for them.
  package var unknown: Set<String> = []

  package init(stress: Double, triggers: Set<String>, unknown: Set<String> = []) {
    (self.stress, self.triggers, self.unknown) = (stress, triggers, unknown)
  }
}

/// The difference in stress between episodes with a trigger and all other episodes.
package struct TriggerEffect: Equatable, Sendable {
  /// Name of the trigger.
  package let trigger: String
  /// Number of episodes with the trigger.
  package let with: Int
  /// Number of episodes without it.
  package let without: Int
  /// Mean stress with the trigger minus mean stress without it.
  package let difference: Double
  /// Half of the width of the 95 % interval of the difference (Welch 1947), not adjusted for multiple
  /// comparisons.
  package let halfWidth: Double
  /// The p-value, adjusted for all triggers: the probability that at least one of them shows a t value as
  /// large as this one by chance.
  package let chance: Double

  /// Lower bound of the 95 % interval of the difference, in points of stress.
  package var low: Double { difference - halfWidth }
  /// Upper bound of the 95 % interval of the difference, in points of stress.
  package var high: Double { difference + halfWidth }

  /// Whether the effect is significant at 5 %: only then is it reported.
  package var isBeyondChance: Bool { chance <= 0.05 }
}

/// Finds triggers that are associated with higher or lower stress, and tests whether the association exceeds
/// chance.
///
/// Each episode counts once, regardless of its length. Each trigger that is present in at least five episodes
/// and absent from at least five is tested by Welch's t. The p-value is the fraction of random permutations
/// of stress over episodes in which the largest t of any trigger reaches that of this trigger (maxT
/// permutation test: Westfall & Young 1993). The test makes no assumption on the distribution of stress,
/// controls the family-wise error rate, and assumes that episodes are independent. An association does not
/// imply causation.
package struct TriggerEffects: Equatable, Sendable {
  /// Minimum number of episodes with a trigger, and without it.
  package static let fewestOccasions = 5

  /// The triggers that were tested, in descending order of the difference.
  package let effects: [TriggerEffect]
  /// The triggers that could not be tested, with the number of their episodes, most frequent first.
  package let tooFew: [(trigger: String, occasions: Int)]
  /// Number of episodes.
  package let occasions: Int

  /// Tests the triggers of `occasions`.
  /// - Parameter generator: used for the permutations; equal generators give equal results.
  /// - Complexity: O(occasions * triggers).
  package init(_ occasions: [StressEpisode], using generator: inout some RandomNumberGenerator) {
    self.init(occasions, shuffles: Self.usualShuffles, using: &generator)
  }

  /// Number of permutations without another choice.
  package static let usualShuffles = 1999

  /// Tests the triggers of `occasions` with `shuffles` permutations.
  package init(_ occasions: [StressEpisode], shuffles: Int, using generator: inout some RandomNumberGenerator)
  {
    let names = Set(occasions.flatMap(\.triggers)).sorted()
    let members = names.map { EpisodeGroup($0, in: occasions) }
    let isEnough = members.map { min($0.with.count, $0.without) >= Self.fewestOccasions }
    let compared = names.indices.filter { isEnough[$0] }
    let groups = compared.map { members[$0] }
    let stress = occasions.map(\.stress)
    let all = Moments(stress)
    let found = groups.map { $0.test(stress, of: all) }
    let chances = Self.chances(found, stress, groups, of: all, shuffles, using: &generator)
    effects = found.indices.map { place in
      TriggerEffect(
        trigger: names[compared[place]], with: groups[place].with.count, without: groups[place].without,
        difference: found[place].difference,
        halfWidth: found[place].halfWidth, chance: chances[place])
    }.sorted { ($1.difference, $0.trigger) < ($0.difference, $1.trigger) }
    tooFew = names.indices.filter { !isEnough[$0] }.map { (names[$0], members[$0].with.count) }
      .sorted { ($1.occasions, $0.trigger) < ($0.occasions, $1.trigger) }
    self.occasions = occasions.count
  }

  /// Returns, for each of `found`, the fraction of permutations, including the original order, that reach it.
  private static func chances(
    _ found: [WelchTest], _ stress: [Double], _ groups: [EpisodeGroup], of all: Moments, _ shuffles: Int,
    using generator: inout some RandomNumberGenerator
  ) -> [Double] {
    guard !found.isEmpty else { return [] }
    var stress = stress
    var reached = Array(repeating: 1, count: found.count)
    for _ in 0..<shuffles {
      stress.shuffle(using: &generator)
      let largest = groups.reduce(0) { max($0, $1.test(stress, of: all).t) }
      for place in found.indices where largest >= found[place].t * (1 - 1e-12) { reached[place] += 1 }
    }
    return reached.map { Double($0) / Double(shuffles + 1) }
  }

  package static func == (a: TriggerEffects, b: TriggerEffects) -> Bool {
    a.effects == b.effects && a.occasions == b.occasions
      && a.tooFew.elementsEqual(b.tooFew) { $0 == $1 }
  }
}

/// The episodes with a trigger, and those that are compared with them.
private struct EpisodeGroup {
  let with: [Int]
  /// Number of episodes without the trigger.
  let without: Int
  /// The episodes in which the presence of the trigger is known, if it is unknown in others.
  private let known: [Int]?

  init(_ trigger: String, in episodes: [StressEpisode]) {
    with = episodes.indices.filter { episodes[$0].triggers.contains(trigger) }
    let known = episodes.indices.filter { !episodes[$0].unknown.contains(trigger) }
    without = known.count - with.count
    self.known = known.count < episodes.count ? known : nil
  }

  func test(_ stress: [Double], of all: Moments) -> WelchTest {
    WelchTest(stress, with, of: known.map { Moments($0.lazy.map { stress[$0] }) } ?? all)
  }
}

/// Welch's t-test for two means with unequal variances (Welch: "The generalization of 'Student's' problem
/// when several different population variances are involved", Biometrika 1947).
private struct WelchTest {
  let difference: Double
  private let error: Double
  private let degreesOfFreedom: Double

  /// Compares the `values` at `members` with all others, at least two on each side; `all` contains the
  /// moments of all values.
  init(_ values: [Double], _ members: [Int], of all: Moments) {
    let a = Moments(members.lazy.map { values[$0] })
    let b = all.without(a)
    difference = a.mean - b.mean
    let (va, vb) = (a.variance / a.count, b.variance / b.count)
    error = (va + vb).squareRoot()
    let freedom = (va + vb) * (va + vb) / (va * va / (a.count - 1) + vb * vb / (b.count - 1))
    degreesOfFreedom = freedom.isFinite ? freedom : a.count + b.count - 2
  }

  /// The absolute value of t. Infinite if the values on each side are equal and the means differ; 0 if the
  /// means are equal.
  var t: Double { difference == 0 ? 0 : abs(difference) / error }

  var halfWidth: Double { StudentT.quantile95(degreesOfFreedom: degreesOfFreedom) * error }
}

/// Count, mean and sum of squared deviations.
private struct Moments {
  var count = 0.0
  var mean = 0.0
  var squares = 0.0

  /// Computes the moments by Welford's algorithm (1962).
  init(_ values: some Sequence<Double>) {
    for value in values {
      count += 1
      let difference = value - mean
      mean += difference / count
      squares += difference * (value - mean)
    }
  }

  var variance: Double { squares / (count - 1) }

  /// Returns the moments of the values that are not in `part` (inverse of the merge of Chan, Golub & LeVeque
  /// 1979).
  func without(_ part: Moments) -> Moments {
    var rest = self
    rest.count = count - part.count
    rest.mean = (mean * count - part.mean * part.count) / rest.count
    let difference = part.mean - rest.mean
    rest.squares = max(0, squares - part.squares - difference * difference * part.count * rest.count / count)
    return rest
  }
}
