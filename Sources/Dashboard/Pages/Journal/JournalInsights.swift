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
    let sentences = effects.sentences.map(context.localized)
    guard !effects.effects.isEmpty else { return "\(sentences.map { "<p>\($0)</p>" as HTML })" }
    return """
      <ul>\(sentences.map { "<li>\($0)</li>" as HTML })</ul><p class="quiet small">\(context.localized(TriggerEffects.caution))</p>
      <details><summary>\(context.localized("Details"))</summary>\(table.html)
      <p class="quiet small">\(context.localized(TriggerEffects.chanceNote))</p></details>
      """
  }

  private var table: DataTable {
    DataTable(
      caption: context.localized("Difference of stress with and without each trigger."),
      headings: TriggerEffects.headings.map(context.localized),
      rows: effects.effects.map { effect in
        DataTable.Row(effect.row(context.language).map { DataTable.Cell($0) })
      })
  }
}
