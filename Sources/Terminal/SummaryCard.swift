import HeartRate
import LiveSession
import Localization
package import Stress

/// A finished session as lines of text: its values, one sentence and the next command.
package struct SummaryCard: Sendable {
  private let style: TerminalStyle
  private let isSimulated: Bool

  /// - Parameter isSimulated: Whether it is a session of the simulated strap.
  package init(style: TerminalStyle, isSimulated: Bool = false) {
    (self.style, self.isSimulated) = (style, isSimulated)
  }

  /// - Parameters:
  ///   - next: The command to type next.
  ///   - width: Width of the terminal in columns. By default, it is not limited.
  package func lines(_ summary: SessionSummary, next: String, width: Int? = nil) -> [String] {
    let rows = rows(summary)
    let margin = (rows.map { $0.label.columns }.max() ?? 0) + 2
    let values = rows.flatMap { row in
      row.values.enumerated().map { ($0 == 0 ? row.label : "").padded(to: margin) + $1 }
    }
    let text = [sentence(summary), style.localized("Next: \(next)")]
    guard let width else { return values + text }
    return values.map { $0.clipped(to: width, unicode: style.unicode) }
      + text.flatMap { $0.wrapped(to: width, unicode: style.unicode) }
  }

  /// The summary as sentences for a screen reader, without symbols or abbreviated units.
  package func spoken(_ summary: SessionSummary, next: String) -> [String] {
    let words = SpokenWords(style: style)
    var lines: [String] = []
    if let rate = summary.heartRate {
      let (mean, low, high) = (rate.mean.fixed(0), rate.low.fixed(0), rate.high.fixed(0))
      lines.append(style.localized("Heart rate \(mean) beats per minute on average, \(low) to \(high)."))
    }
    if let rmssd = summary.rmssd {
      let (mean, low, high) = (rmssd.mean.fixed(0), rmssd.low.fixed(0), rmssd.high.fixed(0))
      lines.append(
        style.localized("Heart rate variability \(mean) milliseconds on average, \(low) to \(high)."))
    }
    for category in StressCategory.allCases where summary.seconds(in: category) > 0 {
      let length = words.length(seconds: summary.seconds(in: category))
      lines.append(style.localized("\(style.word(category)): \(length)."))
    }
    if let percent = summary.artefactPercent {
      let (count, beats) = (summary.artefacts, summary.beats)
      lines.append(
        style.localized(
          "Artefacts: \(count) of \(beats) beat, \(percent.fixed(0)) percent.",
          "Artefacts: \(count) of \(beats) beats, \(percent.fixed(0)) percent.", count: beats))
    }
    if isSimulated { lines.append(style.localized("Simulated.")) }
    return lines + [sentence(summary), style.localized("Next: \(next)")]
  }

  private typealias Row = (label: String, values: [String])

  private func rows(_ summary: SessionSummary) -> [Row] {
    let duration = clockText(seconds: summary.duration.seconds)
    var rows: [Row] = [
      (
        style.localized("Duration"),
        [isSimulated ? style.localized("\(duration) (simulated)") : duration]
      )
    ]
    if let rate = summary.heartRate { rows.append((style.localized("HR"), [heartRate(rate, summary)])) }
    if let rmssd = summary.rmssd {
      rows.append((style.localized("HRV"), [extent(rmssd, 1, "ms") + " (RMSSD)"]))
    }
    if summary.scoredSeconds > 0 { rows.append((style.localized("Stress"), categories(summary))) }
    if let percent = summary.artefactPercent {
      let (count, beats) = (summary.artefacts, summary.beats)
      rows.append(
        (
          style.localized("Artefacts"),
          [
            style.localized(
              "\(count) of \(beats) beat (\(percent.fixed(1)) %)",
              "\(count) of \(beats) beats (\(percent.fixed(1)) %)", count: beats)
          ]
        ))
    }
    return rows
  }

  /// `71 bpm (60 to 94)`
  /// `63 bpm on average, windows 62 to 64`: the beats of a window differ more than the means of windows.
  private func heartRate(_ value: SessionSummary.Extent, _ summary: SessionSummary) -> String {
    guard summary.isHeartRateOfWindows else { return extent(value, 0, "bpm") }
    let (mean, low, high) = (value.mean.fixed(0), value.low.fixed(0), value.high.fixed(0))
    return style.localized("\(mean) bpm on average, windows \(low) to \(high)")
  }

  private func extent(_ value: SessionSummary.Extent, _ decimals: Int, _ unit: String) -> String {
    let (mean, low, high) = (
      value.mean.fixed(decimals), value.low.fixed(decimals), value.high.fixed(decimals)
    )
    return style.localized("\(mean) \(unit) on average, \(low) to \(high)")
  }

  /// `♣ Relaxed   4:10  75 %`, one line per category.
  private func categories(_ summary: SessionSummary) -> [String] {
    let names = StressCategory.allCases.map { "\($0.icon(unicode: style.unicode)) \(style.word($0))" }
    let width = names.map(\.columns).max() ?? 0
    return zip(StressCategory.allCases, names).map { category, name in
      let seconds = summary.seconds(in: category)
      let percent = "\(percent(summary, category))".aligned(to: 3)
      return style.coloured(name.padded(to: width), category)
        + "  \(clockText(seconds: seconds).aligned(to: 7))  \(percent) %"
    }
  }

  /// The category's part of the time with a stress value; the categories add up to 100.
  private func percent(_ summary: SessionSummary, _ category: StressCategory) -> Int {
    let categories = StressCategory.allCases
    let percents = wholePercents(of: categories.map { summary.seconds(in: $0) })
    return categories.firstIndex(of: category).flatMap { percents?[$0] } ?? 0
  }

  private func sentence(_ summary: SessionSummary) -> String {
    guard summary.beats > 0 || summary.heartRate != nil else {
      return style.localized("No heartbeat was received.")
    }
    if let warning = summary.sensorClass?.warning { return style.localized(Phrase(known: warning)) }
    guard let category = summary.mainCategory, let confidence = summary.confidence else {
      let (beats, seconds) = (StressMeasurement.requiredBeats, summary.requiredSeconds.fixed(0))
      return style.localized("No stress value: it requires \(beats) normal beats in \(seconds) s of data.")
    }
    guard confidence.mean >= 0.5 else {
      return style.localized(
        "Confidence was low (\((confidence.mean * 100).fixed(0)) % on average): the stress values are unreliable."
      )
    }
    return style.localized(category.sentence(percent: percent(summary, category)))
  }
}
