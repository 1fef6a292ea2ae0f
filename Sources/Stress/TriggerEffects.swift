import HRV
import RealModule

/// A time of which a person said what was going on, and how much stress was measured then.
public struct Occasion: Equatable, Sendable {
  /// Mean of the occasion, 0 to 100.
  public var stress: Double
  /// What was going on, in small letters; empty where nothing was named.
  public var triggers: Set<String>

  public init(stress: Double, triggers: Set<String>) {
    self.stress = stress
    self.triggers = triggers
  }
}

/// How stress differs between the occasions with a trigger and all others.
public struct TriggerEffect: Equatable, Sendable {
  /// Its name.
  public let trigger: String
  /// Occasions with it.
  public let with: Int
  /// Occasions without it.
  public let without: Int
  /// Mean stress with it less that without.
  public let difference: Double
  /// Half of the 95 % interval of the difference (Welch 1947), of this trigger for itself.
  public let halfWidth: Double
  /// How often chance alone shows a difference as clear as this one among any of the triggers looked at.
  public let chance: Double

  /// Lower bound of the 95 % interval of the difference, in points of stress.
  public var low: Double { difference - halfWidth }
  /// Upper bound of the 95 % interval of the difference, in points of stress.
  public var high: Double { difference + halfWidth }

  /// Whether it is said: chance shows the like in at most 5 of 100 journals.
  public var isBeyondChance: Bool { chance <= 0.05 }
}

/// Which triggers go with higher or lower stress: what was found in a journal, and how far that is more than chance.
///
/// An occasion counts once, however long it was. Each trigger that was there five times and absent five times is
/// compared by Welch's t; chance is the share of shuffled journals, with the stress of the occasions dealt out anew, in
/// which the largest t of any of the triggers reaches this one's (the maxT permutation test: Westfall & Young 1993). It
/// holds however stress is distributed, for all triggers together, and takes occasions for independent of one another.
/// It says what goes together, not what causes what.
public struct TriggerEffects: Equatable, Sendable {
  /// Fewest occasions with a trigger, and without it.
  public static let fewestOccasions = 5

  /// The triggers that could be compared, the one that goes with the most stress first.
  public let effects: [TriggerEffect]
  /// Those that could not, with the number of their occasions, the most frequent first.
  public let tooFew: [(trigger: String, occasions: Int)]
  /// How many occasions there were.
  public let occasions: Int

  /// - Parameter generator: deals the stress out anew; equal generators give equal results.
  /// - Complexity: O(occasions * triggers).
  public init(_ occasions: [Occasion], using generator: inout some RandomNumberGenerator) {
    self.init(occasions, shuffles: 1999, using: &generator)
  }

  init(_ occasions: [Occasion], shuffles: Int, using generator: inout some RandomNumberGenerator) {
    let names = Set(occasions.flatMap(\.triggers)).sorted()
    let members = names.map { name in occasions.indices.filter { occasions[$0].triggers.contains(name) } }
    let isEnough = members.map { found in
      min(found.count, occasions.count - found.count) >= Self.fewestOccasions
    }
    let compared = names.indices.filter { isEnough[$0] }
    let groups = compared.map { members[$0] }
    let stress = occasions.map(\.stress)
    let all = Moments(stress)
    let found = groups.map { WelchTest(stress, $0, of: all) }
    let chances = Self.chances(found, stress, groups, of: all, shuffles, using: &generator)
    effects = found.indices.map { place in
      TriggerEffect(
        trigger: names[compared[place]], with: groups[place].count,
        without: occasions.count - groups[place].count, difference: found[place].difference,
        halfWidth: found[place].halfWidth, chance: chances[place])
    }.sorted { ($1.difference, $0.trigger) < ($0.difference, $1.trigger) }
    tooFew = names.indices.filter { !isEnough[$0] }.map { (names[$0], members[$0].count) }
      .sorted { ($1.occasions, $0.trigger) < ($0.occasions, $1.trigger) }
    self.occasions = occasions.count
  }

  /// For each of `found`, the share of shuffled journals, the journal itself among them, that reach it.
  private static func chances(
    _ found: [WelchTest], _ stress: [Double], _ groups: [[Int]], of all: Moments, _ shuffles: Int,
    using generator: inout some RandomNumberGenerator
  ) -> [Double] {
    guard !found.isEmpty else { return [] }
    var stress = stress
    var reached = Array(repeating: 1, count: found.count)
    for _ in 0..<shuffles {
      stress.shuffle(using: &generator)
      let largest = groups.reduce(0) { max($0, WelchTest(stress, $1, of: all).t) }
      for place in found.indices where largest >= found[place].t * (1 - 1e-12) { reached[place] += 1 }
    }
    return reached.map { Double($0) / Double(shuffles + 1) }
  }

  public static func == (a: TriggerEffects, b: TriggerEffects) -> Bool {
    a.effects == b.effects && a.occasions == b.occasions
      && a.tooFew.elementsEqual(b.tooFew) { $0 == $1 }
  }
}

/// The difference of two means with unequal variances (Welch: "The generalization of 'Student's' problem when several
/// different population variances are involved", Biometrika 1947).
private struct WelchTest {
  let difference: Double
  private let error: Double
  private let degreesOfFreedom: Double

  /// Of the `values` at `members` against all others, two and more on either side; `all` are the moments of all values.
  init(_ values: [Double], _ members: [Int], of all: Moments) {
    let a = Moments(members.lazy.map { values[$0] })
    let b = all.without(a)
    difference = a.mean - b.mean
    let (va, vb) = (a.variance / a.count, b.variance / b.count)
    error = (va + vb).squareRoot()
    let freedom = (va + vb) * (va + vb) / (va * va / (a.count - 1) + vb * vb / (b.count - 1))
    degreesOfFreedom = freedom.isFinite ? freedom : a.count + b.count - 2
  }

  /// Without its sign. Of values that are all equal on either side it is infinite, unless both are the same.
  var t: Double { difference == 0 ? 0 : abs(difference) / error }

  var halfWidth: Double { StudentT.quantile95(degreesOfFreedom: degreesOfFreedom) * error }
}

/// Count, mean and sum of squared deviations.
private struct Moments {
  var count = 0.0
  var mean = 0.0
  var squares = 0.0

  /// Welford 1962.
  init(_ values: some Sequence<Double>) {
    for value in values {
      count += 1
      let difference = value - mean
      mean += difference / count
      squares += difference * (value - mean)
    }
  }

  var variance: Double { squares / (count - 1) }

  /// Those of the rest, when `part` is taken away (Chan, Golub & LeVeque 1979, backwards).
  func without(_ part: Moments) -> Moments {
    var rest = self
    rest.count = count - part.count
    rest.mean = (mean * count - part.mean * part.count) / rest.count
    let difference = part.mean - rest.mean
    rest.squares = max(0, squares - part.squares - difference * difference * part.count * rest.count / count)
    return rest
  }
}
