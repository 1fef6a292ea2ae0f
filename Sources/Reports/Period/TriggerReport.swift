import JSONLines
package import Localization
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

extension TriggerEffects {
  /// The associations beyond chance, without statistics. Without one, a sentence states that no trigger is associated with stress, or
  /// how many episodes a comparison requires.
  package var sentences: [Phrase] {
    guard !effects.isEmpty else { return [tooFewEpisodes] }
    let found = effects.filter(\.isBeyondChance).map(\.plain)
    return found.isEmpty ? [Phrase("No trigger is associated with stress beyond chance.")] : found
  }

  private var tooFewEpisodes: Phrase {
    let needed = Self.fewestOccasions
    return Phrase(
      """
      Too few episodes to associate triggers with stress: \(needed) measured episodes with a trigger, and as many \
      without it, are required.
      """)
  }

  /// Stated below the associations.
  package static let caution = Phrase("An association need not be a cause.")

  /// The headings of ``TriggerEffect/row(_:)``.
  package static let headings = [
    Phrase("trigger"), Phrase("with"), Phrase("without"), Phrase("difference"), Phrase("95 % interval"),
    Phrase("chance"),
  ]

  /// Explains the last column.
  package static let chanceNote = Phrase(
    "Chance: the probability of such a difference without any association. Sentences: at most 0.05.")
}

extension TriggerEffect {
  /// The association in words, without statistics. Triggers are chosen by people and can contain any character.
  package var plain: Phrase {
    let points = abs(difference).fixed(0)
    return difference > 0
      ? Phrase("With \(trigger), your stress is about \(points) points higher.")
      : Phrase("With \(trigger), your stress is about \(points) points lower.")
  }

  /// The association in words with its interval.
  package var sentence: Phrase {
    let points = abs(difference).fixed(0)
    let (low, high) = (low.fixed(1), high.fixed(1))
    return difference > 0
      ? Phrase(
        "\(trigger) is associated with \(points) points more stress (95 % interval \(low) to \(high)).")
      : Phrase(
        "\(trigger) is associated with \(points) points less stress (95 % interval \(low) to \(high)).")
  }

  /// The association as a row of a table.
  package func row(_ language: Language) -> [String] {
    [
      trigger, "\(with)", "\(without)", language.number(difference.signed(1)),
      language.localized("\(low.fixed(1)) to \(high.fixed(1))"),
      language.number(chance < 0.001 ? "<0.001" : chance.fixed(3)),
    ]
  }
}
