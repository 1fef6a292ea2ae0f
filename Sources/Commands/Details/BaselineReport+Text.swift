import Localization
import Reports
import Stress
import Terminal

extension BaselineReport {
  var text: String {
    var table = TextTable([("", .left), ("baseline", .right), ("", .left), ("normal range", .left)])
    table.append(["RMSSD", baseline.rmssd.fixed(1), "ms", range(evidence?.rmssd)])
    table.append(["SDNN", baseline.sdnn.fixed(1), "ms", range(evidence?.sdnn)])
    table.append(["Resting HR", baseline.restingHeartRate.fixed(1), "bpm", ""])
    let lines =
      ["Baseline of '\(profile.printable)': \(baseline.provenance())"] + table.lines() + outside + own
    return lines.map { $0 + "\n" }.joined()
  }

  /// Explains each value that lies outside its normal range.
  private var outside: [String] {
    let reason =
      switch baseline.origin {
      case .manual: "it was set manually"
      case .learned:
        "\(100 - baseline.weightPercent) % of it is the population default "
          + "(\(Baseline.populationDefault.rmssd.fixed(0)) ms)"
      case .populationDefault: "it is the population default"
      }
    return [
      ("RMSSD", HRVMetric.rmssd), ("SDNN", .sdnn),
    ].compactMap { name, metric in
      let value = baseline.hrv(metric)
      guard isInNormalRange(metric) == false, let range = evidence?.normalRange(metric) else { return nil }
      let side = value < range.lowerBound ? "below" : "above"
      return "\(name) \(value.fixed(1)) ms is \(side) your normal range: \(reason)."
    }
  }

  /// The estimate from the person's own resting minutes.
  private var own: [String] {
    guard let evidence else { return ["It is learned from minutes of rest, such as: stressmon measure"] }
    let minutes = counted(evidence.windows, "resting minute")
    let days = counted(evidence.days, "day")
    let relearn = baseline.origin == .manual ? ["Learn it again with: stressmon baseline recompute"] : []
    return [
      "From your own \(minutes) on \(days): RMSSD \(evidence.rmssd.value.fixed(1)) ms, "
        + "SDNN \(evidence.sdnn.value.fixed(1)) ms, \(evidence.restingHeartRate.fixed(1)) bpm."
    ] + relearn
  }

  private func range(_ value: UsualValue?) -> String {
    value?.normalRange.map { "\($0.lowerBound.fixed(1)) to \($0.upperBound.fixed(1))" } ?? "-"
  }
}
