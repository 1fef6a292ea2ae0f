import Breathing
import Glibc
import HRV
import Localization
import Stress

/// The rest after a breathing exercise against the one before, value by value.
struct RestDifferences {
  /// A value of the rest before, of the breathing and of the rest after.
  struct Row {
    let key: String
    /// With its unit, as short as in a table, and as it is said.
    let name, spokenName: Phrase
    let decimals: Int
    let values: [Double?]
    var isCompared = true
    var difference: Double?
    /// The bounds of its 95 % interval; nil where it cannot be said whether anything changed.
    var interval: ClosedRange<Double>?
  }

  let rows: [Row]

  init(_ result: BreathingResult) {
    let parts = [result.before, result.during, result.after]
    let sums = parts.map { $0?.side?.series.sums }
    let intervals = Intervals(result)
    func row(
      _ key: String, _ name: Phrase, _ spoken: Phrase, _ decimals: Int, _ values: [Double?],
      _ interval: ClosedRange<Double>?
    ) -> Row {
      let difference = values[0].flatMap { before in values[2].map { $0 - before } }
      return Row(
        key: key, name: name, spokenName: spoken, decimals: decimals, values: values, difference: difference,
        interval: interval)
    }
    func shown(_ key: String, _ name: Phrase, _ spoken: Phrase, _ decimals: Int, _ values: [Double?]) -> Row {
      Row(key: key, name: name, spokenName: spoken, decimals: decimals, values: values, isCompared: false)
    }
    rows = [
      row(
        "rmssd_ms", Phrase("RMSSD ms"), Phrase("RMSSD in milliseconds"), 1, sums.map { $0?.rmssd },
        intervals?.rmssd),
      row(
        "sdnn_ms", Phrase("SDNN ms"), Phrase("SDNN in milliseconds"), 1, sums.map { $0?.sdnn },
        intervals?.sdnn),
      row(
        "mean_hr_bpm", Phrase("HR bpm"), Phrase("Heart rate in beats per minute"), 1,
        sums.map { $0?.meanHeartRate }, intervals?.heartRate),
      row(
        "stress", Phrase("Stress"), Phrase("Stress"), 0, parts.map { $0?.score?.value }, intervals?.stress),
      shown(
        "confidence", Phrase("Confidence"), Phrase("Confidence"), 2,
        parts.map { $0?.side?.data.trust.confidence }),
      shown(
        "artefact_percent", Phrase("Artefacts %"), Phrase("Artefacts in percent"), 1,
        parts.map { $0?.side?.series.artefactFraction.map { $0 * 100 } }),
    ]
  }

  /// Of the differences; nil where the rests cannot be compared.
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

    /// What the intervals of its two inputs make of it, taken to vary on their own, and on the side where that says more:
    /// stress ends at 0, so that a calm rest may hide what an uneasy one shows.
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
