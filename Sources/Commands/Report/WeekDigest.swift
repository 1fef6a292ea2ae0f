import Glibc
import HRV
import HeartRate
import History
import Platform
import Stress

/// What a week was like, beside the week before it.
struct WeekDigest {
  let profile: String
  let metric: HRVMetric
  let baseline: Baseline
  /// Of `metric` at rest, in ms.
  let normal: ClosedRange<Double>?
  /// Fourteen days: the week before, and the week.
  let days: Trends
  /// The week by the hours of the clock, those that were measured.
  let hours: [HourOfDay]
  /// What was written in the week.
  let journal: [JournalEntry]
  /// What goes with stress in the 90 days up to its end: one week is too short to tell.
  let triggers: TriggerEffects

  let breathing: WeekBreathing
  private let calendar: LocalCalendar

  /// A day counts that was measured for half an hour.
  static let leastMeasurements = 180

  init(
    _ reader: HistoryReader?, of profile: String, ending lastDay: Int64, metric: HRVMetric,
    _ calendar: LocalCalendar
  ) throws {
    self.profile = profile
    self.metric = metric
    baseline = try reader?.baseline(of: profile) ?? .populationDefault
    normal = try reader?.baselineEvidence(of: profile, today: Int(lastDay))?.normalRange(metric)
    let fortnight = TrendPeriod(fromDay: lastDay - 13, toDay: lastDay, step: .day, calendar)
    days = try Trends(reader, of: profile, fortnight)
    let week = calendar.start(ofDay: lastDay - 6)..<calendar.start(ofDay: lastDay + 1)
    hours = HourOfDay.all(try reader?.quarterHours(of: profile, in: week) ?? [], calendar)
    journal = try reader?.journal(of: profile, in: week) ?? []
    breathing = try WeekBreathing(reader, of: profile, in: week, simulated: days.isSimulated)
    self.calendar = calendar
    let season = calendar.start(ofDay: lastDay - 89)..<week.upperBound
    triggers = TriggerEffects(journal: try reader?.stressEpisodes(of: profile, in: season) ?? [])
  }

  var breathingBlock: ReportDocument.Block { breathing.block(calendar) }

  var thisWeek: ArraySlice<MeasurementSums> { days.sums[7...] }
  var weekBefore: ArraySlice<MeasurementSums> { days.sums[..<7] }

  /// All that was measured in the week.
  var whole: MeasurementSums { thisWeek.reduce(into: MeasurementSums()) { $0 += $1 } }

  /// Mean of the moods from 1 to 10 that were written down. Nil without one.
  var mood: Double? {
    let ratings = journal.compactMap(\.mood?.rating)
    return ratings.isEmpty ? nil : Double(ratings.reduce(0, +)) / Double(ratings.count)
  }

  /// How `quantity` differs from the week before: of HRV by its logarithm, which is what is distributed evenly.
  func change(_ quantity: MeasurementSums.Quantity) -> WeekChange {
    func means(_ days: ArraySlice<MeasurementSums>) -> [Double] {
      days.filter { $0.usable >= Self.leastMeasurements }.compactMap { $0[quantity]?.mean }
    }
    return WeekChange(of: means(thisWeek), against: means(weekBefore), isRatio: quantity.isVariability)
  }

  /// The calmest hour of the clock and the one with most stress, where three can be compared.
  var extremeHours: (calmest: HourOfDay, mostStressed: HourOfDay)? {
    let comparable = hours.filter(\.isComparable)
    guard comparable.count >= 3, let calmest = comparable.min(by: { $0.stress < $1.stress }),
      let mostStressed = comparable.max(by: { $0.stress < $1.stress })
    else { return nil }
    return (calmest, mostStressed)
  }
}

extension MeasurementSums.Quantity {
  /// Whether it is a measure of HRV, whose logarithm is compared.
  fileprivate var isVariability: Bool {
    switch self {
    case .rmssd, .sdnn, .unpacedRMSSD, .unpacedSDNN: true
    case .stress, .heartRate: false
    }
  }
}

/// One hour of the clock over several days.
struct HourOfDay {
  /// 0 to 23.
  let hour: Int
  let sums: MeasurementSums
  /// On how many days something was measured in it.
  let days: Int
  /// Mean, 0 to 100.
  let stress: Double

  /// Measured for half an hour in all, on three days or more.
  var isComparable: Bool { days >= 3 && sums.usable >= WeekDigest.leastMeasurements }

  static func all(_ quarters: [QuarterHour], _ calendar: LocalCalendar) -> [HourOfDay] {
    var hours: [Int: (sums: MeasurementSums, days: Set<Int64>)] = [:]
    for quarter in quarters where quarter.sums.usable > 0 {
      guard let hour = Int(calendar.clockText(quarter.start).prefix(2)) else { continue }
      hours[hour, default: (MeasurementSums(), [])].sums += quarter.sums
      hours[hour]?.days.insert(calendar.day(of: quarter.start))
    }
    return hours.compactMap { hour, found in
      found.sums[.stress].map {
        HourOfDay(hour: hour, sums: found.sums, days: found.days.count, stress: $0.mean)
      }
    }.sorted { $0.hour < $1.hour }
  }
}

/// The daily means of one week against those of another (Welch 1947): each day counts once, because the measurements
/// of one day are no more independent of one another than the weather of its hours.
struct WeekChange {
  /// Mean of the daily means; of a ratio their geometric mean. Absent without a day.
  let now: Double?
  let before: Double?
  let daysNow: Int
  let daysBefore: Int
  /// Difference, or ratio, and its 95 % interval. Absent with fewer than three days in either week.
  let change: Double?
  let interval: ClosedRange<Double>?
  let isRatio: Bool

  static let fewestDays = 3

  init(of now: [Double], against before: [Double], isRatio: Bool) {
    self.isRatio = isRatio
    func scale(_ value: Double) -> Double { isRatio ? log(max(value, .leastNormalMagnitude)) : value }
    func back(_ value: Double) -> Double { isRatio ? exp(value) : value }
    let new = Spread(now.map(scale))
    let old = Spread(before.map(scale))
    self.now = new.map { back($0.mean) }
    self.before = old.map { back($0.mean) }
    (daysNow, daysBefore) = (now.count, before.count)
    guard let new, let old, let a = new.deviation, let b = old.deviation,
      min(now.count, before.count) >= Self.fewestDays
    else {
      (change, interval) = (nil, nil)
      return
    }
    let (n, m) = (Double(now.count), Double(before.count))
    let (va, vb): (Double, Double) = (a * a / n, b * b / m)
    let (sum, spread): (Double, Double) = (va + vb, va * va / (n - 1) + vb * vb / (m - 1))
    let freedom: Double = sum * sum / spread
    let quantile = StudentT.quantile95(degreesOfFreedom: freedom.isFinite ? max(2, freedom) : n + m - 2)
    let half = quantile * sum.squareRoot()
    let difference = new.mean - old.mean
    change = back(difference)
    interval = back(difference - half)...back(difference + half)
  }

  /// Whether more changed than days differ anyway; nil where that cannot be said.
  var isChanged: Bool? { interval.map { !$0.contains(isRatio ? 1 : 0) } }
}
