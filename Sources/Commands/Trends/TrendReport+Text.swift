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
    guard let stress = whole[.stress] else { return nothing(style) }
    let (each, hrv) = (trends.period.step.mean, metric.definition.name)
    var lines = [
      heading(style), summary(stress, whole, style), "",
      style.bold(style.localized("Stress, 0 to 100, \(each)")),
    ]
    lines += stressChart(style).lines(width: width) + [legend(style)]
    let expendable = Array(extremes(style).map(\.text).reversed())
    lines += [""] + stressTable(style).lines(width: width, expendable: expendable, unicode: style.unicode)
    lines += ["", style.bold(style.localized("\(hrv) in ms, \(each), with its standard deviation"))]
    lines += markChart(metric.unpacedQuantity, band: normal, style).lines(width: width) + [rangeNote(style)]
    lines += [
      "",
      style.bold(style.localized("Heart rate without exertion in bpm, \(each), with its SD")),
    ]
    lines += markChart(.heartRate, band: nil, style).lines(width: width)
    lines += [restNote(style), ""] + heartTable(style).lines(width: width, unicode: style.unicode)
    if let motion = motionLine(style) { lines += ["", motion] }
    if trends.moods.contains(where: { !$0.isEmpty }) {
      lines += [""] + moodTable(style).lines(width: width, unicode: style.unicode)
    }
    return lines.map { $0 + "\n" }.joined()
  }

  private func heading(_ style: TerminalStyle) -> String { heading(style.language).printable }

  private func summary(_ stress: Spread, _ whole: MeasurementSums, _ style: TerminalStyle) -> String {
    let mean = stress.mean.fixed(0)
    let (low, high) = (stress.low.fixed(0), stress.high.fixed(0))
    let (word, confidence) = (style.word(StressCategory(score: stress.mean)), whole.meanConfidence.text(2))
    let count = whole.usable
    return style.localized(
      "Stress \(mean) on average (\(word)), \(low) to \(high); \(count) measurement, confidence \(confidence)",
      "Stress \(mean) on average (\(word)), \(low) to \(high); \(count) measurements, confidence \(confidence)",
      count: count)
  }

  /// The time in motion, if acceleration was recorded.
  private func motionLine(_ style: TerminalStyle) -> String? {
    let motion = trends.wholeMotion
    guard motion.all > 0 else { return nil }
    let (still, other) = (Self.minutes(motion.still), Self.minutes(motion.fidget))
    let (walking, running) = (Self.minutes(motion.walk), Self.minutes(motion.run))
    return style.localized(
      "Time with acceleration: \(still) min still, \(other) min other movement, \(walking) min walking, \(running) min running"
    )
  }

  private static func minutes(_ seconds: Int) -> String { (Double(seconds) / 60).fixed(0) }

  private func nothing(_ style: TerminalStyle) -> String {
    let (profile, command) = (profile.printable, "stressmon measure")
    return style.localized(
      "No stress value of '\(profile)' is stored for this period. Measure with: \(command)")
      + "\n"
  }

  private func restNote(_ style: TerminalStyle) -> String {
    let rate = baseline.restingHeartRate.fixed(0)
    return style.localized("At rest \(rate) bpm: \(baseline.provenance(style)).")
  }

  // MARK: Charts

  private func stressChart(_ style: TerminalStyle) -> ColumnChart {
    let columns = zip(trends.period.parts, trends.sums).map { part, sums in
      let mean = sums[.stress]?.mean
      return ColumnChart.Column(
        label: style.date(part.short), value: mean, category: StressCategory(score: mean ?? 0))
    }
    return ColumnChart(columns, low: 0, step: 12.5, rows: 8, style: style)
  }

  private func markChart(
    _ quantity: MeasurementSums.Quantity, band: ClosedRange<Double>?, _ style: TerminalStyle
  ) -> ColumnChart {
    let columns = zip(trends.period.parts, trends.sums).map { part, sums in
      ColumnChart.Column(
        label: style.date(part.short), value: sums[quantity]?.mean, spread: sums[quantity]?.deviation ?? 0)
    }
    return ColumnChart(marks: columns, band: band, style: style)
  }

  private func legend(_ style: TerminalStyle) -> String {
    let names = StressCategory.allCases.enumerated().map { place, category in
      let sign = "\(category.icon(unicode: style.unicode))\(category.pattern(unicode: style.unicode))"
      return "\(style.coloured(sign, category)) \(style.word(category)) \(25 * place)-\(25 * place + 25)"
    }
    return names.joined(separator: "  ")
  }

  private func rangeNote(_ style: TerminalStyle) -> String {
    guard let normal else {
      let command = "stressmon baseline"
      return style.localized(
        "No normal range yet: it requires five days with resting minutes. See: \(command)")
    }
    let shade = style.unicode ? "░" : "."
    let (low, high) = (normal.lowerBound.fixed(0), normal.upperBound.fixed(0))
    return "\(shade) "
      + style.localized("your normal range at rest: \(low) to \(high) ms; the means include other times")
  }

  // MARK: Tables

  private func stressTable(_ style: TerminalStyle) -> TextTable {
    var table = TextTable(
      [
        (style.localized(trends.period.step.name), .left), (style.localized("stress"), .right),
      ] + extremes(style)
        + StressCategory.allCases.map { ("\($0.icon(unicode: style.unicode)) \(style.word($0))", .right) }
        + [("n", .right)])
    for (name, sums) in rows(style) {
      let stress = sums[.stress]
      table.append(
        [name, sums.stressMean, stress.text(\.low), stress.text(\.high), stress.text(\.deviation)]
          + StressCategory.allCases.map(sums.percentText) + [
            "\(sums.usable)"
          ])
    }
    return table
  }

  /// The headings that follow a mean.
  private func extremes(_ style: TerminalStyle) -> [(text: String, alignment: TextTable.Alignment)] {
    [
      (style.localized("min"), .right), (style.localized("max"), .right), (style.localized("SD"), .right),
    ]
  }

  private func heartTable(_ style: TerminalStyle) -> TextTable {
    var table = TextTable(
      [(style.localized(trends.period.step.name), .left), (metric.definition.name, .right)]
        + extremes(style) + [(style.localized("HR"), .right)] + extremes(style) + [
          (style.localized("confidence"), .right), (style.localized("artefacts"), .right),
        ])
    for (name, sums) in rows(style) {
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
  private func moodTable(_ style: TerminalStyle) -> TextTable {
    var table = TextTable([
      (style.localized(trends.period.step.name), .left), (style.localized("mood 1-10"), .right),
      (style.localized("entries"), .right),
    ])
    for (part, moods) in zip(trends.period.parts, trends.moods) where !moods.isEmpty {
      table.append([style.date(part.long), moods.mean.text(1), "\(moods.count)"])
    }
    return table
  }

  /// Each part with measurements, and the whole period.
  private func rows(_ style: TerminalStyle) -> [(name: String, sums: MeasurementSums)] {
    let parts = zip(trends.period.parts.map(\.long), trends.sums).filter { $1.measurements > 0 }
    return parts.map { (style.date($0), $1) } + [(style.localized("all"), trends.whole)]
  }
}

extension TrendPeriod.Step {
  /// The heading of the first column of tables.
  fileprivate var name: Phrase {
    switch self {
    case .hour: Phrase("hour")
    case .day: Phrase("day")
    case .week: Phrase("week")
    case .month: Phrase("month")
    }
  }

  /// What a column of a chart shows.
  fileprivate var mean: Phrase {
    switch self {
    case .hour: Phrase("mean of each hour")
    case .day: Phrase("mean of each day")
    case .week: Phrase("mean of each week")
    case .month: Phrase("mean of each month")
    }
  }
}

extension Optional where Wrapped == Spread {
  fileprivate func text(_ value: (Spread) -> Double?) -> String { flatMap(value).text(0) }
}

extension Optional where Wrapped == Double {
  fileprivate func text(_ decimals: Int) -> String { map { $0.fixed(decimals) } ?? "-" }
}

extension TerminalStyle {
  /// A date or the label of a chart with its weekday or month in ``language``: `Mon 2026-11-16`, `Nov`.
  func date(_ text: String) -> String { localized(.date(text)) }
}
