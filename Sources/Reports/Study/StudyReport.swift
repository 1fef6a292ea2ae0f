import HRV
import HeartRate
import Localization
import Platform
import Plot

/// The report of a study: what was found, the tests with figures, the methods and their references. English only.
package struct StudyReport: Sendable {
  private let plan: StudyPlan
  private let inventory: StudyInventory
  private let rows: [StudyRow]
  private let comparison: StudyComparison

  package init(
    _ plan: StudyPlan, _ inventory: StudyInventory, _ rows: [StudyRow], _ comparison: StudyComparison
  ) {
    (self.plan, self.inventory, self.rows, self.comparison) = (plan, inventory, rows, comparison)
  }

  package var document: ReportDocument {
    var document = ReportDocument(title: plan.title)
    document.blocks = [.paragraph(summary)] + findings + excluded + tests
    document.blocks += [.heading("Methods"), .paragraph(plan.methodsText.paragraph)]
    document.blocks += [.heading("References"), .list(plan.methodsText.references.map(\.text))]
    document.blocks += [
      .heading("Provenance"),
      .table(
        caption: "Settings of every number; the SHA-256 of each recording is in segments.csv",
        headings: ["setting", "value"],
        rows: [
          ["program", "stressmon \(plan.provenance.program)"], ["engine", "\(plan.provenance.engine)"],
        ]
          + plan.provenance.values.map { [$0.key, $0.value] } + [["settings_sha256", plan.digest]]),
    ]
    return document
  }

  private var summary: String {
    let complete = rows.filter { row in plan.outcomes.allSatisfy { row.value($0, plan) != nil } }.count
    return
      "\(inventory.participants.count) participants, conditions: \(Self.names(inventory.conditions)), segments: \(Self.names(plan.segments.map(\.name))). \(inventory.recordings.count) recordings give \(rows.count) rows, \(complete) of them with all outcomes."
  }

  private static func names(_ names: [String]) -> String {
    names.map { $0.isEmpty ? "(none)" : $0 }.joined(separator: ", ")
  }

  private var findings: [ReportDocument.Block] {
    guard !inventory.findings.isEmpty else { return [] }
    return [
      .heading("Missing and excluded recordings"),
      .table(
        caption: "Recordings that are missing, duplicate, unexpected, unreadable or too short",
        headings: ["recording", "problem", "detail"],
        rows: inventory.findings.map { [$0.subject, $0.kind.rawValue, $0.detail] }),
    ]
  }

  /// Segments that the plan excludes.
  private var excluded: [ReportDocument.Block] {
    let rows = rows.filter { $0.reasons(plan).hasPrefix("too many artefacts") }
    guard !rows.isEmpty else { return [] }
    return [
      .table(
        caption: "Segments excluded for artefacts", headings: ["recording", "segment", "reason"],
        rows: rows.map { [$0.file, $0.segment, $0.reasons(plan)] })
    ]
  }

  private var tests: [ReportDocument.Block] {
    guard !comparison.rows.isEmpty else { return [] }
    let contrasts = comparison.rows.map(\.contrast).reduce(into: [StudyComparison.Contrast]()) {
      if !$0.contains($1) { $0.append($1) }
    }
    return [.heading("Outcomes")]
      + contrasts.flatMap { contrast -> [ReportDocument.Block] in
        let rows = comparison.rows.filter { $0.contrast == contrast }
        return [table(contrast, rows)] + unpaired(rows)
          + rows.filter { $0.found != nil }.map { .figure(svg: figure($0)) }
      }
  }

  private func table(
    _ contrast: StudyComparison.Contrast, _ rows: [StudyComparison.Row]
  ) -> ReportDocument.Block {
    .table(
      caption: contrast.text,
      headings: [
        "outcome", "n", "\(contrast.a) mean (SD)", "\(contrast.b) mean (SD)", "difference", "95 % interval",
        "effect size", "p", "p (Holm)",
      ],
      rows: rows.map { row in
        guard let found = row.found else {
          return [name(row), "\(Int(row.a.count))", mean(row.a), mean(row.b), row.reason ?? ""]
            + Array(repeating: "", count: 4)
        }
        let count =
          row.a.count == row.b.count ? "\(Int(row.a.count))" : "\(Int(row.a.count)), \(Int(row.b.count))"
        return [
          name(row), count, mean(row.a), mean(row.b), found.difference.fixed(3),
          "\(found.interval.lowerBound.fixed(3)) to \(found.interval.upperBound.fixed(3))",
          found.effect.fixed(2), Self.p(found.p), row.adjustedP.map(Self.p) ?? "",
        ]
      })
  }

  private func name(_ row: StudyComparison.Row) -> String {
    row.isLogarithm ? "ln \(row.metric.name)" : row.metric.heading
  }

  private func mean(_ sample: Sample) -> String {
    guard sample.count > 0 else { return "" }
    return sample.mean.fixed(3) + (sample.deviation.map { " (\($0.fixed(3)))" } ?? "")
  }

  private static func p(_ p: Double) -> String { p < 0.001 ? "< 0.001" : p.fixed(3) }

  private func unpaired(_ rows: [StudyComparison.Row]) -> [ReportDocument.Block] {
    guard comparison.design == .paired else { return [] }
    return rows.filter { !$0.unpaired.isEmpty }.map {
      .paragraph("\(name($0)): without a partner and left out: \($0.unpaired.joined(separator: ", ")).")
    }
  }

  private func figure(_ row: StudyComparison.Row) -> String {
    PairedFigure(
      title: "\(name(row)): \(row.contrast.text)", levels: (row.contrast.a, row.contrast.b),
      axis: name(row), values: row.values.map { ($0.a, $0.b) }, difference: row.found?.difference
    ).svg
  }
}
