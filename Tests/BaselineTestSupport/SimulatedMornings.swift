import RealModule
package import Stress
import TestSupport

/// Mornings of a simulated person: ln RMSSD varies from day to day and by the sampling error of a reading, both normally
/// distributed. Successive days have a correlation; the errors are independent.
package struct SimulatedMornings: Sendable {
  /// Standard deviation of the undisturbed ln RMSSD between days.
  package static let dailySD = 0.12
  /// Standard deviation of the error of one reading of ln RMSSD.
  package static let samplingSD = 0.13
  /// Number of mornings before the evaluated ones.
  package static let history = 14
  /// Number of evaluated undisturbed mornings.
  package static let evaluated = 60
  /// The first morning of the drop: after four weeks.
  package static let dropDay = 28

  package let series: MorningSeries
  /// The same mornings with RMSSD lower by 25 % on three days from ``dropDay`` on.
  package let disturbed: MorningSeries

  /// - Parameter correlation: of the undisturbed ln RMSSD of successive days, without the sampling error.
  package init(seed: UInt64, correlation: Double = 0) {
    var random = SeededGenerator(seed: seed)
    let innovation: Double = (1 - correlation * correlation).squareRoot()
    var day = random.normal()
    let values = (0..<Self.history + Self.evaluated).map { _ in
      defer { day = correlation * day + innovation * random.normal() }
      return 3.8 + Self.dailySD * day + Self.samplingSD * random.normal()
    }
    series = Self.series(values)
    disturbed = Self.series(
      values.enumerated().map { day, value in
        (Self.dropDay..<Self.dropDay + 3).contains(day) ? value + .log(0.75) : value
      })
  }

  private static func series(_ values: [Double]) -> MorningSeries {
    MorningSeries(
      values.enumerated().map { Morning(day: $0.offset, rmssd: .exp($0.element), heartRate: 60) })
  }

  private static let days = history..<history + evaluated

  /// Number of evaluated mornings within the normal range of their day.
  package var inside: Int {
    series.mornings(in: Self.days).count { morning in
      series.normalRange(on: morning.day)?.contains(morning.rmssd) ?? false
    }
  }

  /// Number of separate alerts (``MorningSeries/isLow(through:)``) in the undisturbed mornings.
  package var falseAlarms: Int {
    let alerts = Self.days.map { series.isLow(through: $0) ?? false }
    return zip([false] + alerts, alerts).count { !$0 && $1 }
  }

  /// Whether an alert occurs on one of the three days of the drop.
  package var detectsDrop: Bool {
    (Self.dropDay..<Self.dropDay + 3).contains { disturbed.isLow(through: $0) ?? false }
  }
}

/// The properties of the statistics over many simulated persons.
package struct MorningFigures: Sendable {
  /// Fraction of undisturbed mornings within their normal range.
  package let coverage: Double
  /// Mean number of false alarms in 60 undisturbed days.
  package let falseAlarms: Double
  /// Fraction of drops that are detected by the third day.
  package let detection: Double

  package init(seeds: ClosedRange<UInt64>, correlation: Double = 0) {
    let persons = seeds.map { SimulatedMornings(seed: $0, correlation: correlation) }
    let count = Double(persons.count)
    coverage =
      Double(persons.reduce(0) { $0 + $1.inside }) / (count * Double(SimulatedMornings.evaluated))
    falseAlarms = Double(persons.reduce(0) { $0 + $1.falseAlarms }) / count
    detection = Double(persons.count(where: \.detectsDrop)) / count
  }
}
