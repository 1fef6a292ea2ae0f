import Breathing
import HRV
import HeartRate
import History
import LiveSession
import Localization
import Reports
import Terminal

extension BreathingReport {
  /// The result in plain words, followed by a table.
  ///
  /// - Parameters:
  ///   - hasDetails: whether the sentences and the table contain the statistics.
  ///   - width: columns of the terminal, for wrapping between words. By default, lines are not wrapped.
  func text(_ style: TerminalStyle, hasDetails: Bool = false, width: Int? = nil) -> String {
    let hasRests = result.before != nil || result.after != nil || result.resonance == nil
    func wrapped(_ lines: [String]) -> [String] {
      guard let width else { return lines }
      return lines.flatMap { $0.columns > width ? $0.wrapped(to: width, unicode: style.unicode) : [$0] }
    }
    let heading = heading(style, clockText(seconds: result.during.seconds))
    let rests = hasRests ? [""] + table(style, hasDetails: hasDetails, width: width) : []
    let change = hasDetails ? statistics.map { style.localized($0).printable } : localizedSentences(style)
    let words = (hasRests ? change + longerRests(style) : []) + coherence(style) + resonance(style)
    return (wrapped([heading]) + wrapped(words) + rests).map { $0 + "\n" }.joined()
  }

  /// How to detect a smaller change, if none was clear after rests below five minutes.
  private func longerRests(_ style: TerminalStyle) -> [String] {
    guard result.change?.isChanged == false, let before = result.before, before.seconds < 290 else {
      return []
    }
    return [style.localized("Longer rests show smaller changes: \("stressmon breathe --before 5m")")]
  }

  /// The card for a terminal of a given size, with the sentences first.
  func card(_ style: TerminalStyle, _ size: TerminalSize) -> [String] {
    let words = (localizedSentences(style) + coherence(style)).flatMap {
      $0.wrapped(to: size.columns, unicode: style.unicode)
    }
    let kept =
      result.stored == nil
      ? [] : [style.localized("Stored. List the exercises with: stressmon history --breathing")]
    let heading = style.bold(heading(style, clockText(seconds: result.during.seconds)))
    let all = [heading] + words + [""] + table(style, hasDetails: false, width: size.columns) + [""] + kept
    let last = style.dim(
      style.localized("Press any key to return to the live screen. The session continues."))
    return (all.prefix(max(0, size.rows - 2)) + [last]).map {
      $0.clipped(to: size.columns, unicode: style.unicode)
    }
  }

  func localizedSentences(_ style: TerminalStyle) -> [String] {
    sentences.map { style.localized($0).printable }
  }

  func heading(_ style: TerminalStyle, _ time: String) -> String {
    let pattern = style.localized(result.pattern)
    let heading = style.localized(
      "Breathing \(pattern): \(result.cycles) of \(result.plannedCycles) cycles, \(time)")
    return result.session.sensor.source == .simulated ? style.localized("\(heading) (simulated)") : heading
  }

  /// HRV, heart rate and stress as a table.
  private func table(_ style: TerminalStyle, hasDetails: Bool, width: Int?) -> [String] {
    guard !hasDetails else { return details(style, width: width) }
    let during = style.localized("during")
    var table = TextTable([
      ("", .left), (style.localized("before"), .right), (during, .right), (style.localized("after"), .right),
    ])
    for row in RestDifferences(result).mainRows {
      table.append([style.localized(row.everydayName)] + row.texts)
    }
    return table.lines(style, width: width, expendable: [during])
  }

  /// All metrics as a table. A narrow terminal omits the interval, then the column of the breathing.
  private func details(_ style: TerminalStyle, width: Int?) -> [String] {
    let (during, interval) = (style.localized("during"), style.localized("95 % interval"))
    var table = TextTable([
      ("", .left), (style.localized("before"), .right), (during, .right),
      (style.localized("after"), .right), (style.localized("difference"), .right),
      (interval, .right),
    ])
    for row in rows {
      table.append(
        [style.localized(row.name)] + row.texts + [
          row.difference?.signed(row.decimals) ?? "-",
          row.interval.map {
            style.localized("\($0.lowerBound.signed(row.decimals)) to \($0.upperBound.signed(row.decimals))")
          } ?? "-",
        ])
    }
    return table.lines(style, width: width, expendable: [interval, during])
  }

  private func coherence(_ style: TerminalStyle) -> [String] {
    guard let coherence = result.coherence else { return [unknownCoherence(style)] }
    let (value, percent) = (coherence.value.fixed(2), (coherence.value * 100).fixed(0))
    let swing = (2 * coherence.amplitude).fixed(0)
    return [
      style.localized(
        """
        Coherence \(value): \(percent) % of your heart rate variation followed the breathing, \(swing) ms from peak \
        to trough.
        """)
    ]
  }

  func unknownCoherence(_ style: TerminalStyle) -> String {
    style.localized(
      "No coherence: too few cycles with normal beats.")
  }

  private func resonance(_ style: TerminalStyle) -> [String] {
    guard let estimate = result.resonance else { return [] }
    var table = TextTable([
      (style.localized("breaths/min"), .right), (style.localized("peak-trough ms"), .right),
      (style.localized("error"), .right),
    ])
    for step in estimate.steps {
      table.append([step.rate.fixed(2), (2 * step.amplitude).fixed(0), (2 * step.error).fixed(0)])
    }
    return table.lines(language: style.language) + [resonanceSentence(estimate, style)]
  }

  func resonanceSentence(_ estimate: ResonanceEstimate, _ style: TerminalStyle) -> String {
    switch estimate.rate {
    case .failure(let reason):
      return style.localized("No resonance was found: \(style.localized(reason.phrase)).")
    case .success(let rate):
      let half = (30 / rate.value).fixed(1)
      let (value, low, high) = (rate.value.fixed(2), rate.low.fixed(2), rate.high.fixed(2))
      return style.localized(
        """
        Resonance frequency: \(value) breaths per minute (95 % interval \(low) to \(high)). Practise it with: \
        \("stressmon breathe --pattern \(half)-\(half)")
        """) + limits(of: rate, style).map { " " + $0 }.joined()
    }
  }

  /// States at which end the interval is limited by the rates of the exercise.
  private func limits(of rate: ResonanceEstimate.Peak, _ style: TerminalStyle) -> [String] {
    [
      rate.reachesSlowest
        ? style.localized("The interval ends at the slowest tested rate; the resonance may be slower.") : nil,
      rate.reachesFastest
        ? style.localized("The interval ends at the fastest tested rate; the resonance may be faster.") : nil,
    ].compactMap(\.self)
  }
}

extension RestDifferences.Row {
  /// HRV instead of its metric.
  fileprivate var everydayName: Phrase { metric == .rmssd ? Phrase("HRV ms") : name }

  /// The values with their intervals.
  fileprivate var texts: [String] {
    values.enumerated().map { place, value in
      guard let value else { return "-" }
      return ranges.isEmpty ? value.fixed(decimals) : StressValueText.text(value, ranges[place])
    }
  }
}

extension BreathingReport {
  /// Sentences for a screen reader: no table, units spelled out.
  func spoken(_ style: TerminalStyle) -> String {
    let hasRests = result.before != nil || result.after != nil || result.resonance == nil
    let time = SpokenWords(style: style).length(seconds: result.during.seconds)
    let lines =
      [heading(style, time) + "."]
      + (hasRests ? RestDifferences(result).mainRows.map { sentence($0, style) } : [])
    let last = spokenCoherence(style) + (result.resonance.map { [resonanceSentence($0, style)] } ?? [])
    return (lines + last + (hasRests ? localizedSentences(style) : [])).map { $0 + "\n" }.joined()
  }

  /// `RMSSD in milliseconds: before 67, during 44, after 56.`
  private func sentence(_ row: RestDifferences.Row, _ style: TerminalStyle) -> String {
    let values = row.values.map { $0.map { $0.fixed(row.metric == .confidence ? 2 : 0) } }
    let parts = [
      values[0].map { style.localized("before \($0)") }, values[1].map { style.localized("during \($0)") },
      values[2].map { style.localized("after \($0)") },
    ].compactMap { $0 }
    return "\(style.localized(row.spokenName)): \(parts.joined(separator: ", "))."
  }

  private func spokenCoherence(_ style: TerminalStyle) -> [String] {
    guard let coherence = result.coherence else { return [unknownCoherence(style)] }
    let percent = (coherence.value * 100).fixed(0)
    return [
      style.localized(
        "Coherence: \(percent) percent of your heart rate variation followed the breathing.")
    ]
  }
}
