import History
package import Localization
package import Plot
import Stress

extension TrendReport {
  /// The charts of the period.
  package func figure(_ language: Language) -> TrendFigure {
    TrendFigure(
      title: heading(language),
      parts: zip(trends.period.parts, trends.sums).map { part, sums in
        TrendFigure.Part(
          label: language.date(part.short), stress: sums[.stress].mark, stressBand: sums.stressBand,
          hrv: sums[metric.unpacedQuantity].mark,
          heartRate: sums[.heartRate].mark)
      }, hrvName: metric.definition.name, normal: normal, restingHeartRate: baseline.restingHeartRate,
      texts: language.figureTexts)
  }
}

extension TrendReport {
  /// The profile and the period.
  package func heading(_ language: Language) -> String {
    let profile = "'\(profile)'"
    let name = trends.isSimulated ? language.localized("\(profile) (simulated)") : profile
    guard let (first, last) = trends.period.ends else { return name + ", " }
    return "\(name), " + language.localized("\(language.date(first)) to \(language.date(last))")
  }
}

extension Optional where Wrapped == Spread {
  fileprivate var mark: TrendFigure.Mark? {
    flatMap { TrendFigure.Mark(mean: $0.mean, deviation: $0.deviation) }
  }
}
