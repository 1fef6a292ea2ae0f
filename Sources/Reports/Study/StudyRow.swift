import HRV
import HeartRate
import Platform
import Stress

/// One row of the table of a study: a segment of a recording, or a recording that is missing.
///
/// The cells are those of the CSV file, so that rows of an earlier run are reused unchanged.
package struct StudyRow: Equatable, Sendable {
  /// In the order of ``columns(_:)``.
  package let cells: [String]

  package init(cells: [String]) { self.cells = cells }

  private static let identity = ["participant", "condition", "session", "segment", "epoch", "file"]
  private static let quality =
    ["start_s", "duration_s", "intervals", "beats", "artefact_percent"]
    + Verdict.allCases.filter { !$0.isNormal }.map { "\($0.rawValue)_percent" }
    + ["sensor_class", "irregular_rhythm", "metrics_valid"]

  /// The names of the columns.
  package static func columns(_ plan: StudyPlan) -> [String] {
    identity + quality + plan.metrics.map(\.key)
      + ["reasons", "series"] + Provenance.columnNames + ["settings_sha256"]
  }

  package var participant: String { cells[0] }
  package var condition: String { cells[1] }
  package var segment: String { cells[3] }
  var epoch: String { cells[4] }
  package var file: String { cells[5] }
  package var settingsDigest: String { cells[cells.count - 1] }
  package var inputDigest: String { cells[cells.count - 2] }
  /// Why cells are empty.
  package func reasons(_ plan: StudyPlan) -> String { cells[Self.firstMetric + plan.metrics.count] }

  private static let firstMetric = identity.count + quality.count

  /// The value of a metric of the plan, if the cell is not empty.
  package func value(_ metric: MetricDefinition, _ plan: StudyPlan) -> Double? {
    plan.metrics.firstIndex(of: metric).flatMap { Double(cells[Self.firstMetric + $0]) }
  }

  /// Number of normal beats.
  package var beats: Int? { Int(cells[Self.identity.count + 3]) }
  package var artefactPercent: Double? { Double(cells[Self.identity.count + 4]) }

  /// Text that a spreadsheet would calculate has an apostrophe before it; negative numbers have none.
  package var csv: String {
    cells.map { Double($0) == nil ? $0.csvField : $0 }.joined(separator: ",") + "\r\n"
  }
}

extension StudyRow {
  /// The row of a segment without values.
  init(
    _ key: StudyInventory.Key, file: String?, segment: String, reason: String, _ plan: StudyPlan,
    _ settings: String,
    inputDigest: String? = nil
  ) {
    self.init(
      key, file: file, segment: segment, epoch: nil,
      quality: Self.quality.map { _ in .text(nil) }, values: plan.metrics.map { _ in nil }, reasons: reason,
      plan, settings, inputDigest)
  }

  /// The row of a segment.
  init(
    _ key: StudyInventory.Key, file: String, _ window: AnalysisWindows.Window, _ analysis: SessionAnalysis,
    _ plan: StudyPlan, _ settings: String
  ) {
    let duration = SessionTime(ticks: window.end.ticks - window.start.ticks)
    let count = analysis.top == .raw ? window.metrics.beats : window.verdicts.values.reduce(0, +)
    let percent = { (number: Int?) -> Double? in
      analysis.top == .raw || count == 0 ? nil : 100 * Double(number ?? 0) / Double(count)
    }
    let quality: [FieldValue] =
      [
        .seconds(window.start), .seconds(duration), .integer(Int64(count)),
        .integer(Int64(window.metrics.beats)), .number(window.artefactFraction.map { $0 * 100 }),
      ]
      + Verdict.allCases.filter { !$0.isNormal }.map { .number(percent(window.verdicts[$0])) } + [
        .text(analysis.sensorClass?.rawValue), .truth(analysis.rhythm?.isIrregular),
        .truth(analysis.validity?.isValid),
      ]
    let exclusion = Self.exclusion(window, duration, plan)
    let metrics = Dictionary(window.metrics.metrics.map { ($0.metric, $0) }) { first, _ in first }
    let values = plan.metrics.map { exclusion == nil ? metrics[$0]?.value : nil }
    let absent = plan.metrics.compactMap { metric in
      metrics[metric]?.absence.map { "\(metric.key): \($0.description)" }
    }
    self.init(
      key, file: file, segment: window.segment?.name ?? "", epoch: window.segment?.epoch, quality: quality,
      values: values, reasons: exclusion ?? absent.joined(separator: "; "), plan, settings,
      analysis.inputDigest)
  }

  /// Why the plan excludes a segment, if it does.
  private static func exclusion(
    _ window: AnalysisWindows.Window, _ duration: SessionTime, _ plan: StudyPlan
  ) -> String? {
    if duration.ticks < plan.shortest.ticks {
      let shortest = SessionTime(ticks: plan.shortest.ticks).seconds
      return "too short: \(duration.seconds) s, \(shortest) s needed"
    }
    if let fraction = window.artefactFraction, fraction * 100 > plan.mostArtefacts {
      return "too many artefacts: \(fraction * 100) %, at most \(plan.mostArtefacts) % allowed"
    }
    return nil
  }

  private init(
    _ key: StudyInventory.Key, file: String?, segment: String, epoch: Int?, quality: [FieldValue],
    values: [Double?], reasons: String, _ plan: StudyPlan, _ settings: String,
    _ inputDigest: String?
  ) {
    let provenance = Provenance(plan.methods, top: plan.top, inputDigest: inputDigest)
    let fields: [FieldValue] =
      [.text(key.participant), .text(key.condition), .text(key.session), .text(segment)]
      + [.integer(epoch.map(Int64.init)), .text(file)] + quality + values.map { .number($0) }
      + [.text(reasons), .text(plan.top.rawValue)] + provenance.columns + [.text(settings)]
    cells = fields.map(\.plain)
  }
}

extension FieldValue {
  /// The value without the quotation marks of CSV.
  fileprivate var plain: String {
    if case .text(let text) = self { text ?? "" } else { csv }
  }
}

/// The table of a study as CSV (RFC 4180).
package enum StudyTable {
  package static func heading(_ plan: StudyPlan) -> String {
    StudyRow.columns(plan).joined(separator: ",") + "\r\n"
  }

  package static func text(_ rows: [StudyRow], _ plan: StudyPlan) -> String {
    heading(plan) + rows.map(\.csv).joined()
  }

  /// The rows of a table with the columns of `plan`. Rows that are incomplete, as after a crash, are omitted.
  package static func rows(_ text: String, _ plan: StudyPlan) -> [StudyRow] {
    let columns = StudyRow.columns(plan)
    let records = records(text)
    guard records.first == columns else { return [] }
    return records.dropFirst().filter { $0.count == columns.count }.map {
      StudyRow(cells: $0.map(\.withoutFormulaPrefix))
    }
  }

  /// The records that end with a line feed.
  private static func records(_ text: String) -> [[String]] {
    var (records, cells, cell) = ([[String]](), [String](), String.UnicodeScalarView())
    var (isQuoted, wasQuote) = (false, false)
    for scalar in text.unicodeScalars {
      if isQuoted, scalar != "\"" {
        cell.append(scalar)
        continue
      }
      switch scalar {
      case "\"":
        if wasQuote, !isQuoted { cell.append(scalar) }
        isQuoted.toggle()
        wasQuote = !isQuoted
        continue
      case ",":
        cells.append(String(cell))
        cell.removeAll()
      case "\n":
        records.append(cells + [String(cell)])
        (cells, cell) = ([], String.UnicodeScalarView())
      case "\r": break
      default: cell.append(scalar)
      }
      wasQuote = false
    }
    return records
  }
}
