import History
import Localization
import Platform
import Reports
import Stress

/// Which triggers are associated with more or less stress, in sentences and as a table.
struct JournalInsights: Sendable {
  private let effects: TriggerEffects
  private let context: PageContext

  init(_ context: PageContext) throws {
    self.context = context
    effects = TriggerEffects(journal: try context.reader?.stressEpisodes(of: context.profile) ?? [])
  }

  /// Requires a measured episode.
  var html: HTML? {
    guard effects.occasions > 0 else { return nil }
    let count = effects.occasions
    let summary = context.localized(
      "The journal covers \(count) measured episode.", "The journal covers \(count) measured episodes.",
      count: count)
    return """
      <section class="card stack" aria-labelledby="insights"><h2 id="insights">\(context.localized("Insights"))</h2>
      <p>\(summary)</p>\(associations)</section>
      """
  }

  private var associations: HTML {
    guard !effects.effects.isEmpty else {
      let needed = TriggerEffects.fewestOccasions
      return """
        <p>\(context.localized("Too few episodes to associate triggers with stress: \(needed) measured episodes with a trigger, and as many without it, are required."))</p>
        """
    }
    let found = effects.effects.filter(\.isBeyondChance).map { context.localized($0.plain) }
    let none = context.localized("No trigger is associated with stress beyond chance.")
    let items = (found.isEmpty ? [none] : found).map { "<li>\($0)</li>" as HTML }
    return """
      <ul>\(items)</ul><p class="quiet small">\(context.localized("An association need not be a cause."))</p>
      <details><summary>\(context.localized("Details"))</summary>\(table.html)
      <p class="quiet small">\(context.localized("Chance: the probability of such a difference without any association. Sentences: at most 0.05."))</p></details>
      """
  }

  private var table: DataTable {
    let rows = effects.effects.map { effect in
      DataTable.Row([
        .init(effect.trigger), .init("\(effect.with)"), .init("\(effect.without)"),
        .init(effect.difference.signed(1)),
        .init(context.localized("\(effect.low.fixed(1)) to \(effect.high.fixed(1))")),
        .init(effect.chance < 0.001 ? "<" + context.value(0.001, 3) : context.value(effect.chance, 3)),
      ])
    }
    return DataTable(
      caption: context.localized("Difference of stress with and without each trigger."),
      headings: [
        context.localized("trigger"), context.localized("with"), context.localized("without"),
        context.localized("difference"), context.localized("95 % interval"), context.localized("chance"),
      ], rows: rows)
  }
}
