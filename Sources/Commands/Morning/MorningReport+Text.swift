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

  /// The result for a person: score, sentences, the chart of the last two weeks, and how the reading was taken.
  /// - Parameters:
  ///   - trend: the mornings of the chart, if they are known.
  ///   - hasDetails: whether the statistics follow as a list.
  ///   - width: columns of the terminal, if lines are wrapped.
  func lines(_ style: TerminalStyle, trend: MorningTrend?, hasDetails: Bool, width: Int?) -> [String] {
    let wrap = { (text: String) in width.map { text.wrapped(to: $0, unicode: style.unicode) } ?? [text] }
    let rest = sentences.dropFirst(assessment?.verdict == nil ? 0 : 1).map(style.localized).joined(
      separator: " ")
    var lines = [assessment?.verdict?.headline(style)].compactMap(\.self) + wrap(rest)
    if let trend, trend.readings.count > 1 { lines += [""] + trend.chart(style, width: width) }
    lines += [""] + (hasDetails ? details(style, width: width) : wrap(summary(style)))
    return lines
  }

  /// `lying, 60 s, mean HR 58 bpm, confidence high (92 %)`
  private func summary(_ style: TerminalStyle) -> String {
    let reading = result.reading
    let parts = [
      course(style), style.heartRate(latest: nil, windowMean: reading.sums.meanHeartRate),
      reading.confidence.map(style.confidence),
    ]
    return parts.compactMap(\.self).joined(separator: ", ")
  }

  /// `lying, 60 s (simulated)`
  private func course(_ style: TerminalStyle) -> String {
    let course = style.localized(
      "\(style.localized(result.reading.posture.name)), \(result.reading.seconds.fixed(0)) s")
    let isSimulated = result.session.sensor.source == .simulated
    return isSimulated ? style.localized("\(course) (simulated)") : course
  }

  private func details(_ style: TerminalStyle, width: Int?) -> [String] {
    let rows = rows(style)
    let margin = (rows.map { $0.label.columns }.max() ?? 0) + 2
    return rows.map { row in
      let line = row.label.padded(to: margin) + row.value
      return width.map { line.clipped(to: $0, unicode: style.unicode) } ?? line
    }
  }

  private typealias Row = (label: String, value: String)

  private func rows(_ style: TerminalStyle) -> [Row] {
    let reading = result.reading
    let rate = reading.sums.meanHeartRate.map { style.localized("\($0.fixed(1)) bpm") } ?? "-"
    var rows: [Row] = [
      (style.localized("Reading"), course(style)),
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

extension MorningVerdict {
  /// `▲ 31 of 100: a little lower than usual for you.`
  func headline(_ style: TerminalStyle) -> String {
    style.coloured(
      "\(level.category.icon(unicode: style.unicode)) \(style.localized(phrase))", level.category)
  }
}
