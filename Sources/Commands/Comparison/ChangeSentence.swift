import HRV
import Localization
import Terminal

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
      [style.localized("Whether RMSSD changed cannot be said: \(localized(reason)).")]
    case .success(let change): [verdict(change), detectable(change), origin]
    }
  }

  /// The same for a screen reader: units in full.
  func spoken(_ change: RMSSDChange) -> [String] {
    let (a, b) = (values.a.fixed(0), values.b.fixed(0))
    let times = (change.ratio.value.fixed(2), change.ratio.low.fixed(2), change.ratio.high.fixed(2))
    let verdict =
      if !change.isChanged {
        style.localized("No clear change: RMSSD was \(a) and then \(b) milliseconds.")
      } else if change.difference > 0 {
        style.localized("RMSSD rose from \(a) to \(b) milliseconds.")
      } else {
        style.localized("RMSSD fell from \(a) to \(b) milliseconds.")
      }
    let range = style.localized(
      "That is a factor of \(times.0), with a 95 percent confidence interval from \(times.1) to \(times.2).")
    return [verdict, range, detectable(change)]
  }

  private var values: (a: Double, b: Double) {
    (comparison.a.series.sums.rmssd ?? .nan, comparison.b.series.sums.rmssd ?? .nan)
  }

  private func verdict(_ change: RMSSDChange) -> String {
    let ratio = Ratio(value: change.ratio.value, low: change.ratio.low, high: change.ratio.high)
    return Self.verdict(
      isChanged: change.isChanged, from: values.a, to: values.b, ratio: ratio, style: style)
  }

  /// A ratio with its 95 % interval.
  struct Ratio {
    let value: Double
    let low: Double
    let high: Double
  }

  /// `No clear change: RMSSD 67 -> 56 ms (x0.84, 95 % CI 0.47-1.50)`; values in ms.
  static func verdict(
    isChanged: Bool, from a: Double, to b: Double, ratio: Ratio, style: TerminalStyle = .plain
  )
    -> String
  {
    let (value, low, high) = (ratio.value.fixed(2), ratio.low.fixed(2), ratio.high.fixed(2))
    let change = "RMSSD \(a.fixed(0)) -> \(b.fixed(0)) ms (x\(value), 95 % CI \(low)-\(high))"
    guard isChanged else { return style.localized("No clear change: \(change)") }
    return ratio.value > 1
      ? style.localized("Clear rise: \(change)") : style.localized("Clear fall: \(change)")
  }

  private func detectable(_ change: RMSSDChange) -> String {
    let ratio = change.smallestDetectableRatio
    let (rise, fall) = (ratio.fixed(2), (1 / ratio).fixed(2))
    return style.localized("Smallest detectable change: a rise to \(rise) times or a fall to \(fall) times.")
  }

  private var origin: String {
    let (sd, windows) = (comparison.variability.differenceSD.fixed(2), comparison.variability.windows)
    guard windows > 0, let profile else {
      return style.localized(
        "Basis: ln RMSSD of two minutes of one rest differs by SD \(sd) (population default, not yet yours).")
    }
    return style.localized(
      "Basis: ln RMSSD of two minutes of one rest differs by SD \(sd) (\(windows) minute of '\(profile.printable)').",
      "Basis: ln RMSSD of two minutes of one rest differs by SD \(sd) (\(windows) minutes of '\(profile.printable)').",
      count: windows)
  }

  private func localized(_ reason: RMSSDChange.Reason) -> String {
    switch reason {
    case .tooShort(let place, let seconds):
      let (found, needed) = (seconds.fixed(0), RMSSDChange.shortest.fixed(0))
      return style.localized(
        "\(name(place)) holds \(found) s of normal beats in a row, \(needed) s are needed")
    case .noVariation(let place):
      return style.localized("all intervals of \(name(place)) are equal, as no heart's are")
    case .untrusted(let place, let trust):
      let (found, needed) = (trust.fixed(2), RMSSDChange.leastTrust.fixed(2))
      let why = side(place).data.trust.reasonsOfData.map { style.localized(Phrase(known: $0)) }
      return style.localized(
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
