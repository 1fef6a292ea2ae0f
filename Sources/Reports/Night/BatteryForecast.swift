package import HeartRate
package import Localization
package import Platform

/// Whether the battery of a strap lasts for a night.
package struct BatteryForecast: Equatable, Sendable {
  package let level: BatteryLevel
  /// Length of the night in hours.
  package let hours: Double
  /// Percent per hour in earlier sessions, if it was observed.
  package let drain: Double?

  /// Percent per hour of a strap without observations: an optical band that lasts for 20 h.
  private static let usualDrain = 5.0

  package init(_ level: BatteryLevel, hours: Double, drain: Double?) {
    (self.level, self.hours, self.drain) = (level, hours, drain)
  }

  /// Hours until the battery is empty.
  package var hoursLeft: Double { Double(level.percent) / max(drain ?? Self.usualDrain, 0.05) }

  package var lasts: Bool { level.percent > BatteryLevel.low && hoursLeft > hours }

  /// The forecast before the strap is connected, from the last stored level.
  package static func sentence(
    _ last: (percent: Int64, time: WallTime)?, hours: Double, drain: Double?,
    _ calendar: LocalCalendar = .system
  ) -> Phrase {
    guard let last, let level = BatteryLevel(exactly: last.percent) else {
      return Phrase("The charge of the strap's battery is unknown until the strap is connected.")
    }
    let date = TrendPeriod.date(calendar.day(of: last.time))
    return Phrase("Strap on \(date): \(BatteryForecast(level, hours: hours, drain: drain).phrase).")
  }

  package var phrase: Phrase {
    let percent = "\(level.percent)"
    if lasts { return Phrase("battery \(percent) %, enough for the night") }
    if level.percent > BatteryLevel.low, drain == nil {
      return Phrase("battery \(percent) %, which may not last: replace or charge it")
    }
    return Phrase("battery \(percent) %, not enough for the night: replace or charge it")
  }
}
