import History
import Localization
import Reports
import Stress
import Terminal

extension MorningTrend {
  /// The latest morning, a chart of HRV with the normal range, and a table of the readings.
  /// - Parameter hasDetails: whether the table contains the statistics.
  func text(style: TerminalStyle, hasDetails: Bool = false, width: Int?) -> String {
    guard !readings.isEmpty else { return nothing(style) }
    var lines = [heading(style)] + latest(style) + [""] + chart(style, width: width) + [""]
    let table = hasDetails ? details(style) : table(style)
    lines += table.lines(width: width, expendable: Self.expendable(style), unicode: style.unicode)
    return lines.map { $0 + "\n" }.joined()
  }

  /// The readings in sentences for a screen reader.
  func spoken(_ style: TerminalStyle) -> String {
    guard !readings.isEmpty else { return nothing(style) }
    let days = readings.compactMap { day -> String? in
      guard let rmssd = day.reading.rmssd?.fixed(0), let rate = day.reading.heartRate?.fixed(0) else {
        return nil
      }
      let date = TrendPeriod.date(Int64(day.reading.day))
      return style.localized("\(date): heart rate variability \(rmssd) milliseconds, heart rate \(rate).")
    }
    return ([heading(style) + "."] + latest(style) + days).map { $0 + "\n" }.joined()
  }

  /// `Latest morning: HRV 59.6 ms, within your normal 34-69.`
  private func latest(_ style: TerminalStyle) -> [String] {
    readings.last.map { [style.localized("Latest morning: \($0.sentence).")] } ?? []
  }

  /// HRV of each day in ``posture`` with the normal range; empty without readings.
  func chart(_ style: TerminalStyle, width: Int?) -> [String] {
    guard let posture, let last = readings.last else { return [] }
    let chart = ColumnChart(marks: columns(style), band: normal?.rmssd, style: style)
    let title = style.localized("HRV (RMSSD) in ms of the morning readings, \(style.localized(posture.name))")
    return [style.bold(title)] + chart.lines(width: width) + [rangeNote(last.assessment, style)]
  }

  private func heading(_ style: TerminalStyle) -> String { heading(style.language).printable }

  private static func date(_ day: Int) -> String { TrendPeriod.date(Int64(day)) }

  private func nothing(_ style: TerminalStyle) -> String {
    let command = "stressmon morning"
    return style.localized(
      "No morning reading of '\(profile.printable)' counts in this period. Take one with: \(command)") + "\n"
  }

  private func columns(_ style: TerminalStyle) -> [ColumnChart.Column] {
    let found = Dictionary(
      shown(in: days).map { ($0.reading.day, $0.reading.rmssd) }, uniquingKeysWith: { first, _ in first })
    return days.map { day in
      ColumnChart.Column(label: String(Self.date(day).suffix(2)), value: found[day] ?? nil)
    }
  }

  private func rangeNote(_ assessment: MorningAssessment, _ style: TerminalStyle) -> String {
    guard let normal = assessment.normal else {
      let count = assessment.missingForRange
      return style.localized(
        "\(count) more morning until your normal range is known.",
        "\(count) more mornings until your normal range is known.", count: count)
    }
    let shade = style.unicode ? "░" : "."
    return "\(shade) "
      + style.localized("your normal range: \(normal.text) ms, \(style.localized(normal.origin))")
  }

  private static func expendable(_ style: TerminalStyle) -> [String] {
    [style.localized("posture"), "CV %", style.localized("HR")]
  }

  private func table(_ style: TerminalStyle) -> TextTable {
    var table = TextTable([
      (style.localized("day"), .left), (style.localized("posture"), .left), (style.localized("HRV"), .right),
      (style.localized("normal range"), .right), (style.localized("position"), .left),
      (style.localized("HR"), .right),
    ])
    for (reading, assessment) in readings.map({ ($0.reading, $0.assessment) }) {
      table.append([
        Self.date(reading.day), style.localized(reading.posture.name), reading.rmssd?.fixed(0) ?? "-",
        assessment.normal?.text ?? "-", assessment.position.map { style.localized($0.word) } ?? "-",
        reading.heartRate?.fixed(0) ?? "-",
      ])
    }
    return table
  }

  private func details(_ style: TerminalStyle) -> TextTable {
    var table = TextTable([
      (style.localized("day"), .left), (style.localized("posture"), .left), ("RMSSD", .right),
      (style.localized("normal range"), .right), (style.localized("position"), .left), ("ln RMSSD", .right),
      (style.localized("7-day mean"), .right), ("CV %", .right), (style.localized("trend"), .left),
      (style.localized("HR"), .right),
    ])
    for day in readings { table.append(row(day, style)) }
    return table
  }

  private func row(_ day: Day, _ style: TerminalStyle) -> [String] {
    let (reading, assessment) = (day.reading, day.assessment)
    return [
      Self.date(reading.day), style.localized(reading.posture.name), reading.rmssd?.fixed(1) ?? "-",
      assessment.normal?.text ?? "-", assessment.position.map { style.localized($0.word) } ?? "-",
      reading.lnRMSSD?.fixed(2) ?? "-", assessment.week?.mean.fixed(2) ?? "-",
      assessment.week?.variation?.fixed(1) ?? "-",
      assessment.week?.trend.map { style.localized($0.word) } ?? "-", reading.heartRate?.fixed(0) ?? "-",
    ]
  }
}
