import LiveSession
import Localization
import NetworkCommands
import Reports
import Stress
import Terminal

extension BaselineReport {
  var text: String {
    var table = TextTable([
      ("", .left), (localized("baseline"), .right), ("", .left), (localized("normal range"), .left),
    ])
    table.append(["RMSSD", localized(number: baseline.rmssd, 1), "ms", range(evidence?.rmssd)])
    table.append(["SDNN", localized(number: baseline.sdnn, 1), "ms", range(evidence?.sdnn)])
    table.append([
      localized("Resting HR"), localized(number: baseline.restingHeartRate, 1), localized("bpm"), "",
    ])
    let lines =
      [localized("Baseline of '\(profile.printable)': \(baseline.provenance as Phrase)")] + table.lines()
      + outside + own
    return lines.map { $0 + "\n" }.joined()
  }

  /// Explains each value that lies outside its normal range.
  private var outside: [String] {
    let reason =
      switch baseline.origin {
      case .manual: Phrase("it was set manually")
      case .learned:
        Phrase(
          "\(100 - baseline.weightPercent) % of it is the population default (\(Baseline.populationDefault.rmssd.fixed(0)) ms)"
        )
      case .populationDefault: Phrase("it is the population default")
      }
    return [
      ("RMSSD", HRVMetric.rmssd), ("SDNN", .sdnn),
    ].compactMap { name, metric in
      let value = baseline.hrv(metric)
      guard isInNormalRange(metric) == false, let range = evidence?.normalRange(metric) else { return nil }
      let text = value.fixed(1)
      return value < range.lowerBound
        ? localized("\(name) \(text) ms is below your normal range: \(reason).")
        : localized("\(name) \(text) ms is above your normal range: \(reason).")
    }
  }

  /// The estimate from the person's own resting minutes.
  private var own: [String] {
    guard let evidence else {
      return [localized("It is learned from minutes of rest, such as: \("stressmon measure")")]
    }
    let minutes = Phrase(
      "\(evidence.windows) resting minute", "\(evidence.windows) resting minutes", count: evidence.windows)
    let days = Phrase("\(evidence.days) day", "\(evidence.days) days", count: evidence.days)
    let (rmssd, sdnn) = (evidence.rmssd.value.fixed(1), evidence.sdnn.value.fixed(1))
    let relearn =
      baseline.origin == .manual
      ? [localized("Learn it again with: \("stressmon baseline recompute")")] : []
    return [
      localized(
        "From your own \(minutes) on \(days): RMSSD \(rmssd) ms, SDNN \(sdnn) ms, \(evidence.restingHeartRate.fixed(1)) bpm."
      )
    ] + relearn
  }

  private func range(_ value: UsualValue?) -> String {
    value?.normalRange.map { localized("\($0.lowerBound.fixed(1)) to \($0.upperBound.fixed(1))") } ?? "-"
  }
}
