import HRV
import Localization
import NetworkCommands
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
      ? localized("\(a) pair of sessions (A, B)", "\(a) pairs of sessions (A, B)", count: a)
      : localized("A: \(Self.count(a)), B: \(Self.count(b))")
  }

  private static func count(_ sessions: Int) -> Phrase {
    Phrase("\(sessions) session", "\(sessions) sessions", count: sessions)
  }

  /// The pairs, and the sessions without a partner.
  private var pairs: [String] {
    guard let pairs = report.pairs else { return [] }
    var table = TextTable([(localized("participant"), .left), ("A", .left), ("B", .left)])
    for pair in pairs.pairs {
      table.append([(pair.key ?? "-").printable, pair.a.printable, pair.b.printable])
    }
    let alone = [("A", pairs.unpaired.a), ("B", pairs.unpaired.b)].filter { !$0.1.isEmpty }
    return table.lines()
      + alone.map {
        let other = $0.0 == "A" ? "B" : "A"
        return localized("without a partner in \(other): \($0.1.joined(separator: ", ").printable)")
      }
      + [""]
  }

  private var table: [String] {
    var table = TextTable([
      ("", .left), ("n", .right), (localized("A mean (SD)"), .right), (localized("B mean (SD)"), .right),
      ("B - A", .right), (localized("95 % interval"), .right), (report.effectName, .right),
      (localized("95 % interval"), .right), ("p", .right),
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
      row.metric.localizedName, count, Self.mean(row.a, decimals), Self.mean(row.b, decimals),
      found.map { localized(signed: $0.difference, decimals) } ?? "-",
      Self.interval(found?.interval, decimals),
      found.map { localized(signed: $0.effect, 2) } ?? "-", Self.interval(found?.effectInterval, 2),
      found.map { $0.p < 0.001 ? "< " + localized(number: 0.001, 3) : localized(number: $0.p, 3) } ?? "-",
      row.metric.localizedUnit,
    ]
  }

  private static func mean(_ sample: Sample, _ decimals: Int) -> String {
    guard sample.count > 0 else { return "-" }
    let deviation = sample.count > 1 ? " (\(localized(number: sample.variance.squareRoot(), decimals)))" : ""
    return localized(number: sample.mean, decimals) + deviation
  }

  private static func interval(_ interval: ClosedRange<Double>?, _ decimals: Int) -> String {
    interval.map {
      localized("\($0.lowerBound.signed(decimals)) to \($0.upperBound.signed(decimals))")
    } ?? "-"
  }

  private var reasons: [String] {
    report.rows.compactMap { row in
      row.reason.map { localized("no test of \(row.metric.localizedName): \($0)") }
    }
  }

  private var notes: [String] {
    let test =
      report.design == .paired
      ? Phrase("Student's t test of the differences; effect size dz")
      : Phrase("Welch's t test; effect size Hedges' g")
    return [localized("\(test). The p values are not corrected for the number of metrics.")]
  }
}
