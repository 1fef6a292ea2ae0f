import History
import LiveSession
import Localization
import Platform
import Reports
import Stress

/// The content of the page of the baseline.
struct BaselineView: Sendable {
  private let context: PageContext
  private let baseline: Baseline
  private let evidence: BaselineEvidence?
  private let draft: BaselineDraft

  /// - Parameter draft: the values of a form with errors. By default, the stored values are shown.
  init(_ context: PageContext, _ draft: BaselineDraft? = nil) throws {
    self.context = context
    baseline = try context.reader?.baseline(of: context.profile) ?? .populationDefault
    evidence = try context.reader?.baselineEvidence(of: context.profile, today: LocalZone.today)
    self.draft = draft ?? BaselineDraft(baseline)
  }

  var page: Page {
    Page(
      .settings, title: context.localized("Baseline"), status: draft.errors.isEmpty ? 200 : 422,
      content: """
        \(PageNotice.html(context))\(draft.errors.summary(context))
        <section class="card stack"><p>\(context.localized("Stress is computed relative to your values at rest."))</p>
        <p>\(context.localized("Origin: \(baseline.provenance)."))</p>\(table.html)\(source)</section>
        \(context.isReadOnly ? nil : form)
        <div class="row">\(context.backToSettings)</div>
        """)
  }

  private var table: DataTable {
    func range(_ value: UsualValue?) -> String {
      value?.normalRange.map { "\(context.value($0.lowerBound, 1))-\(context.value($0.upperBound, 1))" }
        ?? "-"
    }
    let rows: [(String, Double, String, String, Double?)] = [
      (HRVMetric.rmssd.title(context), baseline.rmssd, "ms", range(evidence?.rmssd), evidence?.rmssd.value),
      (HRVMetric.sdnn.title(context), baseline.sdnn, "ms", range(evidence?.sdnn), evidence?.sdnn.value),
      (
        context.localized("Resting heart rate"), baseline.restingHeartRate, context.localized("bpm"), "-",
        evidence?.restingHeartRate
      ),
    ]
    return DataTable(
      caption: context.localized("The baseline, and what your own resting minutes show."),
      headings: [
        context.localized("quantity"), context.localized("baseline"), context.localized("unit"),
        context.localized("normal range"), context.localized("your resting minutes"),
      ],
      rows: rows.map { name, value, unit, range, own in
        DataTable.Row([
          .init(name), .init(context.value(value, 1)), .init(unit), .init(range),
          .init(context.value(own, 1)),
        ])
      })
  }

  /// The data that the baseline is estimated from.
  private var source: HTML {
    guard let evidence else {
      return
        "<p>\(context.localized("It is learned from minutes of rest: take a reading while you sit still."))</p>"
    }
    let minutes = Phrase(
      "\(evidence.windows) resting minute", "\(evidence.windows) resting minutes", count: evidence.windows)
    let days = Phrase("\(evidence.days) day", "\(evidence.days) days", count: evidence.days)
    return "<p>\(context.localized("Estimated from \(minutes) on \(days)."))</p>"
  }

  private var form: HTML {
    let bpm = context.localized("bpm")
    let fields: [(String, String)] = [
      ("rmssd", "\(HRVMetric.rmssd.title(context)), ms"), ("sdnn", "\(HRVMetric.sdnn.title(context)), ms"),
      ("resting-hr", "\(context.localized("Resting heart rate")) (\(bpm))"),
    ]
    let inputs = fields.map { name, label in
      FormField(name, label, error: draft.errors[name]).text(
        draft.values[name].map(context.language.number), inputMode: "decimal", isRequired: true)
    }
    return """
      <form method="post" action="\(context.path("/settings/baseline"))" class="card stack">
      <h2>\(context.localized("Set it manually"))</h2>
      <p>\(context.localized("It stays fixed until you reset it or let it be learned again."))</p>
      <div class="fields">\(inputs)</div><div class="row"><button class="primary">\(context.localized("Set the baseline"))</button></div></form>
      <section class="card stack"><h2>\(context.localized("Start again"))</h2>
      <div class="row">\(action("recompute", context.localized("Learn it again from all sessions")))\
      \(action("reset", context.localized("Reset to the population default")))</div>
      <p class="quiet small">\(context.localized("Stored sessions are kept in both cases."))</p></section>
      """
  }

  private func action(_ name: String, _ text: String) -> HTML {
    """
    <form method="post" action="\(context.path("/settings/baseline/\(name)"))"><button>\(text)</button></form>
    """
  }
}
