import History
import Localization
import Reports
import Stress
import Terminal

/// The journal of a week as sentences.
struct WeekJournal {
  private let week: WeekReport
  private let style: TerminalStyle

  init(_ week: WeekReport, style: TerminalStyle) { (self.week, self.style) = (week, style) }

  var sentences: [String] {
    let count = week.journal.count
    guard count > 0 || week.triggers.occasions > 0 else {
      let command = "stressmon journal add --mood 7 --trigger coffee"
      return [
        style.localized("Nothing was written. Say how you feel and what goes on with: \(command)")
      ]
    }
    let entries = style.localized("\(count) entry this week.", "\(count) entries this week.", count: count)
    return [entries] + [mood].compactMap(\.self) + triggers
  }

  /// Nil if no entry has a mood.
  private var mood: String? {
    guard let mean = week.mood, let name = Mood(Int(mean.rounded()))?.name else { return nil }
    return style.localized("Mood \(mean.fixed(1)) of 10 on average (\(name)).")
  }

  private var triggers: [String] {
    let found = week.triggers.effects.filter(\.isBeyondChance).map { TriggerReport.sentence($0, style) }
    if !found.isEmpty {
      return found + [style.localized("What goes together need not cause one another (90 days).")]
    }
    guard week.triggers.effects.isEmpty else {
      return [
        style.localized("No trigger goes with more or less stress than chance alone explains, in 90 days.")
      ]
    }
    return [
      style.localized(
        """
        Too little is written to say which triggers go with stress: it takes \(TriggerEffects.fewestOccasions) measured \
        occasions with one and as many without it, in 90 days.
        """)
    ]
  }
}
