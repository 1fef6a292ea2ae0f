package import HeartRate
package import History
import Localization
package import Stress

/// The measurements and moods of a period, summed by part.
package struct Trends: Sendable {
  package let period: TrendPeriod
  /// One element per part of the period.
  package let sums: [MeasurementSums]
  package let whole: MeasurementSums
  /// The moods (1 to 10) of the journal, one element per part.
  package let moods: [[Int]]
  /// The number of quarters of an hour with usable measurements, one element per part.
  package let quarters: [Int]
  /// The seconds of each class of movement, one element per part.
  package let motion: [MotionSeconds]
  /// The minutes of clear exertion by the heart rate, one element per part; empty for more than 92 days, and with acceleration.
  package let exertion: [Int]
  /// Whether the measurements are of the simulated strap.
  package let isSimulated: Bool

  package init(_ reader: HistoryReader?, of profile: String, _ period: TrendPeriod) throws(HistoryError) {
    let quarters = try reader?.quarterHours(of: profile, in: period.times) ?? []
    let isSimulated = quarters.first?.isSimulated ?? false
    let motion = try reader?.motion(of: profile, in: period.times, simulated: isSimulated) ?? []
    let hasExertion =
      motion.isEmpty && period.times.upperBound.seconds(since: period.times.lowerBound) < 93 * 86_400
    self.init(
      period, quarters, journal: try reader?.journal(of: profile, in: period.times) ?? [], motion: motion,
      exertion: hasExertion
        ? try reader?.exertion(of: profile, in: period.times, simulated: isSimulated) ?? [] : [])
  }

  /// - Parameter quarters: the quarters of an hour of the period, by time.
  package init(
    _ period: TrendPeriod, _ quarters: [QuarterHour], journal: [JournalEntry],
    motion minutes: [MotionMinute] = [], exertion: [WallTime] = []
  ) {
    self.period = period
    isSimulated = quarters.first?.isSimulated ?? false
    moods = period.parts.map { part in
      journal.filter { part.times.contains($0.time) }.compactMap(\.mood?.rating)
    }
    var rest = quarters[...]
    let parts = period.parts.map { part in
      let own = rest.prefix { $0.start < part.times.upperBound }
      rest = rest.dropFirst(own.count)
      return own
    }
    sums = parts.map { $0.reduce(into: MeasurementSums()) { $0 += $1.sums } }
    self.quarters = parts.map { $0.count { $0.sums.usable > 0 } }
    var remaining = minutes[...]
    motion = period.parts.map { part in
      var seconds = MotionSeconds()
      while let first = remaining.first, first.start < part.times.upperBound {
        seconds += first.seconds
        remaining.removeFirst()
      }
      return seconds
    }
    self.exertion =
      exertion.isEmpty ? [] : period.parts.map { part in exertion.count(where: part.times.contains) }
    whole = sums.reduce(into: MeasurementSums()) { $0 += $1 }
  }
}

extension Trends {
  /// Whether a part has enough measurements to be compared with others.
  package func isComparable(_ part: Int) -> Bool {
    MeasurementSums.suffice(usable: sums[part].usable, quarters: quarters[part])
  }

  /// Minutes of movement in a part: by acceleration, otherwise by the heart rate of exertion. Unknown without both.
  package func movement(_ part: Int) -> Double? {
    let seconds = motion[part]
    guard seconds.all == 0 else { return Double(seconds.all - seconds.still) / 60 }
    return exertion.isEmpty || sums[part].measurements == 0 ? nil : Double(exertion[part])
  }

  /// Hours in which movement is known.
  package func movementHours(_ part: Int) -> Double {
    motion[part].all > 0 ? Double(motion[part].all) / 3600 : Double(quarters[part]) / 4
  }

  /// The seconds of each class of movement of the whole period.
  package var wholeMotion: MotionSeconds { motion.reduce(into: MotionSeconds()) { $0 += $1 } }
}

extension MeasurementSums {
  /// Whether measurements represent a day or an hour of several days: half an hour of them (180), or readings in eight
  /// quarters of an hour, because a reading of the service represents the time until the next one.
  static func suffice(usable: Int, quarters: Int) -> Bool { usable >= 180 || quarters >= 8 }

  /// Percentage of the usable stress values in `category`.
  package func percent(_ category: StressCategory) -> Double? {
    usable > 0 ? 100 * Double(self[category]) / Double(usable) : nil
  }

  /// The category of most usable stress values, with its part in whole percent; the calmer one of two equal ones.
  package var mainCategory: (category: StressCategory, percent: Int)? {
    let categories = StressCategory.allCases
    guard let percents = wholePercents(of: categories.map { Double(self[$0]) }) else { return nil }
    let most = categories.indices.max {
      percents[$0] < percents[$1] || (percents[$0] == percents[$1] && $0 > $1)
    }
    return most.map { (categories[$0], percents[$0]) }
  }

  /// Mean stress in whole numbers.
  package var stressMean: String { self[.stress].map { $0.mean.fixed(0) } ?? "-" }

  /// ``percent(_:)`` in whole percent, as text; the categories add up to 100. "-" without usable values.
  package func percentText(_ category: StressCategory) -> String {
    let categories = StressCategory.allCases
    guard let place = categories.firstIndex(of: category),
      let percents = wholePercents(of: categories.map { Double(self[$0]) })
    else { return "-" }
    return "\(percents[place]) %"
  }
}

extension HRVMetric {
  /// The quantity of the metric in sums.
  package var quantity: MeasurementSums.Quantity {
    switch self {
    case .rmssd: .rmssd
    case .sdnn: .sdnn
    }
  }

  /// The quantity without paced breathing, which is compared with the normal range at rest.
  package var unpacedQuantity: MeasurementSums.Quantity {
    switch self {
    case .rmssd: .unpacedRMSSD
    case .sdnn: .unpacedSDNN
    }
  }
}

extension [Int] {
  /// Undefined for an empty array.
  package var mean: Double? { isEmpty ? nil : Double(reduce(0, +)) / Double(count) }
}

extension WallTime {
  /// Whole seconds from `other` to this time, rounded down.
  package func seconds(since other: WallTime) -> Int64 {
    let (difference, tooFar) = microseconds.subtractingReportingOverflow(other.microseconds)
    if tooFar { return microseconds < other.microseconds ? .min : .max }
    return difference / 1_000_000 - (difference % 1_000_000 < 0 ? 1 : 0)
  }

  package func moved(seconds: Int64) -> WallTime { advanced(ticks: seconds * RRInterval.ticksPerSecond) }
}
