import Breathing
import HRV
import HeartRate
import Localization
import Stress
import Terminal

extension BreathingReport {
  /// A card with a table and sentences.
  ///
  /// - Parameter width: Columns of the terminal, to wrap between words; nil for no limit.
  func text(_ style: TerminalStyle, width: Int? = nil) -> String {
    let hasRests = result.before != nil || result.after != nil || result.resonance == nil
    func wrapped(_ lines: [String]) -> [String] {
      guard let width else { return lines }
      return lines.flatMap { $0.columns > width ? $0.wrapped(to: width, unicode: style.unicode) : [$0] }
    }
    let heading = heading(style, clockText(seconds: result.during.seconds))
    let rests = hasRests ? table(style, width: width) + [""] : []
    let words = follows(style) + resonance(style) + (hasRests ? sentences(style) : [])
    return (wrapped([heading]) + [""] + rests + wrapped(words)).map { $0 + "\n" }.joined()
  }

  /// The same for a terminal of that size, what matters most first.
  func card(_ style: TerminalStyle, _ size: TerminalSize) -> [String] {
    let words = (sentences(style) + follows(style)).flatMap {
      $0.wrapped(to: size.columns, unicode: style.unicode)
    }
    let kept = result.stored == nil ? [] : [style.localized("Kept: stressmon breathe --list")]
    let heading = style.bold(heading(style, clockText(seconds: result.during.seconds)))
    let all = [heading] + words + [""] + table(style, width: size.columns) + [""] + kept
    let last = style.dim(style.localized("Any key goes back to the live screen. The session goes on."))
    return (all.prefix(max(0, size.rows - 2)) + [last]).map {
      $0.clipped(to: size.columns, unicode: style.unicode)
    }
  }

  func heading(_ style: TerminalStyle, _ time: String) -> String {
    let pattern = style.localized(result.pattern)
    return style.localized(
      "Breathing \(pattern): \(result.cycles) of \(result.plannedCycles) cycles, \(time)")
  }

  /// On a narrow terminal without the interval and what is measured during the breathing.
  private func table(_ style: TerminalStyle, width: Int?) -> [String] {
    let (during, interval) = (style.localized("during"), style.localized("95 % interval"))
    var table = TextTable([
      ("", .left), (style.localized("before"), .right), (during, .right),
      (style.localized("after"), .right), (style.localized("difference"), .right),
      (interval, .right),
    ])
    for row in rows {
      table.append(
        [style.localized(row.name)] + row.values.map { $0.map { $0.fixed(row.decimals) } ?? "-" } + [
          row.difference?.signed(row.decimals) ?? "-",
          row.interval.map {
            style.localized("\($0.lowerBound.signed(row.decimals)) to \($0.upperBound.signed(row.decimals))")
          } ?? "-",
        ])
    }
    return table.lines(width: width, expendable: [interval, during], unicode: style.unicode)
  }

  private func follows(_ style: TerminalStyle) -> [String] {
    guard let coherence = result.coherence else { return [unknownCoherence(style)] }
    let (value, percent) = (coherence.value.fixed(2), (coherence.value * 100).fixed(0))
    let swing = (2 * coherence.amplitude).fixed(0)
    return [
      style.localized(
        """
        Coherence \(value): \(percent) % of the variation of your heartbeat went with your breath, \(swing) ms from \
        fastest to slowest.
        """)
    ]
  }

  func unknownCoherence(_ style: TerminalStyle) -> String {
    style.localized(
      "How well your heart followed your breath cannot be said: too few cycles with good beats.")
  }

  private func resonance(_ style: TerminalStyle) -> [String] {
    guard let estimate = result.resonance else { return [] }
    var table = TextTable([
      (style.localized("breaths/min"), .right), (style.localized("swing ms"), .right),
      (style.localized("error"), .right),
    ])
    for step in estimate.steps {
      table.append([step.rate.fixed(2), (2 * step.amplitude).fixed(0), (2 * step.error).fixed(0)])
    }
    return table.lines() + [resonanceSentence(estimate, style)]
  }

  func resonanceSentence(_ estimate: ResonanceEstimate, _ style: TerminalStyle) -> String {
    switch estimate.rate {
    case .failure(let reason):
      return style.localized("No resonance was found: \(style.localized(reason.words)).")
    case .success(let rate):
      let half = (30 / rate.value).fixed(1)
      let (value, low, high) = (rate.value.fixed(2), rate.low.fixed(2), rate.high.fixed(2))
      return style.localized(
        """
        Your heart swings furthest at \(value) breaths a minute (95 % interval \(low) to \(high)). Practise it with: \
        \("stressmon breathe --pattern \(half)-\(half)")
        """) + limits(of: rate, style).map { " " + $0 }.joined()
    }
  }

  /// States where the interval ends because no slower or no faster rate was tried.
  private func limits(of rate: ResonanceEstimate.Peak, _ style: TerminalStyle) -> [String] {
    [
      rate.reachesSlowest
        ? style.localized("The interval ends at the slowest rate tried; the resonance may be slower.") : nil,
      rate.reachesFastest
        ? style.localized("The interval ends at the fastest rate tried; the resonance may be faster.") : nil,
    ].compactMap(\.self)
  }

  /// Whether RMSSD changed, and how sure that is.
  func sentences(_ style: TerminalStyle) -> [String] {
    guard let comparison = result.comparison else {
      return [style.localized("Whether RMSSD changed cannot be said: \(missing(style)).")]
    }
    return ChangeSentence(
      comparison: comparison, profile: result.session.profile,
      names: (style.localized("the rest before"), style.localized("the rest after")), style: style
    ).lines
  }

  private func missing(_ style: TerminalStyle) -> String {
    if result.before == nil { return style.localized("the rest before was not measured") }
    if result.before?.side == nil { return style.localized("no heartbeat came in the rest before") }
    if result.after == nil { return style.localized("the rest after was not measured") }
    if result.after?.side == nil { return style.localized("no heartbeat came in the rest after") }
    return style.localized("too little was measured")
  }
}

extension ResonanceEstimate.Reason {
  var words: Phrase {
    switch self {
    case .tooFewSteps(let found, let needed):
      Phrase("\(found) rates with enough normal beats, \(needed) needed")
    case .outside(let rates):
      Phrase(
        """
        the swing is largest outside of \("\(rates.lowerBound)") to \("\(rates.upperBound)") breaths a minute
        """)
    case .flat: Phrase("no rate stands out from the others")
    }
  }
}
