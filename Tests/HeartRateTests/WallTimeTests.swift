import HeartRate
import TestSupport
import Testing

@Test(
  "A wall time is formatted as RFC 3339 and parsed back",
  arguments: [
    (0, "1970-01-01T00:00:00.000000Z"),
    (-1, "1969-12-31T23:59:59.999999Z"),
    (951_782_400_000_000, "2000-02-29T00:00:00.000000Z"),
    (1_709_251_199_999_999, "2024-02-29T23:59:59.999999Z"),
    (1_795_246_200_000_000, "2026-11-21T07:30:00.000000Z"),
    (-2_208_988_800_000_000, "1900-01-01T00:00:00.000000Z"),
    (-2_203_891_200_000_000, "1900-03-01T00:00:00.000000Z"),
    (4_107_542_400_000_000, "2100-03-01T00:00:00.000000Z"),
    (253_402_300_799_999_999, "9999-12-31T23:59:59.999999Z"),
    (-62_167_219_200_000_000, "0000-01-01T00:00:00.000000Z"),
  ] as [(Int64, String)])
func formatting(microseconds: Int64, text: String) {
  #expect(WallTime(microseconds: microseconds).rfc3339 == text)
  #expect(WallTime(rfc3339: text)?.microseconds == microseconds)
}

@Test(
  "All forms of RFC 3339 are parsed",
  arguments: [
    ("2026-11-21T07:30:00Z", 0), ("2026-11-21t07:30:00z", 0), ("2026-11-21 07:30:00Z", 0),
    ("2026-11-21T08:30:00+01:00", 0), ("2026-11-20T23:30:00-08:00", 0), ("2026-11-21T13:15:00+05:45", 0),
    ("2026-11-22T07:29:00+23:59", 0), ("2026-11-21T07:30:00-00:00", 0), ("2026-11-21T07:30:00.5Z", 500_000),
    ("2026-11-21T07:30:00.000001Z", 1), ("2026-11-21T07:30:00.1234569999999999999999Z", 123_456),
    ("2026-11-21T07:29:60Z", 0),
  ] as [(String, Int64)])
func allForms(text: String, after: Int64) {
  #expect(WallTime(rfc3339: text)?.microseconds == 1_795_246_200_000_000 + after)
}

@Test(
  "Malformed text and non-existent dates give nil",
  arguments: [
    "", "Z", "2026", "2026-11-21", "2026-11-21T07:30Z", "2026-11-21T07:30:00", "2026-11-21T07:30:00.Z",
    "2026-11-21T07:30:00.5", "2026-11-21T07:30:00ZZ", "2026-11-21T07:30:00Z ", " 2026-11-21T07:30:00Z",
    "26-11-21T07:30:00Z", "+2026-11-21T07:30:00Z", "-026-11-21T07:30:00Z", "2026-1-21T07:30:00Z",
    "2026/11/21T07:30:00Z", "2026-11-21_07:30:00Z", "2026-00-21T07:30:00Z", "2026-13-21T07:30:00Z",
    "2026-11-00T07:30:00Z", "2026-11-31T07:30:00Z", "2026-02-29T00:00:00Z", "2024-02-30T00:00:00Z",
    "1900-02-29T00:00:00Z", "2026-11-21T24:00:00Z", "2026-11-21T07:60:00Z", "2026-11-21T07:30:61Z",
    "2026-11-21T07:30:00+24:00", "2026-11-21T07:30:00+01:60", "2026-11-21T07:30:00+0100",
    "2026-11-21T07:30:00+01", "2026-11-21T07:30:00 Z", "２026-11-21T07:30:00Z", "2026-11-21T07:30:00🕖",
  ])
func malformedText(_ text: String) {
  #expect(WallTime(rfc3339: text) == nil)
}

@Test("Every day from 1900 to 2104 has the correct calendar date") func calendarDates() {
  let day: Int64 = 86_400_000_000
  var calendar = (year: 1900, month: 1, day: 1)
  for days in stride(from: Int64(-25_567), to: 48_942, by: 1) {
    let text = WallTime(microseconds: days * day).rfc3339
    let expected = "\(calendar.year)-\(twoDigits(calendar.month))-\(twoDigits(calendar.day))T00:00:00.000000Z"
    guard text == expected else {
      Issue.record("\(text) instead of \(expected)")
      return
    }
    calendar = dayAfter(calendar)
  }
  #expect(calendar == (2104, 1, 1))
}

private func twoDigits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

private func dayAfter(_ date: (year: Int, month: Int, day: Int)) -> (year: Int, month: Int, day: Int) {
  let isLeap = date.year % 4 == 0 && (date.year % 100 != 0 || date.year % 400 == 0)
  let lengths = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
  if date.day < lengths[date.month - 1] { return (date.year, date.month, date.day + 1) }
  return date.month < 12 ? (date.year, date.month + 1, 1) : (date.year + 1, 1, 1)
}

@Test("Formatting and parsing preserve microseconds") func roundTripThroughText() {
  var random = SeededGenerator(seed: 3)
  for _ in 0..<5000 {
    let range: ClosedRange<Int64> = -62_167_219_200_000_000...253_402_300_799_999_999
    let time = WallTime(microseconds: .random(in: range, using: &random))
    #expect(WallTime(rfc3339: time.rfc3339) == time)
  }
}

@Test("Times out of range saturate") func wallTimeSaturation() {
  #expect(WallTime(microseconds: .max).rfc3339 == "9999-12-31T23:59:59.999999Z")
  #expect(WallTime(microseconds: .min).rfc3339 == "0000-01-01T00:00:00.000000Z")
  #expect(WallTime(microseconds: .max).advanced(ticks: .max).microseconds == .max)
  #expect(WallTime(microseconds: .min).advanced(ticks: .min).microseconds == .min)
  #expect(WallTime(microseconds: 5).advanced(ticks: 159).microseconds == 6)
}
