import History
import Plot
import Reports
import Stress
import Terminal

extension TrendReport {
  func figure(_ style: TerminalStyle) -> TrendFigure {
    TrendFigure(
      title: heading(style),
      parts: zip(trends.period.parts, trends.sums).map { part, sums in
        TrendFigure.Part(
          label: style.date(part.short), stress: sums[.stress].mark, stressBand: sums.stressBand,
          hrv: sums[metric.unpacedQuantity].mark,
          heartRate: sums[.heartRate].mark)
      }, hrvName: metric.definition.name, normal: normal, restingHeartRate: baseline.restingHeartRate)
  }
}

extension Optional where Wrapped == Spread {
  fileprivate var mark: TrendFigure.Mark? {
    flatMap { TrendFigure.Mark(mean: $0.mean, deviation: $0.deviation) }
  }
}
