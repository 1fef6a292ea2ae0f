package import History
package import Localization
package import Platform
package import Stress

/// One sentence about a week: its stress compared with the person's own usual value, and at most one trigger.
package struct WeeklyDigest {
  /// The report of the week.
  package let report: PeriodReport
  /// Stress of the week against the eight weeks before, in daily means.
  private let stress: PeriodChange
  /// The same of RMSSD in the morning.
  private let morningRMSSD: PeriodChange
  private let factor: DigestFactor?

  /// Days before the week that are usual for the person.
  private static let usualDays: Int64 = 56
  /// Days up to the end of the week whose journal is tested, as in ``PeriodReport``.
  private static let testedDays: Int64 = 90

  /// - Parameter lastDay: the last day of the week, in days since 1970-01-01.
  package init(
    _ reader: HistoryReader?, of profile: String, ending lastDay: Int64, metric: HRVMetric,
    _ calendar: LocalCalendar
  ) throws {
    report = try PeriodReport(reader, of: profile, ending: lastDay, metric: metric, calendar)
    let first = lastDay - 6 - Self.usualDays
    let days = try Trends(
      reader, of: profile, TrendPeriod(fromDay: first, toDay: lastDay, step: .day, calendar))
    let means = days.sums.indices.map { days.isComparable($0) ? days.sums[$0][.stress]?.mean : nil }
    stress = PeriodChange(
      of: means.suffix(7).compactMap(\.self), against: means.dropLast(7).compactMap(\.self), isRatio: false)
    let mornings = try MorningTrend(reader, of: profile, in: Int(first)..<Int(lastDay) + 1)
    let rmssd = { (days: Range<Int>) in mornings.shown(in: days).compactMap(\.reading.rmssd) }
    morningRMSSD = PeriodChange(
      of: rmssd(Int(lastDay) - 6..<Int(lastDay) + 1), against: rmssd(Int(first)..<Int(lastDay) - 6),
      isRatio: true)
    factor = try Self.factor(reader, of: profile, ending: lastDay, calendar)
  }

  private static func factor(
    _ reader: HistoryReader?, of profile: String, ending lastDay: Int64, _ calendar: LocalCalendar
  ) throws -> DigestFactor? {
    let first = lastDay - testedDays + 1
    let days = Int(first)..<Int(lastDay) + 1
    let times = calendar.start(ofDay: first)..<calendar.start(ofDay: lastDay + 1)
    let journal = try reader?.journal(of: profile) ?? []
    var generator = SplitMix64(seed: 1, stream: 0)
    return DigestFactor(
      [
        (.nights, try MorningTriggers.episodes(NightTrend(reader, of: profile, in: days), journal)),
        (.mornings, try MorningTriggers.episodes(MorningTrend(reader, of: profile, in: days), journal)),
        (.entries, try reader?.stressEpisodes(of: profile, in: times) ?? []),
      ], using: &generator)
  }

  /// The last day of the latest complete week from Monday to Sunday, in days since 1970-01-01.
  package static func lastDay(before now: Int64) -> Int64 {
    // 1970-01-01 was a Thursday.
    now - ((now + 3) % 7 + 7) % 7 - 1
  }
}

// MARK: The sentence

extension WeeklyDigest {
  /// The sentence; `nil` if the week has too few measurements.
  package func sentence(_ language: Language) -> String? {
    Self.sentence(stress: stress, morningRMSSD: morningRMSSD, factor, language)
  }

  static func sentence(
    stress: PeriodChange, morningRMSSD: PeriodChange, _ factor: DigestFactor?, _ language: Language
  ) -> String? {
    guard let week = week(stress) ?? week(mornings: morningRMSSD) else { return nil }
    let clauses = [week, factor?.phrase].compactMap(\.self).map(language.localized)
    return clauses.joined(separator: "; ") + "."
  }

  private static func week(_ stress: PeriodChange) -> Phrase? {
    guard let now = stress.now?.fixed(0) else { return nil }
    guard let usual = stress.before?.fixed(0) else { return Phrase("Your stress was \(now) this week") }
    return switch stress.direction {
    case -1: Phrase("A calmer week: \(now), usually \(usual)")
    case 1: Phrase("A more stressful week: \(now), usually \(usual)")
    default: Phrase("A week as usual: \(now), usually \(usual)")
    }
  }

  private static func week(mornings rmssd: PeriodChange) -> Phrase? {
    guard let now = rmssd.now?.fixed(0) else { return nil }
    guard let usual = rmssd.before?.fixed(0) else {
      return Phrase("Your HRV in the mornings was \(now) ms this week")
    }
    return switch rmssd.direction {
    case 1: Phrase("Your HRV in the mornings was higher this week: \(now) ms, usually \(usual)")
    case -1: Phrase("Your HRV in the mornings was lower this week: \(now) ms, usually \(usual)")
    default: Phrase("Your HRV in the mornings was as usual this week: \(now) ms, usually \(usual)")
    }
  }
}

extension PeriodChange {
  /// 1 for a clear increase, -1 for a clear decrease, else 0.
  fileprivate var direction: Int {
    guard isChanged == true, let change else { return 0 }
    return change > (isRatio ? 1 : 0) ? 1 : -1
  }
}

extension DigestFactor {
  /// The association in words; the numbers count the readings with the trigger.
  fileprivate var phrase: Phrase {
    let (agreeing, all) = (agreeing, occasions)
    return switch (series, isLower) {
    case (.nights, true): Phrase("after days with \(trigger) nights were lower, \(agreeing) of \(all)")
    case (.nights, false): Phrase("after days with \(trigger) nights were higher, \(agreeing) of \(all)")
    case (.mornings, true): Phrase("after days with \(trigger) mornings were lower, \(agreeing) of \(all)")
    case (.mornings, false): Phrase("after days with \(trigger) mornings were higher, \(agreeing) of \(all)")
    case (.entries, true): Phrase("with \(trigger) your stress was lower, \(agreeing) of \(all)")
    case (.entries, false): Phrase("with \(trigger) your stress was higher, \(agreeing) of \(all)")
    }
  }
}
