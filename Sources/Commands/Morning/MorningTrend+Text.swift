import History
import Localization
import Reports
import Stress
import Terminal

extension DailyTrend {
  /// The latest reading, a chart of HRV with the normal range, and a table of the readings.
  /// - Parameter hasDetails: whether the table contains the statistics.
  func text(style: TerminalStyle, hasDetails: Bool = false, width: Int?) -> String {
    guard !readings.isEmpty else { return nothing(style) }
    var lines = [heading(style)] + latest(style) + [""] + chart(style, width: width) + [""]
    let table = hasDetails ? details(style) : table(style)
    lines += table.lines(style, width: width, expendable: Self.expendable(style))
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
    guard let last = readings.last else { return [] }
    return [
      Reading.source == .nights
        ? style.localized("Latest night: \(last.sentence).")
        : style.localized("Latest morning: \(last.sentence).")
    ]
  }

  /// HRV of each day in ``posture`` with the normal range; empty without readings.
  func chart(_ style: TerminalStyle, width: Int?) -> [String] {
    guard let last = readings.last else { return [] }
    let chart = ColumnChart(marks: columns(style), band: normal?.rmssd, style: style)
    return [style.bold(style.localized(caption))] + chart.lines(width: width) + [
      rangeNote(last.assessment, style)
    ]
  }

  private func heading(_ style: TerminalStyle) -> String { heading(style.language).printable }

  private static func date(_ day: Int) -> String { TrendPeriod.date(Int64(day)) }

  private func nothing(_ style: TerminalStyle) -> String {
    style.localized(Reading.source.absence(of: profile.printable)) + "\n"
  }

  private func columns(_ style: TerminalStyle) -> [ColumnChart.Column] {
    let found = Dictionary(
      shown(in: days).map { ($0.reading.day, $0.reading.rmssd) }, uniquingKeysWith: { first, _ in first })
    return days.map { day in
      ColumnChart.Column(label: String(Self.date(day).suffix(2)), value: found[day] ?? nil)
    }
  }

  private func rangeNote(_ assessment: MorningAssessment, _ style: TerminalStyle) -> String {
    let shade = style.unicode ? "░ " : ". "
    return (assessment.normal == nil ? "" : shade) + style.localized(range(assessment))
  }

  private static func expendable(_ style: TerminalStyle) -> [String] {
    [style.localized("posture"), "CV %", style.localized("HR")]
  }

  private typealias Column = (heading: String, alignment: TextTable.Alignment, value: (Day) -> String)

  private func table(_ style: TerminalStyle) -> TextTable {
    table(columns(style, hrv(style.localized("HRV"), 0)), style)
  }

  private func details(_ style: TerminalStyle) -> TextTable {
    table(columns(style, hrv("RMSSD", 1)).dropLast() + statistics(style) + [heartRate(style)], style)
  }

  /// Nights have no posture.
  private func table(_ columns: [Column], _ style: TerminalStyle) -> TextTable {
    let shown = columns.filter { Reading.source != .nights || $0.heading != style.localized("posture") }
    var table = TextTable(shown.map { ($0.heading, $0.alignment) })
    for day in readings { table.append(shown.map { $0.value(day) }) }
    return table
  }

  private func columns(_ style: TerminalStyle, _ hrv: Column) -> [Column] {
    [
      (style.localized("day"), .left, { Self.date($0.reading.day) }),
      (
        style.localized("posture"), .left,
        { $0.reading.seriesPosture.map { style.localized($0.name) } ?? "-" }
      ),
      hrv,
      (style.localized("normal range"), .right, { $0.assessment.normal?.text ?? "-" }),
      (
        style.localized("position"), .left, { $0.assessment.position.map { style.localized($0.word) } ?? "-" }
      ),
      heartRate(style),
    ]
  }

  private func hrv(_ heading: String, _ decimals: Int) -> Column {
    (heading, .right, { $0.reading.rmssd?.fixed(decimals) ?? "-" })
  }

  private func heartRate(_ style: TerminalStyle) -> Column {
    (style.localized("HR"), .right, { $0.reading.heartRate?.fixed(0) ?? "-" })
  }

  private func statistics(_ style: TerminalStyle) -> [Column] {
    [
      ("ln RMSSD", .right, { $0.reading.lnRMSSD?.fixed(2) ?? "-" }),
      (style.localized("7-day mean"), .right, { $0.assessment.week?.mean.fixed(2) ?? "-" }),
      ("CV %", .right, { $0.assessment.week?.variation?.fixed(1) ?? "-" }),
      (
        style.localized("trend"), .left, { $0.assessment.week?.trend.map { style.localized($0.word) } ?? "-" }
      ),
    ]
  }
}
