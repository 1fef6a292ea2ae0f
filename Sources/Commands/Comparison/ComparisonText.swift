import HRV
import HeartRate
import History
import Localization
import NetworkCommands
import Platform
import Reports
import Stress
import Terminal

extension ComparisonReport {
  /// The answer, the two sides, and the metrics.
  /// - Parameter isComplete: whether every metric follows, with the reason for each missing value; otherwise the best known ones.
  func text(isComplete: Bool) -> String {
    let answer = sentences.map { localized($0).printable } + [""] + sides + [""]
    let rest =
      isComplete
      ? table(comparison.rows) + missing + missingIntervals
      : table(comparison.rows.filter { Self.everyday.contains($0.a.metric.key) }) + [
        "", localized("All metrics: --details"),
      ]
    return (answer + rest).map { $0 + "\n" }.joined()
  }

  private static let everyday = [MetricDefinition.meanHeartRate, .rmssd, .sdnn].map(\.key)

  private var missingIntervals: [String] {
    let rows = comparison.rows.filter { $0.difference != nil && $0.interval == nil }
    return Self.grouped(
      rows.compactMap { row in row.reason.map { (row.a.metric.localizedName, localized($0)) } }
    ) {
      localized("no interval of \($0): \($1)")
    }
  }

  private var missing: [String] {
    [("A", comparison.metrics.a), ("B", comparison.metrics.b)].flatMap { side, metrics in
      Self.grouped(
        metrics.metrics.compactMap { metric in
          metric.absence.map { (metric.metric.localizedName, localized($0.phrase)) }
        }
      ) {
        localized("\(side): no \($0): \($1)")
      }
    }
  }

  /// One sentence per reason, with the names that share it, in the order of the reasons.
  private static func grouped(
    _ notes: [(name: String, reason: String)], _ sentence: (String, String) -> String
  ) -> [String] {
    var reasons: [String] = []
    for note in notes where !reasons.contains(note.reason) { reasons.append(note.reason) }
    return reasons.map { reason in
      let names = notes.filter { $0.reason == reason }.map(\.name)
      return sentence(names.joined(separator: ", "), reason)
    }
  }

  private func table(_ rows: [SessionComparison.Row]) -> [String] {
    var table = TextTable([
      ("", .left), ("A", .right), ("B", .right), ("B - A", .right),
      (localized("95 % interval"), .right), ("", .left),
    ])
    for row in rows {
      let (metric, decimals) = (row.a.metric, row.a.metric.decimals)
      table.append([
        metric.localizedLabel, row.a.localizedText, row.b.localizedText,
        row.difference.map { localized(signed: $0, decimals) } ?? "-",
        row.interval.map {
          localized("\($0.lowerBound.signed(decimals)) to \($0.upperBound.signed(decimals))")
        } ?? "-",
        metric.localizedUnit,
      ])
    }
    return table.lines()
  }

  /// Name, start, sensor and data quality of both sides.
  private var sides: [String] {
    [("A", comparison.a), ("B", comparison.b)].flatMap { letter, side in
      let began = side.time.map { ", \(LocalZone.text($0))" } ?? ""
      let sensor = side.sensor.description.map { ", \($0.printable)" } ?? ""
      return [
        "\(letter)  \(side.name.printable)\(began)\(sensor)",
        "   " + Self.quality(side).joined(separator: "; "),
      ]
    }
  }

  private static func quality(_ side: ComparedSide) -> [String] {
    let data = side.data
    var parts = [
      clockText(seconds: SessionTime(ticks: data.duration).seconds),
      localized("\(data.beats.count) beat", "\(data.beats.count) beats", count: data.beats.count),
      localized("artefacts \(((side.series.artefactFraction ?? 0) * 100).fixed(1)) %"),
    ]
    if let coverage = data.trust.coverage { parts.append(localized("coverage \(coverage.fixed(2))")) }
    if data.gaps > 0 {
      let seconds = SessionTime(ticks: data.gapTicks).seconds
      parts.append(localized("gaps: \(data.gaps), \(seconds.fixed(1)) s in all"))
    }
    if let confidence = data.trust.confidence {
      let reasons = data.trust.reasons.map { Phrase(known: $0) }
      let number = confidence.fixed(2)
      parts.append(
        reasons.isEmpty
          ? localized("confidence \(number)")
          : localized("confidence \(number) (\(reasons, separator: "; "))"))
    }
    return parts
  }
}

extension ComparedSide.Sensor {
  /// `simulated`, or the strap, if either is known.
  fileprivate var description: String? {
    source == .simulated ? localized("simulated") : strap.map { "\($0)" }
  }
}
