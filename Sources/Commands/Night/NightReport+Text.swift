import History
import Localization
import Reports
import Stress
import Terminal

extension NightReport {
  /// The result for a person: score, sentences, the chart of the last two weeks, and the statistics if requested.
  /// - Parameter width: columns of the terminal, if lines are wrapped.
  func lines(_ style: TerminalStyle, trend: NightTrend?, hasDetails: Bool, width: Int?) -> [String] {
    let rest = sentences.dropFirst(assessment?.verdict == nil ? 0 : 1).map(style.localized)
    let wrapped = rest.flatMap { text in
      width.map { text.wrapped(to: $0, unicode: style.unicode) } ?? [text]
    }
    var lines = [assessment?.verdict?.headline(style)].compactMap(\.self) + wrapped
    if let trend, trend.readings.count > 1 { lines += [""] + trend.chart(style, width: width) }
    return hasDetails ? lines + [""] + details(style) : lines
  }

  private func details(_ style: TerminalStyle) -> [String] {
    var rows: [(label: String, value: String)] = [
      ("ln RMSSD", night.lnRMSSD.map { $0.fixed(2) } ?? "-"),
      (style.localized("Beats"), style.localized("\(night.normalBeats) normal of \(night.beats)")),
      (style.localized("Confidence"), night.confidence.fixed(2)),
    ]
    if let normal = assessment?.normal {
      rows.append((style.localized("Normal range"), "\(normal.text) ms, " + style.localized(normal.origin)))
    }
    if let ratio = assessment?.smallestDetectableRatio {
      let change = "\((100 * (ratio - 1)).signed(0)) %"
      rows.append((style.localized("Smallest detectable change"), change))
    }
    if let week = assessment?.week {
      let count = style.localized("\(week.count) night", "\(week.count) nights", count: week.count)
      rows.append((style.localized("7-day mean"), "ln RMSSD \(week.mean.fixed(2)) (\(count))"))
    }
    let margin = (rows.map { $0.label.columns }.max() ?? 0) + 2
    return rows.map { $0.label.padded(to: margin) + $0.value }
  }
}
