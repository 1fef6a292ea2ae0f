import HeartRate
import History
import Localization
import Reports
import Stress
import Terminal

extension TrendReport {
  /// Charts with their tables.
  func text(style: TerminalStyle, width: Int?) -> String {
    let whole = trends.whole
    guard let stress = whole[.stress] else { return nothing }
    let each = "mean of each \(trends.period.step.rawValue)"
    var lines = [
      heading,
      "Stress \(stress.mean.fixed(0)) on average (\(StressCategory(score: stress.mean).word)), "
        + "\(stress.low.fixed(0)) to \(stress.high.fixed(0)); \(counted(whole.usable, "measurement")), "
        + "confidence \(whole.meanConfidence.text(2))",
      "", style.bold("Stress, 0 to 100, \(each)"),
    ]
    lines += stressChart(style).lines(width: width) + [legend(style)]
    lines += [""] + stressTable(style).lines(width: width, unicode: style.unicode)
    lines += ["", style.bold("\(metric.definition.name) in ms, \(each), with its standard deviation")]
    lines += markChart(metric.unpacedQuantity, band: normal, style).lines(width: width) + [rangeNote(style)]
    lines += ["", style.bold("Heart rate in bpm, \(each), with its standard deviation")]
    lines += markChart(.heartRate, band: nil, style).lines(width: width)
    lines += ["At rest \(baseline.restingHeartRate.fixed(0)) bpm: \(baseline.provenance())."]
    lines += [""] + heartTable().lines(width: width, unicode: style.unicode)
    if trends.moods.contains(where: { !$0.isEmpty }) {
      lines += [""] + moodTable().lines(width: width, unicode: style.unicode)
    }
    return lines.map { $0 + "\n" }.joined()
  }

  var heading: String {
    let who = "'\(profile.printable)'" + (trends.isSimulated ? " (simulated)" : "")
    return "\(who), \(trends.period.span)"
  }

  private var nothing: String {
    "No stress value of '\(profile.printable)' is stored in this time. Take one with: stressmon measure\n"
  }

  // MARK: Charts

  private func stressChart(_ style: TerminalStyle) -> ColumnChart {
    let columns = zip(trends.period.parts, trends.sums).map { part, sums in
      let mean = sums[.stress]?.mean
      return ColumnChart.Column(
        label: part.short, value: mean, category: StressCategory(score: mean ?? 0))
    }
    return ColumnChart(columns, low: 0, step: 12.5, rows: 8, style: style)
  }

  private func markChart(
    _ quantity: MeasurementSums.Quantity, band: ClosedRange<Double>?, _ style: TerminalStyle
  ) -> ColumnChart {
    let columns = zip(trends.period.parts, trends.sums).map { part, sums in
      ColumnChart.Column(
        label: part.short, value: sums[quantity]?.mean, spread: sums[quantity]?.deviation ?? 0)
    }
    return ColumnChart(marks: columns, band: band, style: style)
  }

  private func legend(_ style: TerminalStyle) -> String {
    let names = StressCategory.allCases.enumerated().map { place, category in
      let sign = "\(category.icon(unicode: style.unicode))\(category.pattern(unicode: style.unicode))"
      return "\(style.coloured(sign, category)) \(category.word) \(25 * place)-\(25 * place + 25)"
    }
    return names.joined(separator: "  ")
  }

  private func rangeNote(_ style: TerminalStyle) -> String {
    guard let normal else {
      return "No normal range yet: it takes five days with rest. See: stressmon baseline"
    }
    let shade = style.unicode ? "░" : "."
    return
      "\(shade) normal for you at rest: \(normal.lowerBound.fixed(0)) to \(normal.upperBound.fixed(0)) ms"
  }

  // MARK: Tables

  private func stressTable(_ style: TerminalStyle) -> TextTable {
    var table = TextTable(
      [
        (trends.period.step.rawValue, .left), ("stress", .right), ("min", .right), ("max", .right),
        ("SD", .right),
      ]
        + StressCategory.allCases.map { ("\($0.icon(unicode: style.unicode)) \($0.word)", .right) }
        + [("n", .right)])
    for (name, sums) in rows {
      let stress = sums[.stress]
      table.append(
        [name, stress.text(\.mean), stress.text(\.low), stress.text(\.high), stress.text(\.deviation)]
          + StressCategory.allCases.map { sums.percent($0).map { "\($0.fixed(0)) %" } ?? "-" } + [
            "\(sums.usable)"
          ])
    }
    return table
  }

  private func heartTable() -> TextTable {
    var table = TextTable([
      (trends.period.step.rawValue, .left), (metric.definition.name, .right), ("min", .right),
      ("max", .right), ("SD", .right), ("HR", .right), ("min", .right), ("max", .right), ("SD", .right),
      ("confidence", .right), ("artefacts", .right),
    ])
    for (name, sums) in rows {
      let (hrv, rate) = (sums[metric.unpacedQuantity], sums[.heartRate])
      table.append([
        name, hrv.text(\.mean), hrv.text(\.low), hrv.text(\.high), hrv.text(\.deviation), rate.text(\.mean),
        rate.text(\.low), rate.text(\.high), rate.text(\.deviation), sums.meanConfidence.text(2),
        sums.artefactFraction.map { "\(($0 * 100).fixed(1)) %" } ?? "-",
      ])
    }
    return table
  }

  /// The moods of the journal by part.
  private func moodTable() -> TextTable {
    var table = TextTable([(trends.period.step.rawValue, .left), ("mood 1-10", .right), ("entries", .right)])
    for (part, moods) in zip(trends.period.parts, trends.moods) where !moods.isEmpty {
      table.append([part.long, moods.mean.text(1), "\(moods.count)"])
    }
    return table
  }

  /// Each part with measurements, and the whole period.
  private var rows: [(name: String, sums: MeasurementSums)] {
    let parts = zip(trends.period.parts.map(\.long), trends.sums).filter { $1.measurements > 0 }
    return parts.map { ($0, $1) } + [("all", trends.whole)]
  }
}

extension Optional where Wrapped == Spread {
  fileprivate func text(_ value: (Spread) -> Double?) -> String { flatMap(value).text(0) }
}

extension Optional where Wrapped == Double {
  fileprivate func text(_ decimals: Int) -> String { map { $0.fixed(decimals) } ?? "-" }
}
