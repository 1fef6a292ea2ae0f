package import JSONLines
import LiveFeed
package import Localization

/// Whether RMSSD changed in a breathing exercise, in sentences, from the document that `breathe --json` prints. The sentences
/// can therefore be shown in another language than the document's own. Movement is not part of the JSON.
package struct BreathingSentence {
  private let report: JSONObject

  package init(_ report: JSONObject) { self.report = report }

  package var lines: [Phrase] { change ?? [Phrase("No conclusion about RMSSD: \(missing).")] }

  /// The comparison of both rests, if there is one.
  private var change: [Phrase]? {
    guard let isChanged = report["changed"].flatMap(report.boolean),
      let before = part("before")?.value("rmssd_ms"), let after = part("after")?.value("rmssd_ms"),
      let ratio = value(.rmssdRatio), let low = value(.rmssdRatio, "low"),
      let high = value(.rmssdRatio, "high"),
      let detectable = value(.detectableRatio), detectable > 0
    else { return nil }
    let verdict = ChangeSentence.verdict(
      isChanged: isChanged, from: before, to: after,
      ratio: ChangeSentence.Ratio(value: ratio, low: low, high: high))
    return [verdict, ChangeSentence.detectable(detectable), origin].compactMap(\.self)
  }

  private var origin: Phrase? {
    guard let deviation = report.value("variability_sd"),
      let windows = report.value("variability_windows").flatMap(Int.init(exactly:))
    else { return nil }
    return ChangeSentence.origin(deviation, windows, report.text("profile"))
  }

  private var missing: Phrase {
    guard let before = part("before") else { return Phrase("the rest before was not measured") }
    guard before.value("beats") ?? 0 > 0 else {
      return Phrase("no heartbeat was received in the rest before")
    }
    guard let after = part("after") else { return Phrase("the rest after was not measured") }
    guard after.value("beats") ?? 0 > 0 else { return Phrase("no heartbeat was received in the rest after") }
    return Phrase("the data of a rest are too few, or their quality is too low")
  }

  private func part(_ key: String) -> JSONObject? { report[key].flatMap(report.object) }

  private func value(_ metric: MetricDefinition, _ bound: String? = nil) -> Double? {
    report.value(bound.map { metric.key(of: $0) } ?? metric.key)
  }
}
