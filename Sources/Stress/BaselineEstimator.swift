import HRV
import RealModule

/// Estimates a person's baseline from resting windows, grouped by day.
///
/// - **Day**: the median of ln RMSSD, ln SDNN and heart rate over its resting windows. Only windows with a
///   heart rate within 10 % of the day's 20th percentile count; a higher heart rate indicates activity. A day
///   whose heart rate exceeds the median day by 20 % contained no rest and is ignored.
/// - **Nights**: the minutes of a night (``NightRest``) count only for a person without waking rest.
/// - **Baseline**: the interquartile mean of the last 30 days with rest, at most 90 days before the newest,
///   converted back from ln to ms.
/// - **Blend**: a weighted mean with the population default (``BlendVariances``), in ln for RMSSD and SDNN.
///
/// With n >= 5 days, one outlier changes ln RMSSD by at most 2 / n of the range of the other days, see
/// docs/design/baseline.md.
///
/// The result does not depend on the order of the windows.
package struct BaselineEstimator: Sendable {
  private var waking: [Int: [RestingWindow]] = [:]
  private var nights: [Int: [RestingWindow]] = [:]

  /// Maximum number of days with rest in the estimate: 30.
  package static let daysKept = Int(Baseline.matureDays)
  static let oldest = 90

  package init() {}

  /// Appends a resting window of the local day `day`, counted from an arbitrary epoch.
  package mutating func append(_ window: RestingWindow, day: Int, isNight: Bool = false) {
    if isNight {
      nights[day, default: []].append(window)
    } else {
      waking[day, default: []].append(window)
    }
  }

  /// The estimate without the blend. Requires a day of rest.
  package var evidence: BaselineEvidence? { Self.evidence(waking) ?? Self.evidence(nights) }

  private static func evidence(_ days: [Int: [RestingWindow]]) -> BaselineEvidence? {
    let summaries = atRest(days.compactMap { DaySummary(day: $0.key, windows: $0.value) })
    guard let newest = summaries.map(\.day).max() else { return nil }
    let recent = summaries.filter { $0.day > newest - oldest }.sorted { $0.day > $1.day }
    return BaselineEvidence(Array(recent.prefix(daysKept)))
  }

  /// The estimate, blended with the population default; the population default without a day of rest.
  package var baseline: Baseline { evidence?.blended ?? .populationDefault }

  private static func atRest(_ days: [DaySummary]) -> [DaySummary] {
    guard let usual = days.map(\.heartRate).median else { return [] }
    return days.filter { $0.heartRate <= 1.2 * usual }
  }
}

/// The summary of one day of rest.
struct DaySummary: Equatable, Sendable {
  var day: Int
  var windows: Int
  var lnRMSSD: LogarithmOfDay
  var lnSDNN: LogarithmOfDay
  /// Heart rate in bpm.
  var heartRate: Double

  /// Summarises a day. Requires a window.
  init?(day: Int, windows all: [RestingWindow]) {
    let rates = all.map(\.heartRate).sorted()
    guard !rates.isEmpty else { return nil }
    let low = rates[rates.count / 5]
    let resting = all.filter { $0.heartRate <= 1.1 * low }
    guard let lnRMSSD = LogarithmOfDay(resting.map(\.rmssd)),
      let lnSDNN = LogarithmOfDay(resting.map(\.sdnn)),
      let heartRate = resting.map(\.heartRate).median
    else { return nil }
    self.day = day
    windows = resting.count
    self.lnRMSSD = lnRMSSD
    self.lnSDNN = lnSDNN
    self.heartRate = heartRate
  }
}

/// The logarithm of a metric on one day of rest.
struct LogarithmOfDay: Equatable, Sendable {
  /// Median of the logarithms of the resting minutes.
  let median: Double
  /// Their mean. The spread of days that ``ReadingSpread`` splits is that of means.
  let mean: Double
  /// The spread of the minutes.
  let spread: ReadingSpread.Day

  /// Nil for an empty list.
  /// - Parameter values: in ms, one for each resting minute.
  init?(_ values: [Double]) {
    // Sorted: the sums do not depend on the order of the minutes.
    let logarithms = values.map { Double.log($0) }.sorted()
    guard let median = logarithms.median else { return nil }
    self.median = median
    let mean = logarithms.reduce(0, +) / Double(logarithms.count)
    self.mean = mean
    spread = ReadingSpread.Day(
      readings: logarithms.count, squares: logarithms.reduce(0) { $0 + ($1 - mean) * ($1 - mean) })
  }
}

/// The person's own estimate, before it is blended with the population default.
package struct BaselineEvidence: Equatable, Sendable {
  /// Number of days with rest, up to 30.
  package let days: Int
  /// Number of resting minutes in these days.
  package let windows: Int
  /// The oldest and the newest of the days, with the same epoch as the input.
  package let span: ClosedRange<Int>
  /// The person's own RMSSD in ms, with the normal range of a minute at rest.
  package let rmssd: UsualValue
  /// The person's own SDNN in ms, with its normal range.
  package let sdnn: UsualValue
  /// The person's own resting heart rate in bpm.
  package let restingHeartRate: Double
  /// RMSSD of each of the days.
  package let daily: [DailyRMSSD]

  init?(_ days: [DaySummary]) {
    guard let first = days.map(\.day).min(), let last = days.map(\.day).max() else { return nil }
    self.days = days.count
    windows = days.reduce(0) { $0 + $1.windows }
    span = first...last
    rmssd = UsualValue(days.map(\.lnRMSSD), .rest(.rmssd))
    sdnn = UsualValue(days.map(\.lnSDNN), .rest(.sdnn))
    restingHeartRate = interquartileMean(days.map(\.heartRate))
    daily = days.map { DailyRMSSD(day: $0.day, rmssd: Double.exp($0.lnRMSSD.median)) }
  }

  /// Progress of the estimate, 0 to 1: days / 30.
  package var maturity: Double { blended.maturity }

  /// The baseline: the own values, blended with the population default (``BlendVariances``).
  package var blended: Baseline {
    let prior = Baseline.populationDefault
    return Baseline(
      rmssd: .exp(blend(.log(rmssd.value), .log(prior.rmssd), .rmssd)),
      sdnn: .exp(blend(.log(sdnn.value), .log(prior.sdnn), .sdnn)),
      restingHeartRate: blend(restingHeartRate, prior.restingHeartRate, .heartRate),
      days: Double(days), origin: .learned, weight: BlendVariances.rmssd.weight(days: days, minutes: windows))
  }

  private func blend(_ own: Double, _ prior: Double, _ variances: BlendVariances) -> Double {
    prior + variances.weight(days: days, minutes: windows) * (own - prior)
  }
}

/// A person's usual value and its normal range.
package struct UsualValue: Equatable, Sendable {
  /// The usual value in ms.
  package let value: Double
  /// The range that contains a further minute at rest in 9 of 10 cases, in ms. Requires five days.
  package let normalRange: ClosedRange<Double>?

  init(_ days: [LogarithmOfDay], _ spread: ReadingSpread) {
    value = Double.exp(interquartileMean(days.map(\.median)))
    normalRange = Self.prediction(days, spread).map { Double.exp($0.lowerBound)...Double.exp($0.upperBound) }
  }

  /// Days that differ much from the others are excluded, as among the mornings.
  private static func prediction(_ days: [LogarithmOfDay], _ spread: ReadingSpread) -> ClosedRange<Double>? {
    let limits = MorningReference.limits(of: days.map(\.mean))
    let kept = days.filter { limits?.contains($0.mean) ?? true }
    guard let reference = MorningReference(kept: kept.map(\.mean)) else { return nil }
    let variance = reference.deviation * reference.deviation
    return spread.interval(mean: reference.mean, variance: variance, days: kept.map(\.spread))
  }
}

/// Returns the mean of the middle half of `values`; values on its boundary count fractionally. From four
/// values, the minimum and the maximum are excluded. The mean of three values is more accurate than their median.
private func interquartileMean(_ values: [Double]) -> Double {
  let count = Double(values.count)
  let left = count < 4 ? 0 : max(1, count / 4)
  var sum = 0.0
  for (rank, value) in values.sorted().enumerated() {
    let part = min(Double(rank + 1), count - left) - max(Double(rank), left)
    sum += max(0, part) * value
  }
  return sum / (count - 2 * left)
}
