import JSONLines
import Platform
package import Stress

/// The effects of triggers on stress.
package struct TriggerReport {
  package let effects: TriggerEffects
  package let profile: String

  package init(effects: TriggerEffects, profile: String) {
    (self.effects, self.profile) = (effects, profile)
  }

  /// One object per trigger.
  package var json: [UInt8] {
    var line = JSONLine()
    for effect in effects.effects {
      line.line { line in
        line.put("profile", profile)
        line.put("trigger", effect.trigger)
        line.put("occasions_with", effect.with)
        line.put("occasions_without", effect.without)
        line.put("stress_difference", effect.difference)
        line.put("low", effect.low)
        line.put("high", effect.high)
        line.put("chance", effect.chance)
        line.put("beyond_chance", effect.isBeyondChance)
      }
    }
    for (trigger, count) in effects.tooFew {
      line.line { line in
        line.put("profile", profile)
        line.put("trigger", trigger)
        line.put("occasions_with", count)
        line.put("occasions_without", effects.occasions - count)
        line.put("stress_difference", nil as Double?)
      }
    }
    return line.bytes
  }
}

extension TriggerEffects {
  /// The effects of the triggers of a journal. The seed of the permutation test is fixed, so equal journals give equal
  /// results.
  package init(journal occasions: [StressEpisode]) {
    var generator = SplitMix64(seed: 1, stream: 0)
    self.init(occasions, using: &generator)
  }
}
