import HRV
import History
import Localization
import Reports
import Stress
import Terminal

extension MorningReport {
  /// The sentences as one text.
  func text(_ style: TerminalStyle) -> String {
    sentences.map(style.localized).joined(separator: " ")
  }

  /// The sentences, and the statistics as a list.
  /// - Parameter width: columns of the terminal, if lines are wrapped.
  func lines(_ style: TerminalStyle, width: Int?) -> [String] {
    let text = text(style)
    let wrapped = width.map { text.wrapped(to: $0, unicode: style.unicode) } ?? [text]
    let rows = rows(style)
    let margin = (rows.map { $0.label.columns }.max() ?? 0) + 2
    let values = rows.map { $0.label.padded(to: margin) + $0.value }
    return wrapped + [""]
      + values.map { line in
        width.map { line.clipped(to: $0, unicode: style.unicode) } ?? line
      }
  }

  private typealias Row = (label: String, value: String)

  private func rows(_ style: TerminalStyle) -> [Row] {
    let reading = result.reading
    let seconds = reading.seconds.fixed(0)
    let rate = reading.sums.meanHeartRate.map { style.localized("\($0.fixed(1)) bpm") } ?? "-"
    let course = style.localized("\(style.localized(reading.posture.name)), \(seconds) s")
    let isSimulated = result.session.sensor.source == .simulated
    var rows: [Row] = [
      (style.localized("Reading"), isSimulated ? style.localized("\(course) (simulated)") : course),
      (style.localized("Mean HR"), rate),
      ("ln RMSSD", reading.sums.lnRMSSD.map { $0.fixed(2) } ?? "-"),
      (style.localized("Beats"), style.localized("\(reading.sums.count) normal of \(reading.beats)")),
      (
        style.localized("Confidence"),
        ([reading.confidence?.fixed(2) ?? "-"] + reasons(style)).joined(separator: ", ")
      ),
    ]
    if let normal = assessment?.normal {
      rows.append((style.localized("Normal range"), "\(normal.text) ms, " + style.localized(normal.origin)))
    }
    if let week = assessment?.week { rows.append((style.localized("7-day mean"), self.week(week, style))) }
    return rows
  }

  private func reasons(_ style: TerminalStyle) -> [String] {
    result.reading.doubts.map { style.localized(Phrase(known: $0)) }
  }

  /// `ln RMSSD 3.78 (5 mornings, CV 4.2 %, smallest worthwhile change 0.08)`
  private func week(_ week: MorningWeek, _ style: TerminalStyle) -> String {
    let variation = week.variation.map { style.localized("CV \($0.fixed(1)) %") }
    let change = week.worthwhileChange.map {
      style.localized("smallest worthwhile change \($0.fixed(2))")
    }
    let mornings = style.localized("\(week.count) morning", "\(week.count) mornings", count: week.count)
    let details = [mornings, variation, change].compactMap(\.self).joined(separator: ", ")
    return "ln RMSSD \(week.mean.fixed(2)) (\(details))"
  }
}
