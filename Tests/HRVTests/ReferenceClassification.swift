import HeartRate

@testable import HRV

/// Reference implementation of the published classification, with the thresholds for differences raised by
/// `criteria`: each window is computed separately from the complete series. The streaming implementation must
/// give equal verdicts.
struct ReferenceClassification {
  private let rr: [Double]
  private let changes: [Double]
  private let deviations: [Double]
  private let medians: [Double]
  private let deviationThresholds: [Double]

  init(of intervals: [RRInterval], criteria: ArtefactCriteria = .published) {
    let rr = intervals.map { Double($0.ticks) / 80_000_000 }
    let differences = rr.indices.map { $0 == 0 ? 0 : rr[$0] - rr[$0 - 1] }
    let medians = rr.indices.map { quantile(of: Self.window(rr, $0, 5), 2) }
    let deviations = rr.indices.map {
      rr[$0] < medians[$0] ? 2 * (rr[$0] - medians[$0]) : rr[$0] - medians[$0]
    }
    let upperQuartiles = differences.indices.map {
      quantile(of: Self.window(differences.map { abs($0) }, $0, 45), 3)
    }
    let thresholds = zip(zip(Self.thresholds(differences), upperQuartiles), medians).map {
      published, median in
      max(
        published.0, criteria.differenceFloor * median,
        min(criteria.differenceQuartiles * published.1, criteria.quartileLimit * median))
    }
    self.rr = rr
    self.medians = medians
    self.deviations = deviations
    changes = rr.indices.map { thresholds[$0] > 0 ? differences[$0] / thresholds[$0] : .nan }
    deviationThresholds = Self.thresholds(deviations)
  }

  var verdicts: [Verdict] {
    var verdicts = Array(repeating: Verdict.normal, count: rr.count)
    var place = 0
    while place < rr.count - 2 {
      if abs(changes[place]) <= 1 {
        place += 1
      } else if isEctopic(place) {
        verdicts[place] = .ectopic
        place += 1
      } else if !(abs(changes[place]) > 1 || deviates(place)) {
        place += 1
      } else {
        let both = abs(changes[place + 1]) < abs(changes[place + 2])
        for candidate in place...(both ? place + 1 : place) { verdicts[candidate] = longOrShort(candidate) }
        place += both ? 2 : 1
      }
    }
    return verdicts
  }

  private static func window(_ series: [Double], _ center: Int, _ half: Int) -> [Double] {
    series[max(0, center - half)...min(series.count - 1, center + half)].sorted()
  }

  private static func thresholds(_ series: [Double]) -> [Double] {
    let magnitudes = series.map { abs($0) }
    return series.indices.map { center in
      let window = window(magnitudes, center, 45)
      return 5.2 * ((quantile(of: window, 3) - quantile(of: window, 1)) / 2)
    }
  }

  private func isEctopic(_ place: Int) -> Bool {
    let (before, this, after) = (changes[place - 1], changes[place], changes[place + 1])
    guard !before.isNaN, !after.isNaN else { return false }
    return this > 1 && max(before, after) < -0.13 * this - 0.17
      || this < -1 && min(before, after) > -0.13 * this + 0.17
  }

  private func deviates(_ place: Int) -> Bool {
    deviationThresholds[place] > 0 && abs(deviations[place] / deviationThresholds[place]) > 3
  }

  private func longOrShort(_ place: Int) -> Verdict {
    let next = [place + 1, place + 2].filter { $0 < rr.count }.map { changes[$0] }
    let known = !next.contains { $0.isNaN }
    let isLong = changes[place] > 1 && known && next.contains { $0 < -1 }
    let isShort = changes[place] < -1 && known && next.contains { $0 > 1 }
    guard isLong || isShort || deviates(place) else { return .normal }
    let threshold = deviationThresholds[place]
    if isShort, abs(rr[place] + rr[place + 1] - medians[place]) < threshold { return .extra }
    if isLong, abs(rr[place] / 2 - medians[place]) < threshold { return .missed }
    return rr[place] < medians[place] ? .short : .long
  }
}
