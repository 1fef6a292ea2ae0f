/// A wall-clock time in microseconds since 1970-01-01T00:00:00Z, without leap seconds.
///
/// It is stored next to ``SessionTime`` for display. Results never depend on it, because wall clocks are
/// adjusted.
public struct WallTime: Hashable, Comparable, Sendable {
  /// Microseconds since 1970-01-01T00:00:00Z.
  public var microseconds: Int64

  public init(microseconds: Int64) { self.microseconds = microseconds }

  public static func < (a: WallTime, b: WallTime) -> Bool { a.microseconds < b.microseconds }

  /// Returns the time `ticks` of 1/80,000 ms later, rounded towards zero to a microsecond; saturates.
  public func advanced(ticks: Int64) -> WallTime {
    let (sum, overflows) = microseconds.addingReportingOverflow(ticks / 80)
    return WallTime(microseconds: overflows ? (ticks < 0 ? .min : .max) : sum)
  }
}

extension WallTime {
  /// Returns the calendar day, in days since 1970-01-01, at `utcOffset` seconds east of UTC.
  public func localDay(utcOffset: Int) -> Int64 {
    let (local, overflows) = microseconds.addingReportingOverflow(Int64(utcOffset) * 1_000_000)
    return Self.floorDivide(overflows ? microseconds : local, 86_400_000_000).quotient
  }
}

extension WallTime {
  /// The range of RFC 3339: the years 0000 to 9999.
  private static let rfc3339Range: ClosedRange<Int64> = -62_167_219_200_000_000...253_402_300_799_999_999

  /// The time as RFC 3339 in UTC with microseconds, such as `2026-11-21T07:30:00.000000Z`. Saturates at the
  /// years 0000 and 9999.
  public var rfc3339: String {
    let clamped = min(max(microseconds, Self.rfc3339Range.lowerBound), Self.rfc3339Range.upperBound)
    let day = Self.floorDivide(clamped, 86_400_000_000)
    let (year, month, dayOfMonth) = Self.civil(daysSinceEpoch: day.quotient)
    let second = day.remainder / 1_000_000
    let fields: [(Int64, Int)] = [
      (year, 4), (month, 2), (dayOfMonth, 2), (second / 3600, 2), (second / 60 % 60, 2), (second % 60, 2),
      (day.remainder % 1_000_000, 6),
    ]
    let separators = ["-", "-", "T", ":", ":", ".", "Z"]
    return zip(fields, separators).map { Self.padded($0.0, to: $0.1) + $1 }.joined()
  }

  /// Parses an RFC 3339 date-time with any offset. Digits beyond microseconds are truncated; a leap second becomes the first
  /// second of the next minute. Malformed text and non-existent dates are rejected.
  public init?(rfc3339 text: String) {
    var digits = Scanner(text.utf8)
    guard let year = digits.number(4), digits.skip("-"), let month = digits.number(2), digits.skip("-"),
      let day = digits.number(2), digits.skip("T") || digits.skip("t") || digits.skip(" "),
      let hour = digits.number(2), digits.skip(":"), let minute = digits.number(2), digits.skip(":"),
      let second = digits.number(2), (1...12).contains(month), hour < 24, minute < 60, second < 61
    else { return nil }
    let fraction = digits.skip(".") ? digits.fraction() : 0
    guard let fraction, let offset = digits.offset(), digits.isAtEnd else { return nil }
    let days = Self.daysSinceEpoch(year: year, month: month, day: day)
    guard Self.civil(daysSinceEpoch: days) == (year, month, day) else { return nil }
    let seconds = days * 86_400 + hour * 3600 + minute * 60 + second - offset * 60
    microseconds = seconds * 1_000_000 + fraction
  }

  private static func padded(_ value: Int64, to width: Int) -> String {
    let text = String(value)
    return String(repeating: "0", count: max(0, width - text.utf8.count)) + text
  }

  private static func floorDivide(_ a: Int64, _ b: Int64) -> (quotient: Int64, remainder: Int64) {
    let (q, r) = a.quotientAndRemainder(dividingBy: b)
    return r < 0 ? (q - 1, r + b) : (q, r)
  }

  /// Converts days to a proleptic Gregorian date, using 400-year eras of years that begin in March. The leap day is then the
  /// last day of a year (algorithm of Howard Hinnant, "chrono-compatible low-level date algorithms", 2013).
  private static func civil(daysSinceEpoch: Int64) -> (year: Int64, month: Int64, day: Int64) {
    let (era, dayOfEra) = floorDivide(daysSinceEpoch + 719_468, 146_097)
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shifted = (5 * dayOfYear + 2) / 153
    let month = shifted < 10 ? shifted + 3 : shifted - 9
    return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * shifted + 2) / 5 + 1)
  }

  private static func daysSinceEpoch(year: Int64, month: Int64, day: Int64) -> Int64 {
    let (era, yearOfEra) = floorDivide(month <= 2 ? year - 1 : year, 400)
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }
}

/// Parses the fixed fields of an RFC 3339 date-time.
private struct Scanner<Bytes: Collection<UInt8>> {
  private var rest: Bytes.SubSequence
  init(_ bytes: Bytes) { rest = bytes[...] }
  var isAtEnd: Bool { rest.isEmpty }

  mutating func skip(_ character: Unicode.Scalar) -> Bool {
    guard rest.first == UInt8(ascii: character) else { return false }
    rest.removeFirst()
    return true
  }

  mutating func number(_ digits: Int) -> Int64? {
    var value: Int64 = 0
    for _ in 0..<digits {
      guard let byte = rest.popFirst(), (48...57).contains(byte) else { return nil }
      value = value * 10 + Int64(byte - 48)
    }
    return value
  }

  /// Parses a decimal fraction of a second and returns microseconds; further digits are truncated.
  mutating func fraction() -> Int64? {
    var value: Int64 = 0
    var scale: Int64 = 100_000
    var any = false
    while let byte = rest.first, (48...57).contains(byte) {
      value += Int64(byte - 48) * scale
      scale /= 10
      any = true
      rest.removeFirst()
    }
    return any ? value : nil
  }

  /// Parses an offset and returns minutes east of UTC.
  mutating func offset() -> Int64? {
    if skip("Z") || skip("z") { return 0 }
    let sign: Int64 = skip("+") ? 1 : skip("-") ? -1 : 0
    guard sign != 0, let hours = number(2), skip(":"), let minutes = number(2), hours < 24, minutes < 60
    else { return nil }
    return sign * (hours * 60 + minutes)
  }
}
