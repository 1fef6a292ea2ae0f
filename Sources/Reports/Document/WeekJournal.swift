import History
import Localization
import Stress

/// The journal of a week as sentences.
struct WeekJournal {
  private let week: WeekReport
  private let language: Language

  init(_ week: WeekReport, language: Language) { (self.week, self.language) = (week, language) }

  var sentences: [String] {
    let count = week.journal.count
    guard count > 0 || week.triggers.occasions > 0 else {
      let command = "stressmon journal add --mood 7 --trigger coffee"
      return [
        language.localized("No journal entries this week. Add one with: \(command)")
      ]
    }
    let entries = language.localized("\(count) entry this week.", "\(count) entries this week.", count: count)
    return [entries] + [mood].compactMap(\.self) + triggers
  }

  /// The sentence on moods, if an entry has one.
  private var mood: String? {
    guard let mean = week.mood, let name = Mood(Int(mean.rounded()))?.name else { return nil }
    return language.localized("Mood \(mean.fixed(1)) of 10 on average (\(name)).")
  }

  private var triggers: [String] {
    let found = week.triggers.effects.filter(\.isBeyondChance).map { language.localized($0.sentence) }
    if !found.isEmpty {
      return found + [language.localized("An association need not be a cause (90 days).")]
    }
    guard week.triggers.effects.isEmpty else {
      return [
        language.localized("No trigger is associated with stress beyond chance in the last 90 days.")
      ]
    }
    return [
      language.localized(
        """
        Too few entries to associate triggers with stress: \(TriggerEffects.fewestOccasions) measured episodes with \
        a trigger, and as many without it, are required in 90 days.
        """)
    ]
  }
}
