import HRV
import Terminal
import Words

/// Whether RMSSD changed, in words.
struct ChangeSentence {
  let comparison: SessionComparison
  let profile: String?
  /// What the two sides are called.
  var names = (a: "A", b: "B")
  var style = TerminalStyle.plain

  var lines: [String] {
    switch comparison.change {
    case .failure(let reason):
      [style.words("Whether RMSSD changed cannot be said: \(words(reason)).")]
    case .success(let change): [verdict(change), detectable(change), origin]
    }
  }

  /// The same for a screen reader: units in full.
  func spoken(_ change: RMSSDChange) -> [String] {
    let (a, b) = values
    let times = (change.ratio.value.fixed(2), change.ratio.low.fixed(2), change.ratio.high.fixed(2))
    let verdict =
      if !change.isChanged {
        style.words("No change of RMSSD was found: from \(a) to \(b) milliseconds.")
      } else if change.difference > 0 {
        style.words("RMSSD changed: it rose from \(a) to \(b) milliseconds.")
      } else {
        style.words("RMSSD changed: it fell from \(a) to \(b) milliseconds.")
      }
    let range = style.words(
      "That is a factor of \(times.0), with a 95 percent confidence interval from \(times.1) to \(times.2).")
    return [verdict, range, detectable(change)]
  }

  private var values: (a: String, b: String) {
    ((comparison.a.series.sums.rmssd ?? .nan).fixed(1), (comparison.b.series.sums.rmssd ?? .nan).fixed(1))
  }

  private func verdict(_ change: RMSSDChange) -> String {
    let (a, b) = values
    let (ratio, low, high) = (
      change.ratio.value.fixed(2), change.ratio.low.fixed(2), change.ratio.high.fixed(2)
    )
    let times = style.words("\(a) ms to \(b) ms, \(ratio) times (95 % interval \(low) to \(high))")
    guard change.isChanged else { return style.words("No change of RMSSD was found: from \(times).") }
    return change.difference > 0
      ? style.words("RMSSD changed: it rose from \(times).")
      : style.words("RMSSD changed: it fell from \(times).")
  }

  private func detectable(_ change: RMSSDChange) -> String {
    let ratio = change.smallestDetectableRatio
    let (rise, fall) = (ratio.fixed(2), (1 / ratio).fixed(2))
    return style.words(
      "The smallest change that could be detected is a rise to \(rise) times or a fall to \(fall) times.")
  }

  private var origin: String {
    let (sd, windows) = (comparison.variability.differenceSD.fixed(2), comparison.variability.windows)
    guard windows > 0, let profile else {
      return style.words(
        """
        That is by how ln RMSSD varies within one rest: SD \(sd) of the difference of two minutes, which is usual.
        """)
    }
    return style.words(
      """
      That is by how ln RMSSD of '\(profile.printable)' varies within one rest: SD \(sd) of the difference of two \
      minutes, from \(windows) minutes of the history.
      """)
  }

  private func words(_ reason: RMSSDChange.Reason) -> String {
    switch reason {
    case .tooShort(let place, let seconds):
      let (found, needed) = (seconds.fixed(0), RMSSDChange.shortest.fixed(0))
      return style.words(
        "\(name(place)) holds \(found) s of normal beats in a row, \(needed) s are needed")
    case .noVariation(let place):
      return style.words("all intervals of \(name(place)) are equal, as no heart's are")
    case .untrusted(let place, let trust):
      let (found, needed) = (trust.fixed(2), RMSSDChange.leastTrust.fixed(2))
      let why = side(place).data.trust.reasonsOfData.map { style.words(Phrase(known: $0)) }
      return style.words(
        """
        the data of \(name(place)) are not good enough (\(found) of 1, \(needed) is needed): \(why.joined(separator: "; "))
        """)
    }
  }

  private func name(_ place: RMSSDChange.Place) -> String { place == .a ? names.a : names.b }

  private func side(_ place: RMSSDChange.Place) -> ComparedSide {
    place == .a ? comparison.a : comparison.b
  }
}
