package import HeartRate
package import History
package import LiveSession
package import Localization
package import Platform
import Stress

/// What a person sees first: the newest value, the last morning, the week, and what to do next.
package struct TodayReport {
  package let profile: String
  /// Whether the history contains other profiles, so that the person is named.
  package let isNamed: Bool
  /// In days since 1970-01-01.
  package let day: Int64
  package let status: StatusReport?
  /// The latest morning reading of the last 30 days.
  package let morning: MorningTrend.Day?
  /// The night that ended today.
  package let night: NightTrend.Day?
  /// The last seven days.
  package let week: Trends
  package let suggestion: Suggestion

  /// One thing to do next.
  package enum Suggestion: Equatable, Sendable {
    case attach
    case morning
    case breathe
    case measure
    case journal
    case trends
  }

  /// - Parameter isMeasuring: whether a session of the profile is live.
  package init(
    _ reader: HistoryReader, of profile: String, _ status: StatusReport?, isMeasuring: Bool, now: WallTime,
    _ calendar: LocalCalendar = .system
  ) throws {
    let day = calendar.day(of: now)
    (self.profile, self.status, self.day) = (profile, status, day)
    isNamed = try reader.hasSeveralProfiles()
    let mornings = try MorningTrend(reader, of: profile, last: 30, until: Int(day))
    let morning = mornings.readings.last
    night = try NightTrend(reader, of: profile, in: Int(day)..<Int(day) + 1).readings.last
    self.morning = morning
    week = try Trends(
      reader, of: profile, TrendPeriod(fromDay: day - 6, toDay: day, step: .day, calendar))
    let entries = try reader.journal(of: profile, in: calendar.start(ofDay: day)..<now.moved(seconds: 1))
    let habits = Habits(
      isMeasuring: isMeasuring, isMorning: (4..<12).contains(Int(calendar.clockText(now).prefix(2)) ?? 12),
      hasMornings: morning.map { $0.reading.day >= Int(day) - 14 } ?? false,
      hasMorningToday: morning?.reading.day == Int(day), hasEntryToday: !entries.isEmpty,
      hasMeasuredToday: status.map { calendar.day(of: $0.time) == day } ?? false,
      isStressed: (status?.stress ?? 0) >= 50 && (0..<1800).contains(status?.age ?? -1))
    suggestion = habits.suggestion
  }

  /// The number of days of the week with stress values.
  package var daysWithStress: Int { week.sums.count { $0[.stress] != nil } }
}

/// What a suggestion depends on.
struct Habits {
  var isMeasuring = false
  /// Whether it is between 4 and 12 o'clock.
  var isMorning = false
  /// Whether a morning reading of the last 14 days counts.
  var hasMornings = false
  var hasMorningToday = false
  var hasEntryToday = false
  var hasMeasuredToday = false
  /// Whether the value of the last half hour is moderate or high.
  var isStressed = false

  var suggestion: TodayReport.Suggestion {
    if isMeasuring { return .attach }
    if isMorning, hasMornings, !hasMorningToday { return .morning }
    if isStressed { return .breathe }
    if !hasMeasuredToday { return .measure }
    return hasEntryToday ? .trends : .journal
  }
}

extension TodayReport.Suggestion {
  package var phrase: Phrase {
    switch self {
    case .attach: Phrase("Watch the live session: \("stressmon live --attach")")
    case .morning: Phrase("Take this morning's reading: \("stressmon morning")")
    case .breathe: Phrase("Breathe slowly for a few minutes: \("stressmon breathe")")
    case .measure: Phrase("Take a reading of one minute: \("stressmon measure")")
    case .journal: Phrase("Note how calm you are, from 1 to 10: \("stressmon journal add --mood 7")")
    case .trends: Phrase("Look at your week: \("stressmon trends")")
    }
  }
}

extension DailyTrend.Day {
  /// `HRV 43.6 ms, within your normal 36-53`; without the comparison as long as the normal range is not known.
  package var sentence: Phrase {
    let value = assessment.rmssd.fixed(1)
    guard let normal = assessment.normal else {
      let missing = assessment.missingForRange
      return Reading.source == .nights
        ? Phrase(
          "HRV \(value) ms; \(missing) more night until your normal range is known",
          "HRV \(value) ms; \(missing) more nights until your normal range is known", count: missing)
        : Phrase(
          "HRV \(value) ms; \(missing) more morning until your normal range is known",
          "HRV \(value) ms; \(missing) more mornings until your normal range is known", count: missing)
    }
    return Phrase("HRV \(value) ms, \(normal.phrase(assessment.rmssd, today: assessment.day))")
  }
}
