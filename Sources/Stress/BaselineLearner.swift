import RealModule

/// Learns a person's baseline from their resting windows, day by day.
///
/// - **A day** is the median of its resting windows: of ln RMSSD, ln SDNN and heart rate. Windows count whose heart rate
///   is within a tenth of the day's low (its 20th percentile): what lies above was sitting upright, talking, walking.
///   A day whose heart rate is a fifth above that of the middle day had no rest in it, and is left out.
/// - **The baseline** is the interquartile mean of the last 30 days with rest in them, none older than 90 days before
///   the newest, back from ln to ms.
/// - **Before 30 days** it is blended with the prior: n days weigh n / 30.
///
/// One wild day among n >= 5 moves ln RMSSD by no more than 2 / n of the range of the other days, see docs/baseline.md.
///
/// Equal windows give an equal baseline, in whatever order they come.
public struct BaselineLearner: Sendable {
  private var days: [Int: [RestingWindow]] = [:]

  /// How many days with rest in them count: 30.
  public static let daysKept = Int(Baseline.matureDays)
  static let oldest = 90

  public init() {}

  /// Takes a resting window of the local day `day`, counted in days from any day on.
  public mutating func append(_ window: RestingWindow, day: Int) { days[day, default: []].append(window) }

  /// What was learned; nil without a day of rest.
  public var evidence: BaselineEvidence? {
    let summaries = Self.atRest(days.compactMap { DaySummary(day: $0.key, windows: $0.value) })
    guard let newest = summaries.map(\.day).max() else { return nil }
    let recent = summaries.filter { $0.day > newest - Self.oldest }.sorted { $0.day > $1.day }
    return BaselineEvidence(Array(recent.prefix(Self.daysKept)))
  }

  /// The baseline to measure against: what was learned, blended with the prior; the prior without a day.
  public var baseline: Baseline { evidence?.blended ?? .prior }

  private static func atRest(_ days: [DaySummary]) -> [DaySummary] {
    guard let usual = median(days.map(\.heartRate)) else { return [] }
    return days.filter { $0.heartRate <= 1.2 * usual }
  }
}

/// One day of rest.
struct DaySummary: Equatable, Sendable {
  var day: Int
  var windows: Int
  var lnRMSSD: Double
  var lnSDNN: Double
  /// In bpm.
  var heartRate: Double

  /// Nil without a window.
  init?(day: Int, windows all: [RestingWindow]) {
    let rates = all.map(\.heartRate).sorted()
    guard !rates.isEmpty else { return nil }
    let low = rates[rates.count / 5]
    let resting = all.filter { $0.heartRate <= 1.1 * low }
    guard let lnRMSSD = median(resting.map { Double.log($0.rmssd) }),
      let lnSDNN = median(resting.map { Double.log($0.sdnn) }),
      let heartRate = median(resting.map(\.heartRate))
    else { return nil }
    self.day = day
    windows = resting.count
    self.lnRMSSD = lnRMSSD
    self.lnSDNN = lnSDNN
    self.heartRate = heartRate
  }
}

/// What a baseline was learned from, and what it would be without the prior.
public struct BaselineEvidence: Equatable, Sendable {
  /// Days with rest in them, up to 30.
  public let days: Int
  /// Resting minutes in those days.
  public let windows: Int
  /// The newest and the oldest of the days, counted as they were given.
  public let span: ClosedRange<Int>
  /// The person's own RMSSD in ms, and its normal range: a standard deviation of the daily ln RMSSD to either side.
  public let rmssd: UsualValue
  /// The same of SDNN, in ms.
  public let sdnn: UsualValue
  /// The person's own resting heart rate in bpm.
  public let restingHeartRate: Double

  init?(_ days: [DaySummary]) {
    guard let first = days.map(\.day).min(), let last = days.map(\.day).max() else { return nil }
    self.days = days.count
    windows = days.reduce(0) { $0 + $1.windows }
    span = first...last
    rmssd = UsualValue(logarithms: days.map(\.lnRMSSD))
    sdnn = UsualValue(logarithms: days.map(\.lnSDNN))
    restingHeartRate = interquartileMean(days.map(\.heartRate))
  }

  /// How much of it is the person's own: days / 30.
  public var maturity: Double { min(1, Double(days) / Baseline.matureDays) }

  /// Blended with the prior by ``maturity``.
  public var blended: Baseline {
    let prior = Baseline.prior
    func blend(_ own: Double, _ prior: Double) -> Double { prior + maturity * (own - prior) }
    return Baseline(
      rmssd: blend(rmssd.value, prior.rmssd), sdnn: blend(sdnn.value, prior.sdnn),
      restingHeartRate: blend(restingHeartRate, prior.restingHeartRate), days: Double(days), origin: .learned)
  }
}

/// A value that is normal for a person, and the range within which it usually lies.
public struct UsualValue: Equatable, Sendable {
  /// In the unit of what it is of: ms, or bpm.
  public let value: Double
  /// Absent below five days.
  public let normalRange: ClosedRange<Double>?

  /// From one logarithm for each day. The standard deviation is 1.4826 times the median distance from the middle, which is
  /// the usual one for days that are normally distributed, and which a wild day does not widen.
  init(logarithms: [Double]) {
    let mean = interquartileMean(logarithms)
    value = Double.exp(mean)
    guard logarithms.count >= 5, let middle = median(logarithms),
      let distance = median(logarithms.map { abs($0 - middle) })
    else {
      normalRange = nil
      return
    }
    let deviation = 1.4826 * distance
    normalRange = Double.exp(mean - deviation)...Double.exp(mean + deviation)
  }
}

/// The middle of `values`, or the mean of both middle ones. Nil without any.
private func median(_ values: [Double]) -> Double? {
  guard !values.isEmpty else { return nil }
  let sorted = values.sorted()
  let half = sorted.count / 2
  return sorted.count.isMultiple(of: 2) ? (sorted[half - 1] + sorted[half]) / 2 : sorted[half]
}

/// The mean of the middle half of `values`; one that lies across its edge counts by the part inside. From three values
/// on the highest and the lowest are left out whole.
private func interquartileMean(_ values: [Double]) -> Double {
  let count = Double(values.count)
  let left = count < 3 ? 0 : max(1, count / 4)
  var sum = 0.0
  for (rank, value) in values.sorted().enumerated() {
    let part = min(Double(rank + 1), count - left) - max(Double(rank), left)
    sum += max(0, part) * value
  }
  return sum / (count - 2 * left)
}
