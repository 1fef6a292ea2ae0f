package import History
import JSONLines
package import Localization
package import Platform
package import Stress

/// The associations of movement, the length of the night and RMSSD of the night with the stress of the day after them.
///
/// Each factor divides the days at its median. The test is that of triggers (``TriggerEffects``), for all factors together. Stress of a
/// day resembles that of the day before, and weekends differ from other days, so the test uses what remains of stress without both
/// (docs/design/journal-insights.md).
package struct DayEffects: Equatable, Sendable {
  package enum Factor: String, CaseIterable, Sendable {
    /// Minutes of movement per hour of the day before.
    case movement
    /// Length of the night in s.
    case sleep
    /// RMSSD of the night in ms.
    case nightRMSSD = "night_rmssd"
  }

  /// A local day with its stress and the factors that precede it.
  package struct Day: Equatable, Sendable {
    /// In days since 1970-01-01.
    package var number: Int
    package var stress: Double
    package var factors: [Factor: Double]

    package init(number: Int, stress: Double, factors: [Factor: Double]) {
      (self.number, self.stress, self.factors) = (number, stress, factors)
    }
  }

  package let profile: String
  package let effects: TriggerEffects
  /// The median of each factor.
  package let medians: [Factor: Double]

  /// Days that are tested.
  private static let testedDays = 90
  /// Fewest hours of a day in which movement is known.
  private static let fewestHours = 2.0

  /// Tests the 90 days that end with `last`, in days since 1970-01-01.
  package init(
    _ reader: HistoryReader?, of profile: String, ending last: Int, _ calendar: LocalCalendar
  ) throws(HistoryError) {
    let first = last - Self.testedDays + 1
    let period = TrendPeriod(fromDay: Int64(first - 1), toDay: Int64(last), step: .day, calendar)
    let trends = try Trends(reader, of: profile, period)
    let nights = Dictionary(
      try reader?.countedNights(of: profile, in: first..<last + 1).map { ($0.day, $0) } ?? [],
      uniquingKeysWith: { first, _ in first })
    let days = (1...Self.testedDays).compactMap { part -> Day? in
      guard trends.isComparable(part), let stress = trends.sums[part][.stress]?.mean else { return nil }
      let number = first + part - 1
      var factors: [Factor: Double] = [:]
      let hours = trends.movementHours(part - 1)
      if hours >= Self.fewestHours { factors[.movement] = trends.movement(part - 1).map { $0 / hours } }
      factors[.sleep] = nights[number]?.seconds
      factors[.nightRMSSD] = nights[number]?.rmssd
      return Day(number: number, stress: stress, factors: factors)
    }
    var generator = SplitMix64(seed: 1, stream: 0)
    self.init(days, of: profile, using: &generator)
  }

  /// - Parameter days: in ascending order.
  package init(
    _ days: [Day], of profile: String, shuffles: Int = TriggerEffects.usualShuffles,
    using generator: inout some RandomNumberGenerator
  ) {
    let medians = Dictionary(
      uniqueKeysWithValues: Factor.allCases.compactMap { factor in
        let values = days.compactMap { $0.factors[factor] }.sorted()
        return values.isEmpty ? nil : (factor, values[values.count / 2])
      })
    let episodes = zip(days, Self.residuals(days)).map { day, stress in
      let known = Factor.allCases.filter { day.factors[$0] != nil }
      let high = known.filter { day.factors[$0] ?? 0 > medians[$0] ?? 0 }
      return StressEpisode(
        stress: stress, triggers: Set(high.map(\.rawValue)),
        unknown: Set(Factor.allCases.map(\.rawValue)).subtracting(known.map(\.rawValue)))
    }
    (self.profile, self.medians) = (profile, medians)
    effects = TriggerEffects(episodes, shuffles: shuffles, using: &generator)
  }

  /// Stress without the difference between weekends and other days, and without the part that the day before predicts.
  static func residuals(_ days: [Day]) -> [Double] {
    let kinds = Dictionary(grouping: days.indices) { TrendPeriod.weekday(Int64(days[$0].number)) >= 5 }
    let separates = kinds.count == 2 && kinds.values.allSatisfy { $0.count >= TriggerEffects.fewestOccasions }
    var rest = days.map(\.stress)
    for group in separates ? Array(kinds.values) : [Array(days.indices)] {
      let mean = group.reduce(0) { $0 + days[$1].stress } / Double(max(1, group.count))
      for place in group { rest[place] -= mean }
    }
    let pairs = days.indices.dropFirst().filter { days[$0].number == days[$0 - 1].number + 1 }
    let squares = rest.reduce(0) { $0 + $1 * $1 } * Double(pairs.count) / Double(max(1, rest.count))
    let products = pairs.reduce(0) { $0 + rest[$1] * rest[$1 - 1] }
    // The estimate is too low in short series by (1 + 3 r) / n (Kendall 1954).
    let estimate = squares > 0 ? products / squares : 0
    let correlation = min(0.9, max(0, estimate + (1 + 3 * estimate) / Double(max(1, pairs.count))))
    var result = rest
    for place in pairs { result[place] -= correlation * rest[place - 1] }
    return result
  }

  /// The associations beyond chance in sentences.
  package var sentences: [Phrase] { effects.effects.filter(\.isBeyondChance).compactMap(sentence) }

  private func sentence(_ effect: TriggerEffect) -> Phrase? {
    guard let factor = Factor(rawValue: effect.trigger), let median = medians[factor] else { return nil }
    let (points, isLower) = (abs(effect.difference).fixed(0), effect.difference < 0)
    switch factor {
    case .movement:
      return isLower
        ? Phrase("After days with more movement, your stress was about \(points) points lower.")
        : Phrase("After days with more movement, your stress was about \(points) points higher.")
    case .sleep:
      let length = Phrase.length(median)
      return isLower
        ? Phrase("After nights of more than \(length), your stress was about \(points) points lower.")
        : Phrase("After nights of more than \(length), your stress was about \(points) points higher.")
    case .nightRMSSD:
      let value = median.fixed(0)
      return isLower
        ? Phrase("After nights with HRV above \(value) ms, your stress was about \(points) points lower.")
        : Phrase("After nights with HRV above \(value) ms, your stress was about \(points) points higher.")
    }
  }

  /// One object per tested factor.
  package var json: [UInt8] {
    var line = JSONLine()
    for effect in effects.effects {
      line.line { line in
        line.put("profile", profile)
        line.put("factor", effect.trigger)
        line.put("median", Factor(rawValue: effect.trigger).flatMap { medians[$0] })
        line.put("days_above", effect.with)
        line.put("days_below", effect.without)
        line.put("stress_difference", effect.difference)
        line.put("low", effect.low)
        line.put("high", effect.high)
        line.put("chance", effect.chance)
        line.put("beyond_chance", effect.isBeyondChance)
      }
    }
    return line.bytes
  }
}
