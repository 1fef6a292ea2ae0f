import HeartRate
package import History
import JSONLines
package import Platform
package import Stress

/// The measurements, the journal and the exercises of a period of days, usually a week, with as many days before it.
package struct PeriodReport {
  package let profile: String
  /// Whether the history contains other profiles, so that the person is named.
  package let isNamed: Bool
  /// The number of days.
  package let length: Int
  package let metric: HRVMetric
  package let baseline: Baseline
  /// Normal range of `metric` at rest, in ms.
  package let normal: ClosedRange<Double>?
  /// Normal range of RMSSD at rest on the last day, if there are enough data.
  package let normalRange: NormalRange?
  /// The days before the period, followed by its own days.
  package let days: Trends
  /// The period by hours of the clock; hours without measurements are missing.
  package let hours: [HourOfDay]
  /// The journal entries of the period.
  package let journal: [JournalEntry]
  /// The effects of triggers in the 90 days up to the end of the period, because one week has too few entries.
  package let triggers: TriggerEffects
  /// The exercises of the period, the oldest first; simulated ones only if the measurements are simulated.
  package let exercises: [StoredBreathing]
  /// The morning readings of all days of ``days``.
  package let mornings: MorningTrend
  package let nights: NightTrend
  package let calendar: LocalCalendar

  /// - Parameters:
  ///   - lastDay: in days since 1970-01-01.
  ///   - length: the number of days.
  package init(
    _ reader: HistoryReader?, of profile: String, ending lastDay: Int64, length: Int = 7, metric: HRVMetric,
    _ calendar: LocalCalendar
  ) throws {
    (self.profile, self.length) = (profile, length)
    isNamed = try reader?.hasSeveralProfiles() ?? false
    self.metric = metric
    baseline = try reader?.baseline(of: profile) ?? .populationDefault
    normal = try reader?.restingRange(of: profile, metric, on: Int(lastDay))
    normalRange = try reader?.restingRange(of: profile, on: Int(lastDay))
    let span = Int64(length)
    days = try Trends(
      reader, of: profile, TrendPeriod(fromDay: lastDay - 2 * span + 1, toDay: lastDay, step: .day, calendar))
    let times = calendar.start(ofDay: lastDay - span + 1)..<calendar.start(ofDay: lastDay + 1)
    hours = HourOfDay.all(try reader?.quarterHours(of: profile, in: times) ?? [], calendar)
    journal = try reader?.journal(of: profile, in: times) ?? []
    exercises = try Self.exercises(reader, of: profile, in: times, simulated: days.isSimulated)
    mornings = try MorningTrend(reader, of: profile, last: 2 * length, until: Int(lastDay))
    nights = try NightTrend(reader, of: profile, last: 2 * length, until: Int(lastDay))
    self.calendar = calendar
    let season = calendar.start(ofDay: lastDay - 89)..<times.upperBound
    triggers = TriggerEffects(journal: try reader?.stressEpisodes(of: profile, in: season) ?? [])
  }

  private static func exercises(
    _ reader: HistoryReader?, of profile: String, in times: Range<WallTime>, simulated: Bool
  ) throws -> [StoredBreathing] {
    let latest =
      try reader?.breathingExercises(of: profile, matching: HistoryFilter(times: times), limit: .max) ?? []
    return try latest.reversed().filter { exercise in
      (try reader?.info(of: exercise.session)?.source == .simulated) == simulated
    }
  }

  /// The days of the period.
  package var parts: [TrendPeriod.Part] { Array(days.period.parts[length...]) }

  package var sums: ArraySlice<MeasurementSums> { days.sums[length...] }

  /// The sum of the period.
  package var whole: MeasurementSums { sums.reduce(into: MeasurementSums()) { $0 += $1 } }

  /// Mean of the moods (1 to 10), if entries have any.
  package var mood: Double? { journal.compactMap(\.mood?.rating).mean }

  /// The change of `quantity` from the days before; of HRV the ratio, because the logarithm of HRV is about normally
  /// distributed.
  package func change(_ quantity: MeasurementSums.Quantity) -> PeriodChange {
    func means(_ places: Range<Int>) -> [Double] {
      places.filter(days.isComparable).compactMap { days.sums[$0][quantity]?.mean }
    }
    return PeriodChange(
      of: means(length..<2 * length), against: means(0..<length), isRatio: quantity.isVariability)
  }

  /// The number of days of the period with enough measurements for a comparison.
  package var comparableDays: Int { (length..<2 * length).count(where: days.isComparable) }

  /// The hours of the clock with the lowest and the highest stress. At least three hours must be comparable.
  package var extremeHours: (calmest: HourOfDay, mostStressed: HourOfDay)? {
    let comparable = hours.filter(\.isComparable)
    guard comparable.count >= 3, let calmest = comparable.min(by: { $0.stress < $1.stress }),
      let mostStressed = comparable.max(by: { $0.stress < $1.stress })
    else { return nil }
    return (calmest, mostStressed)
  }
}

extension MeasurementSums.Quantity {
  /// Whether the quantity is a metric of HRV.
  fileprivate var isVariability: Bool {
    switch self {
    case .rmssd, .sdnn, .unpacedRMSSD, .unpacedSDNN: true
    case .stress, .heartRate: false
    }
  }
}

extension PeriodReport {
  /// The morning readings of the period in the posture of the latest one. One reading a day suffices for the changes.
  package var ownMornings: [MorningTrend.Day] { mornings.shown(in: ownDays) }

  /// The nights of the period.
  package var ownNights: [NightTrend.Day] { nights.shown(in: ownDays) }

  /// A day of a reading, which may have been taken in another time zone: `Mon 2026-11-16`.
  /// - Parameter day: in days since 1970-01-01.
  package func dayText(_ day: Int) -> String { calendar.dayText(calendar.start(ofDay: Int64(day))) }

  private var ownDays: Range<Int> { mornings.days.upperBound - length..<mornings.days.upperBound }

  /// Whether the changes of HRV and heart rate are those of the morning readings.
  package var isBasedOnMornings: Bool { ownMornings.count >= PeriodChange.fewestDays }

  /// The ratio of RMSSD of the mornings to that of the days before.
  package var morningRMSSD: PeriodChange { change(\.rmssd, isRatio: true) }

  /// The difference of the heart rate of the mornings from that of the days before, in bpm.
  package var morningHeartRate: PeriodChange { change(\.heartRate, isRatio: false) }

  private func change(_ value: (StoredMorning) -> Double?, isRatio: Bool) -> PeriodChange {
    let before = mornings.shown(in: mornings.days.lowerBound..<ownDays.lowerBound)
    return PeriodChange(
      of: ownMornings.compactMap { value($0.reading) }, against: before.compactMap { value($0.reading) },
      isRatio: isRatio)
  }
}

/// The measurements of one hour of the clock over several days.
package struct HourOfDay: Sendable {
  /// 0 to 23.
  package let hour: Int
  package let sums: MeasurementSums
  /// Number of days with usable measurements in this hour.
  package let days: Int
  /// Number of quarters of an hour with usable measurements, of all days.
  package let quarters: Int
  /// Mean stress, 0 to 100.
  package let stress: Double

  /// Whether there are enough measurements in total, on at least three days.
  package var isComparable: Bool {
    days >= 3 && MeasurementSums.suffice(usable: sums.usable, quarters: quarters)
  }

  /// The hours with usable measurements, by hour.
  package static func all(_ quarters: [QuarterHour], _ calendar: LocalCalendar) -> [HourOfDay] {
    var hours: [Int: (sums: MeasurementSums, days: Set<Int64>, quarters: Int)] = [:]
    for quarter in quarters where quarter.sums.usable > 0 {
      guard let hour = Int(calendar.clockText(quarter.start).prefix(2)) else { continue }
      hours[hour, default: (MeasurementSums(), [], 0)].sums += quarter.sums
      hours[hour]?.quarters += 1
      hours[hour]?.days.insert(calendar.day(of: quarter.start))
    }
    return hours.compactMap { hour, found in
      found.sums[.stress].map {
        HourOfDay(
          hour: hour, sums: found.sums, days: found.days.count, quarters: found.quarters, stress: $0.mean)
      }
    }.sorted { $0.hour < $1.hour }
  }
}

extension PeriodReport {
  /// One object.
  package var json: [UInt8] {
    var line = JSONLine()
    line.line { line in
      line.put("profile", profile)
      line.put("from", parts.first?.times.lowerBound.rfc3339)
      line.put("to", parts.last?.times.upperBound.rfc3339)
      line.put("simulated", days.isSimulated)
      line.put(counts: whole)
      line.put("hrv_metric", metric.rawValue)
      for (metric, quantity) in [
        (.stress, .stress), (.hrv, metric.quantity), (.unpacedHRV, metric.unpacedQuantity),
        (.heartRate, .heartRate),
      ] as [(MetricDefinition, MeasurementSums.Quantity)] { put(metric.key, change(quantity), into: &line) }
      line.put("mornings", ownMornings.count)
      line.put("nights", ownNights.count)
      put("morning_\(MetricDefinition.rmssd.key)", morningRMSSD, into: &line)
      put("morning_\(MetricDefinition.heartRate.key)", morningHeartRate, into: &line)
      let latest = ownMornings.last?.assessment
      line.put(normal: latest?.normal ?? normalRange, rmssd: latest?.rmssd)
      line.put("journal_entries", journal.count)
      line.put("mood_mean", mood)
      line.put("triggers", objects: triggers.effects.filter(\.isBeyondChance)) { line, effect in
        line.put("trigger", effect.trigger)
        line.put("stress_difference", effect.difference)
        line.put("low", effect.low)
        line.put("high", effect.high)
      }
      line.put("breathing", objects: exercises) { line, exercise in
        line.put("session", exercise.session.text)
        line.put("time", exercise.time.rfc3339)
        line.put("pattern", exercise.pattern)
        line.put("changed", exercise.changed.isChange)
        line.put(ratio: exercise.ratio.map { ($0.value, $0.low, $0.high) })
      }
      put("calmest_hour", extremeHours?.calmest, into: &line)
      put("most_stressed_hour", extremeHours?.mostStressed, into: &line)
    }
    return line.bytes
  }

  private func put(_ key: String, _ change: PeriodChange, into line: inout JSONLine) {
    line.put(key) { line in
      line.put("this_week", change.now)
      line.put("week_before", change.before)
      line.put("days", change.daysNow)
      line.put("days_before", change.daysBefore)
      line.put(change.isRatio ? "ratio" : "difference", change.change)
      line.put("low", change.interval?.lowerBound)
      line.put("high", change.interval?.upperBound)
      line.put("changed", change.isChanged)
    }
  }

  private func put(_ key: String, _ hour: HourOfDay?, into line: inout JSONLine) {
    guard let hour else { return line.put(key, nil as String?) }
    line.put(key) { line in
      line.put("hour", hour.hour)
      line.put(MetricDefinition.stress.key(of: "mean"), hour.stress)
      line.put("days", hour.days)
    }
  }
}
