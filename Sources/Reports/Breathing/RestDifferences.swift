import Breathing
import Glibc
import HRV
package import Localization
import Stress

/// The differences between the rest after a breathing exercise and the rest before, metric by metric.
package struct RestDifferences {
  /// A metric in the rest before, the breathing and the rest after.
  package struct Row {
    package let metric: MetricDefinition
    /// Name with unit, for a table.
    package let name: Phrase
    /// Name with unit spelled out.
    package let spokenName: Phrase
    package let decimals: Int
    package let values: [Double?]
    /// The range of each value; empty for metrics without.
    package var ranges: [ClosedRange<Double>?] = []
    /// Whether the rests are compared in this metric.
    package var isCompared = true
    package var difference: Double?
    /// 95 % interval of the difference, if the rests can be compared.
    package var interval: ClosedRange<Double>?
  }

  package let rows: [Row]

  /// The rows for everyday use: HRV, heart rate and stress.
  package var mainRows: [Row] {
    rows.filter { [.rmssd, .meanHeartRate, .stress].contains($0.metric) }
  }

  package init(_ result: BreathingResult) {
    let parts = [result.before, result.during, result.after]
    let intervals = Intervals(result)
    var stress = Row(.stress, parts.map { $0?.score?.value }, intervals?.stress)
    stress.ranges = parts.map { $0?.range.map { $0.low...$0.high } }
    let compared = [
      Row(.rmssd, parts.map { $0?.side?.series.sums.rmssd }, intervals?.rmssd),
      Row(.sdnn, parts.map { $0?.side?.series.sums.sdnn }, intervals?.sdnn),
      Row(.meanHeartRate, parts.map { $0?.side?.series.sums.meanHeartRate }, intervals?.heartRate),
      stress,
    ]
    rows =
      compared + [
        Row(.confidence, shown: parts.map { $0?.side?.data.trust.confidence }),
        Row(.artefacts, shown: parts.map { $0?.side?.series.artefactFraction.map { $0 * 100 } }),
      ]
  }

  /// The intervals of the differences, as far as the rests can be compared.
  private struct Intervals {
    let rmssd: ClosedRange<Double>
    let sdnn: ClosedRange<Double>
    let heartRate: ClosedRange<Double>
    var stress: ClosedRange<Double>?

    init?(_ result: BreathingResult) {
      guard let change = result.change, let before = result.before?.side, let after = result.after?.side,
        let a = Values(before.series.sums), let b = Values(after.series.sums)
      else { return nil }
      func half(_ deviation: Double) -> Double {
        RestInterval.halfWidth(deviation, seconds: before.change.seconds, after.change.seconds)
      }
      rmssd = a.rmssd * (change.ratio.low - 1)...a.rmssd * (change.ratio.high - 1)
      let times = exp(half(RestInterval.lnSDNNSD))
      sdnn = b.sdnn / times - a.sdnn...b.sdnn * times - a.sdnn
      let beats = half(RestInterval.heartRateSD)
      heartRate = b.heartRate - a.heartRate - beats...b.heartRate - a.heartRate + beats
      stress = Self.stress(
        result, a, b, rmssd: exp(change.smallestDetectable), sdnn: times, heartRate: beats)
    }

    /// Propagates the intervals of HRV and heart rate, as independent quantities, to stress. Of both rests, the wider interval
    /// counts on each side, because stress is clipped at 0 and a relaxed rest can hide a difference.
    private static func stress(
      _ result: BreathingResult, _ a: Values, _ b: Values, rmssd: Double, sdnn: Double, heartRate: Double
    ) -> ClosedRange<Double>? {
      let metric = result.session.settings.metric
      func spread(_ values: Values) -> (value: Double, down: Double, up: Double)? {
        let (hrv, times) = metric == .rmssd ? (values.rmssd, rmssd) : (values.sdnn, sdnn)
        func stress(_ hrv: Double, _ heartRate: Double) -> Double? {
          BreathingResult.score(hrv: hrv, heartRate: max(1, heartRate), result.session)?.value
        }
        guard let value = stress(hrv, values.heartRate), let calmer = stress(hrv * times, values.heartRate),
          let tenser = stress(hrv / times, values.heartRate),
          let slower = stress(hrv, values.heartRate - heartRate),
          let faster = stress(hrv, values.heartRate + heartRate)
        else { return nil }
        func together(_ x: Double, _ y: Double) -> Double { (x * x + y * y).squareRoot() }
        return (value, together(value - calmer, value - slower), together(tenser - value, faster - value))
      }
      guard let before = spread(a), let after = spread(b) else { return nil }
      let difference = after.value - before.value
      return difference - max(after.down, before.up)...difference + max(after.up, before.down)
    }
  }

  private struct Values {
    let rmssd: Double
    let sdnn: Double
    let heartRate: Double

    init?(_ sums: NNSums) {
      guard let rmssd = sums.rmssd, let sdnn = sums.sdnn, let heartRate = sums.meanHeartRate else {
        return nil
      }
      (self.rmssd, self.sdnn, self.heartRate) = (rmssd, sdnn, heartRate)
    }
  }
}

extension RestDifferences.Row {
  /// A metric in which the rests are compared.
  fileprivate init(_ metric: MetricDefinition, _ values: [Double?], _ interval: ClosedRange<Double>?) {
    self.init(metric, shown: values)
    isCompared = true
    difference = values[0].flatMap { before in values[2].map { $0 - before } }
    self.interval = interval
  }

  /// A metric that is reported for each part and not compared.
  fileprivate init(_ metric: MetricDefinition, shown values: [Double?]) {
    (self.metric, self.values, isCompared) = (metric, values, false)
    (name, spokenName, decimals) = Self.naming(metric)
  }

  private static func naming(_ metric: MetricDefinition) -> (Phrase, Phrase, Int) {
    switch metric {
    case .rmssd: (Phrase("RMSSD ms"), Phrase("RMSSD in milliseconds"), 1)
    case .sdnn: (Phrase("SDNN ms"), Phrase("SDNN in milliseconds"), 1)
    case .meanHeartRate: (Phrase("HR bpm"), Phrase("Heart rate in beats per minute"), 1)
    case .stress: (Phrase("Stress"), Phrase("Stress"), 0)
    case .confidence: (Phrase("Confidence"), Phrase("Confidence"), 2)
    case .artefacts: (Phrase("Artefacts %"), Phrase("Artefacts in percent"), 1)
    default: (Phrase(known: metric.heading), Phrase(known: metric.heading), metric.decimals)
    }
  }
}
