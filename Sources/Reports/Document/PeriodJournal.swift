import History
import Localization
import Stress

/// The journal of a period as sentences.
struct PeriodJournal {
  let report: PeriodReport
  let language: Language
  let hasDetails: Bool

  var sentences: [String] {
    let count = report.journal.count
    guard count > 0 || report.triggers.occasions > 0 else {
      let command = "stressmon journal add --mood 7 --trigger coffee"
      return [
        language.localized("No journal entries on these days. Add one with: \(command)")
      ]
    }
    let entries = language.localized(
      "\(count) entry on these days.", "\(count) entries on these days.", count: count)
    return [entries] + [mood].compactMap(\.self) + triggers
  }

  /// The sentence on moods, if an entry has one.
  private var mood: String? {
    guard let mean = report.mood, let name = Mood(Int(mean.rounded()))?.name else { return nil }
    return language.localized("Mood \(mean.fixed(1)) of 10 on average (\(name)).")
  }

  private var triggers: [String] {
    let found = report.triggers.effects.filter(\.isBeyondChance).map {
      language.localized(hasDetails ? $0.sentence : $0.plain)
    }
    if !found.isEmpty {
      return found + [
        language.localized("This is what happened together in 90 days; one need not cause the other.")
      ]
    }
    guard report.triggers.effects.isEmpty else {
      return [
        language.localized("No trigger goes with more or less stress than chance explains (90 days).")
      ]
    }
    return [
      language.localized(
        """
        Too few entries to see what goes with your stress: each trigger needs \(TriggerEffects.fewestOccasions) measured \
        entries with it, and as many without it, in 90 days.
        """)
    ]
  }
}
