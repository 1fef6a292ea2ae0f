import HRV
import Localization
import Reports
import Terminal

/// A comparison of groups as a table.
struct GroupText {
  private let report: GroupReport

  init(_ report: GroupReport) { self.report = report }

  var text: String { ([heading] + pairs + table + reasons + notes).map { $0 + "\n" }.joined() }

  private var heading: String {
    let (a, b) = (report.names.a.count, report.names.b.count)
    return report.design == .paired
      ? "\(counted(a, "pair")) of sessions (A, B)"
      : "A: \(counted(a, "session")), B: \(counted(b, "session"))"
  }

  /// The pairs, and the sessions without a partner.
  private var pairs: [String] {
    guard let pairs = report.pairs else { return [] }
    var table = TextTable([("participant", .left), ("A", .left), ("B", .left)])
    for pair in pairs.pairs {
      table.append([(pair.key ?? "-").printable, pair.a.printable, pair.b.printable])
    }
    let alone = [("A", pairs.unpaired.a), ("B", pairs.unpaired.b)].filter { !$0.1.isEmpty }
    return table.lines()
      + alone.map {
        "without a partner in \($0.0 == "A" ? "B" : "A"): \($0.1.joined(separator: ", ").printable)"
      }
      + [""]
  }

  private var table: [String] {
    var table = TextTable([
      ("", .left), ("n", .right), ("A mean (SD)", .right), ("B mean (SD)", .right), ("B - A", .right),
      ("95 % interval", .right), (report.effectName, .right), ("95 % interval", .right), ("p", .right),
      ("", .left),
    ])
    for row in report.rows { table.append(cells(row)) }
    return table.lines()
  }

  private func cells(_ row: GroupReport.Row) -> [String] {
    let (found, decimals) = (row.found, row.metric.decimals)
    let count =
      row.a.count == row.b.count ? "\(Int(row.a.count))" : "\(Int(row.a.count)), \(Int(row.b.count))"
    return [
      row.metric.name, count, Self.mean(row.a, decimals), Self.mean(row.b, decimals),
      found?.difference.signed(decimals) ?? "-", Self.interval(found?.interval, decimals),
      found?.effect.signed(2) ?? "-", Self.interval(found?.effectInterval, 2),
      found.map { $0.p < 0.001 ? "< 0.001" : $0.p.fixed(3) } ?? "-", row.metric.unit,
    ]
  }

  private static func mean(_ sample: Sample, _ decimals: Int) -> String {
    guard sample.count > 0 else { return "-" }
    let deviation = sample.count > 1 ? " (\(sample.variance.squareRoot().fixed(decimals)))" : ""
    return sample.mean.fixed(decimals) + deviation
  }

  private static func interval(_ interval: ClosedRange<Double>?, _ decimals: Int) -> String {
    interval.map { "\($0.lowerBound.signed(decimals)) to \($0.upperBound.signed(decimals))" } ?? "-"
  }

  private var reasons: [String] {
    report.rows.compactMap { row in row.reason.map { "no test of \(row.metric.name): \($0)" } }
  }

  private var notes: [String] {
    let test =
      report.design == .paired
      ? "Student's t test of the differences; effect size dz" : "Welch's t test; effect size Hedges' g"
    return ["\(test). The p values are not corrected for the number of metrics."]
  }
}
