package import Stress

/// The trigger of a weekly digest: the one that is associated with a series of values beyond chance.
///
/// Only one series is tested, that with the most values: with several tests, more than 5 % of the digests of a journal without
/// an association would state one. Within the series, the permutation test corrects for the number of triggers
/// (``TriggerEffects``).
package struct DigestFactor: Equatable, Sendable {
  package enum Series: Sendable {
    /// ln RMSSD of the nights after the triggers.
    case nights
    /// ln RMSSD of the mornings after the triggers.
    case mornings
    /// Stress at the entries.
    case entries
  }

  package let series: Series
  package let trigger: String
  /// Whether values with the trigger are lower.
  package let isLower: Bool
  /// Number of values with the trigger that lie on that side of the mean of the values without it, and of all.
  package let agreeing: Int
  package let occasions: Int

  /// Fails if no trigger is associated with the series beyond chance. Of several series of equal length, the first one is tested.
  package init?(
    _ series: [(Series, [StressEpisode])], shuffles: Int = TriggerEffects.usualShuffles,
    using generator: inout some RandomNumberGenerator
  ) {
    guard let longest = series.map(\.1.count).max(),
      let (name, values) = series.first(where: { $0.1.count == longest })
    else { return nil }
    let effects = TriggerEffects(values, shuffles: shuffles, using: &generator).effects
    guard let effect = effects.filter(\.isBeyondChance).min(by: { $0.chance < $1.chance }) else { return nil }
    let with = values.filter { $0.triggers.contains(effect.trigger) }.map(\.stress)
    let without = values.filter { !$0.triggers.contains(effect.trigger) }.map(\.stress)
    let mean = without.reduce(0, +) / Double(without.count)
    (self.series, trigger, isLower) = (name, effect.trigger, effect.difference < 0)
    agreeing = with.count { effect.difference < 0 ? $0 < mean : $0 > mean }
    occasions = with.count
  }
}
