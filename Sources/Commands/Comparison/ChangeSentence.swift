import HRV
import Terminal

/// Whether RMSSD changed, in words.
struct ChangeSentence {
  let comparison: SessionComparison
  let profile: String?
  /// What the two sides are called.
  var names = (a: "A", b: "B")

  var lines: [String] {
    switch comparison.change {
    case .failure(let reason): ["Whether RMSSD changed cannot be said: \(words(reason))."]
    case .success(let change): [verdict(change), detectable(change), origin]
    }
  }

  private func verdict(_ change: RMSSDChange) -> String {
    let (a, b) = (comparison.a.series.sums.rmssd ?? .nan, comparison.b.series.sums.rmssd ?? .nan)
    let ratio = change.ratio
    let times =
      "\(a.fixed(1)) ms to \(b.fixed(1)) ms, \(ratio.value.fixed(2)) times (95 % interval \(ratio.low.fixed(2)) to "
      + "\(ratio.high.fixed(2)))"
    guard change.isChanged else { return "No change of RMSSD was found: from \(times)." }
    return "RMSSD changed: it \(change.difference > 0 ? "rose" : "fell") from \(times)."
  }

  private func detectable(_ change: RMSSDChange) -> String {
    let ratio = change.smallestDetectableRatio
    return "The smallest change that could be detected is a rise to \(ratio.fixed(2)) times or a fall to "
      + "\((1 / ratio).fixed(2)) times."
  }

  private var origin: String {
    let sd = comparison.variability.differenceSD.fixed(2)
    guard comparison.variability.windows > 0, let profile else {
      return
        "That is by how ln RMSSD varies within one rest: SD \(sd) of the difference of two minutes, which is usual."
    }
    return
      "That is by how ln RMSSD of '\(profile.printable)' varies within one rest: SD \(sd) of the difference of two "
      + "minutes, from \(comparison.variability.windows) minutes of the history."
  }

  private func words(_ reason: RMSSDChange.Reason) -> String {
    switch reason {
    case .tooShort(let place, let seconds):
      "\(name(place)) holds \(seconds.fixed(0)) s of normal beats in a row, "
        + "\(RMSSDChange.shortest.fixed(0)) s are needed"
    case .noVariation(let place): "all intervals of \(name(place)) are equal, as no heart's are"
    case .untrusted(let place, let trust):
      "the data of \(name(place)) are not good enough (\(trust.fixed(2)) of 1, "
        + "\(RMSSDChange.leastTrust.fixed(2)) is needed): \(side(place).data.trust.reasonsOfData.joined(separator: "; "))"
    }
  }

  private func name(_ place: RMSSDChange.Place) -> String { place == .a ? names.a : names.b }

  private func side(_ place: RMSSDChange.Place) -> ComparedSide {
    place == .a ? comparison.a : comparison.b
  }
}
