package import History
package import Platform

/// The measurements of one hour of the clock over several days.
package struct HourOfDay: Sendable {
  /// 0 to 23.
  package let hour: Int
  package let sums: MeasurementSums
  /// Number of days with usable measurements in this hour.
  package let days: Int
  /// Mean stress, 0 to 100.
  package let stress: Double

  /// Whether there are measurements of half an hour in total, on at least three days.
  package var isComparable: Bool { days >= 3 && sums.usable >= WeekReport.leastMeasurements }

  /// The hours with usable measurements, by hour.
  package static func all(_ quarters: [QuarterHour], _ calendar: LocalCalendar) -> [HourOfDay] {
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
