import HeartRate
import JSONLines
import SessionData

/// Statistics of the numbers in one column, computed in constant memory.
struct ColumnStatistics {
  /// Number of fields that are numbers.
  private(set) var numbers = 0
  /// Number of plausible RR intervals in ms (200 to 3000), and in s (0.2 to 3, with decimals).
  private(set) var plausibleMilliseconds = 0
  private(set) var plausibleSeconds = 0
  /// Number of numbers below 10.
  private(set) var belowTen = 0
  /// Number of numbers that exceed all previous ones, and number of those that exceed the previous one by exactly 1.
  private var maxima = 0
  private(set) var stepsOfOne = 0
  /// Whether all fields consist of digits only.
  private(set) var isAllDigits = true
  private(set) var first: Double?
  private(set) var last: Double?
  private var maximum = -Double.infinity
  private var varies = false
  /// Sum of the numbers.
  private(set) var sum = 0.0
  private(set) var times = TimeStatistics()

  mutating func append(_ field: ArraySlice<UInt8>) {
    isAllDigits = isAllDigits && field.allSatisfy { (48...57).contains($0) }
    guard let value = DecimalNumber(field)?.value else { return times.append(field) }
    numbers += 1
    sum += value
    if (200...3000).contains(value) { plausibleMilliseconds += 1 }
    if (0.2...3).contains(value), value != value.rounded() { plausibleSeconds += 1 }
    if value < 10 { belowTen += 1 }
    if let last {
      maxima += value > maximum ? 1 : 0
      stepsOfOne += value == last + 1 ? 1 : 0
      varies = varies || value != last
    }
    first = first ?? value
    last = value
    maximum = max(maximum, value)
  }

  /// Whether at least 80 % of `rows` are plausible RR intervals in one unit.
  func isPlausible(rows: Int) -> Bool {
    max(plausibleMilliseconds, plausibleSeconds) * 5 >= rows * 4 && rows > 0
  }

  /// Whether the numbers increase like an index or a time, or are all equal.
  var isCounterOrConstant: Bool { numbers > 2 && (!varies || countsUp) }

  /// Whether all numbers are equal.
  var isConstant: Bool { numbers > 0 && !varies }

  /// Whether at least ten numbers increase like an index, which rules out RR intervals.
  var isLongCounter: Bool { numbers >= 10 && countsUp }

  private var countsUp: Bool { maxima * 20 >= (numbers - 1) * 19 }

  /// Whether the column is an index or a time, for a table whose lines could also be numbers with a decimal comma.
  var isIndex: Bool {
    switch numbers {
    case 0, 1: false
    case 2: first == 1 && stepsOfOne == 1
    default: stepsOfOne == numbers - 1 || (numbers > 3 && isCounterOrConstant && varies)
    }
  }

  /// Whether the numbers can only be seconds: most are below 10.
  var isInSeconds: Bool { belowTen * 2 > numbers }
}

/// Statistics of the dates and times in one column.
struct TimeStatistics {
  private(set) var dates = 0
  private(set) var clocks = 0
  private(set) var days = 0
  /// Number of days that differ from the previous one, and of dates at least five minutes from it.
  private(set) var changes = 0
  /// The first two days or dates, as text.
  private(set) var examples: [String] = []
  /// Microseconds of the first and the last date.
  private(set) var span: (first: Int64, last: Int64)?
  private var previous: ArraySlice<UInt8> = []

  static let longStep: Int64 = 300_000_000

  mutating func append(_ field: ArraySlice<UInt8>) {
    switch TimeField(field) {
    case .day:
      days += 1
      if days > 1, field != previous { changes += 1 }
      previous = field
    case .date(let start):
      dates += 1
      let time = start.reading.microseconds
      if let span, abs(time - span.last) >= Self.longStep { changes += 1 }
      span = (span?.first ?? time, time)
    case .clock: clocks += 1
    case nil: return
    }
    if examples.count < 2 { examples.append(String(decoding: field, as: UTF8.self)) }
  }

  /// Whether most rows have another day, or a date minutes away: they are results, such as a daily average, and no intervals.
  var areResults: Bool {
    days == 1 && dates == 0 || days + dates > 1 && changes * 2 >= days + dates - 1
  }
}

extension DecimalNumber {
  /// The number as a `Double`; approximate for more than 15 digits.
  var value: Double {
    var value = Double(mantissa)
    for _ in 0..<min(abs(places), 40) { value = places > 0 ? value / 10 : value * 10 }
    return isNegative ? -value : value
  }
}
