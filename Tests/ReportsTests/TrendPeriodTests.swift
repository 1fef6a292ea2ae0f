import HeartRate
import Platform
import TestSupport
import Testing

@testable import Reports

@Suite struct TrendPeriodTests {
  /// As in Berlin in 2026: an hour ahead of UTC, two from 29 March to 25 October, 01:00 UTC.
  private static let berlin = LocalCalendar { time in
    let summer = 1_774_746_000...1_792_889_999 as ClosedRange<Int64>
    return summer.contains(time.microseconds / 1_000_000) ? 7200 : 3600
  }
  private static let kathmandu = LocalCalendar { _ in 20_700 }

  private static func time(_ text: String) throws -> WallTime { try #require(WallTime(rfc3339: text)) }

  @Test(
    "Parts are contiguous for every zone, step and time",
    arguments: [berlin, kathmandu].indices)
  func contiguous(zone: Int) throws {
    let calendar = [Self.berlin, Self.kathmandu][zone]
    var random = SeededGenerator(seed: UInt64(zone))
    for _ in 0..<40 {
      let now = WallTime(
        microseconds: .random(in: 1_760_000_000_000_000...1_800_000_000_000_000, using: &random))
      let periods =
        [TrendPeriod(hoursUntil: now, calendar)]
        + TrendPeriod.Step.allCases.map { TrendPeriod(days: 30, step: $0, until: now, calendar) }
      for period in periods {
        #expect(
          zip(period.parts, period.parts.dropFirst()).allSatisfy {
            $0.times.upperBound == $1.times.lowerBound
          })
        #expect(period.times.contains(now))
        // Each quarter of an hour belongs to one part.
        #expect(period.parts.allSatisfy { $0.times.lowerBound.microseconds % 900_000_000 == 0 })
      }
      #expect(periods[0].parts.count == 24)
    }
  }

  @Test func daysHaveTheirLocalLength() throws {
    let now = try Self.time("2026-10-26T12:00:00Z")
    let week = TrendPeriod(days: 7, step: .day, until: now, Self.berlin)
    #expect(week.parts.map(\.short) == ["Tue", "Wed", "Thu", "Fri", "Sat", "Sun", "Mon"])
    let hours = week.parts.map { $0.times.upperBound.seconds(since: $0.times.lowerBound) / 3600 }
    #expect(hours == [24, 24, 24, 24, 24, 25, 24])
    #expect(week.parts.last?.long == "Mon 2026-10-26")
    let byHour = TrendPeriod(days: 7, step: .hour, until: now, Self.berlin)
    #expect(byHour.parts.count == 169)
    // The hour from two to three occurs twice.
    #expect(byHour.parts[122...123].map(\.long) == ["2026-10-25 02:00", "2026-10-25 02:00"])
  }

  @Test func weeksBeginOnMondaysAndMonthsOnTheFirst() throws {
    let now = try Self.time("2026-11-21T12:00:00Z")
    let weeks = TrendPeriod(days: 30, step: .week, until: now, Self.berlin)
    #expect(weeks.parts.map(\.short) == ["10-23", "10-26", "11-02", "11-09", "11-16"])
    let months = TrendPeriod(days: 365, step: .month, until: now, Self.berlin)
    #expect(
      months.parts.map(\.short).joined(separator: " ")
        == "Nov Dec Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov")
    #expect(months.parts.first?.long == "2025-11")
    let december = try Self.time("2025-11-30T23:00:00Z")
    #expect(months.parts[1].times.lowerBound == december)
  }

  @Test func hoursAreThoseOfTheLocalClock() throws {
    let period = TrendPeriod(hoursUntil: try Self.time("2026-11-21T07:50:00Z"), Self.kathmandu)
    #expect(period.parts.last?.times.lowerBound == (try Self.time("2026-11-21T07:15:00Z")))
    #expect(period.parts.last?.long == "Sat 13:00")
  }
}

@Suite struct TrendSpanTests {
  @Test("The span names the first and the last day, without 'from'")
  func span() {
    let calendar = LocalCalendar.system
    for step in [TrendPeriod.Step.day, .week] {
      let period = TrendPeriod(fromDay: 20_000, toDay: 20_030, step: step, calendar)
      #expect(!period.span.contains("from"))
      #expect(period.span.hasSuffix(TrendPeriod.date(20_030)))
    }
  }
}
