import HeartRate
import History
import LiveSession
import Localization
import Reports
import Stress
import Terminal

extension TrendReport {
  /// A sentence, charts and a table.
  /// - Parameter hasDetails: whether the charts have error bars, and the tables the statistics.
  func text(style: TerminalStyle, hasDetails: Bool = false, width: Int?) -> String {
    guard let stress = trends.whole[.stress] else { return nothing(style) }
    let each = trends.period.step.mean
    var lines = [heading(style)] + wrapped(sentences.map(style.localized), style, width)
    if hasDetails { lines.append(style.localized(statistics(stress))) }
    lines += ["", style.bold(style.localized("Stress, 0 to 100, \(each)"))]
    lines += stressChart(style).lines(width: width) + [legend(style)]
    lines += hasDetails ? table(stressTable(style), style, width) : []
    lines += [
      "", style.bold(style.localized("Heart rate variability (\(metric.definition.name)) in ms, \(each)")),
    ]
    lines += markChart(metric.unpacedQuantity, band: normal, hasErrors: hasDetails, style).lines(width: width)
    lines += [
      rangeNote(style), "", style.bold(style.localized("Heart rate without exertion in bpm, \(each)")),
    ]
    lines += markChart(.heartRate, band: nil, hasErrors: hasDetails, style).lines(width: width)
    lines +=
      hasDetails
      ? [restNote(style)] + table(heartTable(style), style, width) : table(dayTable(style), style, width)
    if let motion { lines += ["", style.localized(motion)] }
    if hasDetails, hasMoods { lines += table(moodTable(style), style, width) }
    return lines.map { $0 + "\n" }.joined()
  }

  /// The result in sentences for a screen reader.
  func spoken(_ style: TerminalStyle) -> String {
    guard trends.whole[.stress] != nil else { return nothing(style) }
    return ([heading(style) + "."] + sentences.map(style.localized) + partSentences(style)).map { $0 + "\n" }
      .joined()
  }

  private var hasMoods: Bool { trends.moods.contains { !$0.isEmpty } }

  private func table(_ table: TextTable, _ style: TerminalStyle, _ width: Int?) -> [String] {
    let expendable = Array(extremes(style).map(\.text).reversed())
    return [""] + table.lines(width: width, expendable: expendable, unicode: style.unicode)
  }

  private func wrapped(_ lines: [String], _ style: TerminalStyle, _ width: Int?) -> [String] {
    width.map { width in lines.flatMap { $0.wrapped(to: width, unicode: style.unicode) } } ?? lines
  }

  /// One sentence for each part with measurements.
  private func partSentences(_ style: TerminalStyle) -> [String] {
    zip(trends.period.parts, trends.sums).compactMap { part, sums in
      guard let stress = sums[.stress]?.mean else { return nil }
      let (name, value, word) = (
        style.date(part.long), stress.fixed(0), style.lowercasedWord(StressCategory(score: stress))
      )
      return style.localized("\(name): stress \(value), \(word).")
    }
  }

  private func heading(_ style: TerminalStyle) -> String { heading(style.language).printable }

  private func nothing(_ style: TerminalStyle) -> String {
    let (profile, command) = (profile.printable, "stressmon measure")
    return style.localized(
      "No stress value of '\(profile)' is stored for this period. Measure with: \(command)")
      + "\n"
  }

  private func restNote(_ style: TerminalStyle) -> String {
    let rate = baseline.restingHeartRate.fixed(0)
    return style.localized("At rest \(rate) bpm: \(baseline.provenance).")
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

  /// - Parameter hasErrors: whether the standard deviations are drawn.
  private func markChart(
    _ quantity: MeasurementSums.Quantity, band: ClosedRange<Double>?, hasErrors: Bool, _ style: TerminalStyle
  ) -> ColumnChart {
    let columns = zip(trends.period.parts, trends.sums).map { part, sums in
      ColumnChart.Column(
        label: style.date(part.short), value: sums[quantity]?.mean,
        spread: hasErrors ? sums[quantity]?.deviation ?? 0 : 0)
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
      return style.localized("Your usual range is known after five days with readings at rest.")
    }
    let shade = style.unicode ? "░" : "."
    let (low, high) = (normal.lowerBound.fixed(0), normal.upperBound.fixed(0))
    return "\(shade) "
      + style.localized("your usual range at rest: \(low) to \(high) ms; the values include other times")
  }

  // MARK: Tables

  /// Stress, HRV, heart rate and mood of each part.
  private func dayTable(_ style: TerminalStyle) -> TextTable {
    var headings: [(text: String, alignment: TextTable.Alignment)] = [
      (style.localized(trends.period.step.name), .left), (style.localized("stress"), .right),
    ]
    headings += StressCategory.allCases.map {
      ("\($0.icon(unicode: style.unicode)) \(style.word($0))", .right)
    }
    headings += [(style.localized("HRV"), .right), (style.localized("HR"), .right)]
    if hasMoods { headings.append((style.localized("mood"), .right)) }
    let movement = trends.period.parts.indices.map {
      trends.sums[$0].measurements > 0 ? trends.movement($0) : nil
    }
    let hasMovement = trends.period.step == .day && movement.contains { $0 != nil }
    if hasMovement { headings.append((style.localized("movement"), .right)) }
    var minutes = trends.period.parts.indices.filter { trends.sums[$0].measurements > 0 }.map {
      movement[$0]
    }[...]
    var table = TextTable(headings)
    for (name, sums, moods) in rows(style) {
      table.append(
        [name, sums.stressMean] + StressCategory.allCases.map(sums.percentText)
          + [sums[metric.unpacedQuantity].text(\.mean), sums[.heartRate].text(\.mean)]
          + (hasMoods ? [moods.mean.text(0)] : [])
          + (hasMovement ? [minutes.popFirst().flatMap(\.self).map { "\($0.fixed(0)) min" } ?? ""] : []))
    }
    return table
  }

  private func stressTable(_ style: TerminalStyle) -> TextTable {
    var table = TextTable(
      [
        (style.localized(trends.period.step.name), .left), (style.localized("stress"), .right),
      ] + extremes(style)
        + StressCategory.allCases.map { ("\($0.icon(unicode: style.unicode)) \(style.word($0))", .right) }
        + [("n", .right)])
    for (name, sums, _) in rows(style) {
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
    for (name, sums, _) in rows(style) {
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
  private func rows(_ style: TerminalStyle) -> [(name: String, sums: MeasurementSums, moods: [Int])] {
    let parts = trends.period.parts.indices.filter { trends.sums[$0].measurements > 0 }.map {
      (style.date(trends.period.parts[$0].long), trends.sums[$0], trends.moods[$0])
    }
    return parts + [(style.localized("all"), trends.whole, trends.moods.flatMap(\.self))]
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
  /// A date or the label of a chart with its weekday or month in ``language``: `Mon 16 Nov 2026`, `Nov`.
  func date(_ text: String) -> String { localized(.date(text)) }
}
