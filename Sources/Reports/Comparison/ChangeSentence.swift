import HRV
package import Localization

/// Whether RMSSD changed, in sentences.
package struct ChangeSentence {
  private let comparison: SessionComparison
  private let profile: String?
  private let names: (a: Phrase, b: Phrase)

  /// - Parameters:
  ///   - profile: the profile whose history the variability comes from, unless it is that of the population.
  ///   - names: what the sentences call the two sides.
  package init(
    comparison: SessionComparison, profile: String?, names: (a: Phrase, b: Phrase) = ChangeSentence.letters
  ) {
    (self.comparison, self.profile, self.names) = (comparison, profile, names)
  }

  /// The names of the sides in a comparison.
  package static let letters = {
    let (a, b) = ("A", "B")
    return (a: Phrase(known: a), b: Phrase(known: b))
  }()

  package var lines: [Phrase] {
    switch comparison.change {
    case .failure(let reason):
      [Phrase("It cannot be told whether your HRV changed: \(phrase(reason)).")] + movement
    case .success(let change):
      [verdict(change), Self.detectable(change.smallestDetectableRatio), origin] + movement
    }
  }

  /// A warning for each side on which the person moved.
  private var movement: [Phrase] {
    [(comparison.a, names.a), (comparison.b, names.b)].compactMap { side, name in
      guard let still = side.data.trust.still, still < 0.95 else { return nil }
      let percent = ((1 - still) * 100).fixed(0)
      return Phrase("The person moved for \(percent) % of \(name), which changes HRV as well.")
    }
  }

  /// The change from the first side to the second one without statistics.
  package var plain: [Phrase] {
    guard case .success(let change) = comparison.change else { return lines }
    return Self.plain(
      isChanged: change.isChanged, from: values.a, to: values.b, detectable: change.smallestDetectableRatio)
      + movement
  }

  /// Whether HRV changed, and, if not, which change would have been clear.
  /// - Parameters:
  ///   - a: RMSSD before, in ms.
  ///   - b: RMSSD after, in ms.
  ///   - ratio: the smallest ratio above 1 that is a clear change.
  package static func plain(isChanged: Bool, from a: Double, to b: Double, detectable ratio: Double)
    -> [Phrase]
  {
    let (before, after) = (a.fixed(0), b.fixed(0))
    guard !isChanged else {
      return b > a
        ? [Phrase("Your HRV rose clearly: \(before) ms (RMSSD) before, \(after) ms after.")]
        : [Phrase("Your HRV fell clearly: \(before) ms (RMSSD) before, \(after) ms after.")]
    }
    let (high, low) = ((a * ratio).fixed(0), (a / ratio).fixed(0))
    return [
      Phrase("Your HRV did not change clearly: \(before) ms (RMSSD) before, \(after) ms after."),
      Phrase("After rests of this length, \(high) ms or more, or \(low) ms or less, would be clear."),
    ]
  }

  private var values: (a: Double, b: Double) {
    (comparison.a.series.sums.rmssd ?? .nan, comparison.b.series.sums.rmssd ?? .nan)
  }

  private func verdict(_ change: RMSSDChange) -> Phrase {
    let ratio = Ratio(value: change.ratio.value, low: change.ratio.low, high: change.ratio.high)
    return Self.verdict(isChanged: change.isChanged, from: values.a, to: values.b, ratio: ratio)
  }

  /// A ratio with its 95 % interval.
  package struct Ratio {
    let value: Double
    let low: Double
    let high: Double

    package init(value: Double, low: Double, high: Double) {
      (self.value, self.low, self.high) = (value, low, high)
    }
  }

  /// `No clear change: RMSSD 67 -> 56 ms (x0.84, 95 % CI 0.47-1.50)`
  /// - Parameters:
  ///   - a: RMSSD before, in ms.
  ///   - b: RMSSD after, in ms.
  package static func verdict(isChanged: Bool, from a: Double, to b: Double, ratio: Ratio) -> Phrase {
    let (value, low, high) = (ratio.value.fixed(2), ratio.low.fixed(2), ratio.high.fixed(2))
    let change = Phrase("RMSSD \(a.fixed(0)) -> \(b.fixed(0)) ms (x\(value), 95 % CI \(low)-\(high))")
    guard isChanged else { return Phrase("No clear change: \(change)") }
    return ratio.value > 1 ? Phrase("Clear rise: \(change)") : Phrase("Clear fall: \(change)")
  }

  static func detectable(_ ratio: Double) -> Phrase {
    let (rise, fall) = (ratio.fixed(2), (1 / ratio).fixed(2))
    return Phrase("Smallest detectable change: a rise to \(rise) times or a fall to \(fall) times.")
  }

  /// The SD of the difference of ln RMSSD between two minutes of one rest, and the number of minutes of the profile that it was
  /// estimated from.
  private var origin: Phrase {
    let (sd, windows) = (comparison.variability.differenceSD.fixed(2), comparison.variability.windows)
    guard windows > 0, let profile else {
      return Phrase(
        "Basis: ln RMSSD of two minutes of one rest differs by SD \(sd) (population default).")
    }
    return Phrase(
      "Basis: ln RMSSD of two minutes of one rest differs by SD \(sd) (\(windows) minute of '\(profile)').",
      "Basis: ln RMSSD of two minutes of one rest differs by SD \(sd) (\(windows) minutes of '\(profile)').",
      count: windows)
  }

  private func phrase(_ reason: RMSSDChange.Reason) -> Phrase {
    switch reason {
    case .tooShort(let place, let seconds):
      let (found, needed) = (seconds.fixed(0), RMSSDChange.shortest.fixed(0))
      return Phrase("\(name(place)) contains \(found) s of successive normal beats, \(needed) s are required")
    case .noVariation(let place):
      return Phrase("all intervals of \(name(place)) are equal, which is implausible")
    case .untrusted(let place, let trust):
      let (found, needed) = (trust.fixed(2), RMSSDChange.leastTrust.fixed(2))
      let why = side(place).data.trust.reasonsOfData.map { Phrase(known: $0) }
      return Phrase(
        "the data quality of \(name(place)) is too low (\(found), required: \(needed)): \(why, separator: "; ")"
      )
    }
  }

  private func name(_ place: RMSSDChange.Place) -> Phrase { place == .a ? names.a : names.b }

  private func side(_ place: RMSSDChange.Place) -> ComparedSide {
    place == .a ? comparison.a : comparison.b
  }
}
