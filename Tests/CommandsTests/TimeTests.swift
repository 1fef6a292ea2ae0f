import ArgumentParser
import HeartRate
import Platform
import TestSupport
import Testing

@testable import Commands

/// Days and times in zones with daylight saving time.
@Suite struct TimeTests {
  /// Central Europe in 2026: an hour ahead of UTC, two from 29 March 01:00 to 25 October 01:00 UTC.
  private static let berlin = calendar(winter: 3600, from: "2026-03-29T01:00:00Z", to: "2026-10-25T01:00:00Z")
  /// A zone whose clocks are set forward at midnight, so that a day begins at 01:00.
  private static let midnight = calendar(
    winter: -10_800, from: "2026-10-17T03:00:00Z", to: "2026-02-21T02:00:00Z")

  private static func calendar(winter: Int, from: String, to: String) -> LocalCalendar {
    let (from, to) = (WallTime(rfc3339: from)!, WallTime(rfc3339: to)!)
    return LocalCalendar { time in
      let isSummer = from < to ? time >= from && time < to : time >= from || time < to
      return winter + (isSummer ? 3600 : 0)
    }
  }

  private static let now = WallTime(rfc3339: "2026-11-21T06:30:00Z")!

  private func range(_ text: String, _ calendar: LocalCalendar = berlin) throws -> [String] {
    let time = try TimeArgument(text, calendar, now: Self.now)
    return [time.start, time.end].map { String($0.rfc3339.prefix(16)) }
  }

  @Test(arguments: [
    ("2026", "2025-12-31T23:00", "2026-12-31T23:00"), ("2026-11", "2026-10-31T23:00", "2026-11-30T23:00"),
    ("2026-02", "2026-01-31T23:00", "2026-02-28T23:00"), ("2024-02", "2024-01-31T23:00", "2024-02-29T23:00"),
    ("2026-11-21", "2026-11-20T23:00", "2026-11-21T23:00"),
    ("today", "2026-11-20T23:00", "2026-11-21T23:00"), ("Yesterday", "2026-11-19T23:00", "2026-11-20T23:00"),
    ("now", "2026-11-21T06:30", "2026-11-21T06:30"), ("07:15", "2026-11-21T06:15", "2026-11-21T06:15"),
    ("2026-11-21T07:30", "2026-11-21T06:30", "2026-11-21T06:30"),
    ("2026-07-01 07:30:05", "2026-07-01T05:30", "2026-07-01T05:30"),
    ("2026-11-21T07:30:00Z", "2026-11-21T07:30", "2026-11-21T07:30"),
    ("2026-11-21T07:30:00+05:30", "2026-11-21T02:00", "2026-11-21T02:00"),
    ("2026-11-21T07:30Z", "2026-11-21T07:30", "2026-11-21T07:30"),
    // Days of 23 and of 25 hours.
    ("2026-03-29", "2026-03-28T23:00", "2026-03-29T22:00"),
    ("2026-10-25", "2026-10-24T22:00", "2026-10-25T23:00"),
    // An ambiguous time extends from its first to its second occurrence; a skipped time gives the surrounding hour.
    ("2026-10-25T02:30", "2026-10-25T00:30", "2026-10-25T01:30"),
    ("2026-03-29T02:30", "2026-03-29T00:30", "2026-03-29T01:30"),
    // An offset selects one of the two.
    ("2026-10-25T02:30+01:00", "2026-10-25T01:30", "2026-10-25T01:30"),
  ])
  func timesAreParsed(text: String, start: String, end: String) throws {
    #expect(try range(text) == [start, end])
  }

  @Test func aDayWithoutMidnightStartsAtItsFirstMoment() throws {
    #expect(try range("2026-10-17", Self.midnight) == ["2026-10-17T03:00", "2026-10-18T02:00"])
    #expect(try range("2026-10-16", Self.midnight) == ["2026-10-16T03:00", "2026-10-17T03:00"])
  }

  @Test(arguments: [
    "", " ", "20", "2026-13", "2026-00", "2026-02-30", "2026-2-3", "2026-11-21T24:00", "2026-11-21T7:30",
    "25:00",
    "7:30", "0000", "+026", "-026", "2026-11-21T07:30+01", "tomorrow", "٢٠٢٦", "2026-11-2١", "now ", "07:30Z",
  ])
  func invalidTimesAreRejected(text: String) {
    #expect(throws: ValidationError.self) { try range(text) }
  }

  @Test func anyTextIsParsedOrRejectedAsATime() {
    var random = SeededGenerator(seed: 3)
    for _ in 0..<5000 {
      let length = [4, 5, 7, 8, 10, 16, 19].randomElement(using: &random)!
      let text = String((0..<length).map { _ in "01239-:T Z+é".randomElement(using: &random)! })
      guard let time = try? TimeArgument(text, Self.berlin, now: Self.now) else { continue }
      #expect(time.start <= time.end)
    }
  }

  @Test("Each moment of a year belongs to exactly one day")
  func everyMomentBelongsToOneDay() {
    for calendar in [Self.berlin, Self.midnight] {
      var start = calendar.start(ofDay: 20_453)
      var lengths: Set<Int64> = []
      for day in 20_453..<20_454 + 365 as Range<Int64> {
        let end = calendar.start(ofDay: day + 1)
        lengths.insert((end.microseconds - start.microseconds) / 3_600_000_000)
        #expect(calendar.day(of: start) == day)
        #expect(calendar.day(of: WallTime(microseconds: end.microseconds - 1)) == day)
        start = end
      }
      #expect(lengths == [23, 24, 25])
    }
  }

  @Test func aWeekIsTodayAndTheSixDaysBefore() throws {
    func range(_ arguments: String...) throws -> [String] {
      let range = try TimeOptions.parse(arguments).range(
        Self.berlin, now: WallTime(rfc3339: "2026-10-26T10:00:00Z")!)
      return [range.lowerBound, range.upperBound].map { String($0.rfc3339.prefix(16)) }
    }
    #expect(try range("--today") == ["2026-10-25T23:00", "2026-10-26T23:00"])
    #expect(try range("--week") == ["2026-10-19T22:00", "2026-10-26T23:00"])
    #expect(try range("--month") == ["2026-09-26T22:00", "2026-10-26T23:00"])
    #expect(try range() == ["0000-01-01T00:00", "9999-12-31T23:59"])
  }

  @Test(arguments: [
    ["--today", "--week"], ["--month", "--from", "2026"], ["--from", "2026-11-02", "--to", "2026-11-01"],
    ["--from", "soon"], ["--to", ""],
  ])
  func contradictingTimesAreRejected(arguments: [String]) {
    #expect(throws: (any Error).self) { try TimeOptions.parse(arguments) }
    #expect(throws: Never.self) { try TimeOptions.parse(["--from", "2026-11-01", "--to", "2026-11-01"]) }
  }

  @Test func theSystemCalendarUsesTheZoneOfTheSystem() {
    let time = WallTime(rfc3339: "2026-07-01T12:00:00Z")!
    #expect(LocalCalendar.system.utcOffset(time) == LocalZone(at: time).utcOffset)
    #expect(LocalCalendar.system.text(time).count == 19)
  }
}
