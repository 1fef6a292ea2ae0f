import JSONLines

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
  private var last: Double?
  private var maximum = -Double.infinity
  private var varies = false

  mutating func append(_ field: ArraySlice<UInt8>) {
    isAllDigits = isAllDigits && field.allSatisfy { (48...57).contains($0) }
    guard let value = DecimalNumber(field)?.value else { return }
    numbers += 1
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

extension DecimalNumber {
  /// The number as a `Double`; approximate for more than 15 digits.
  fileprivate var value: Double {
    var value = Double(mantissa)
    for _ in 0..<min(abs(places), 40) { value = places > 0 ? value / 10 : value * 10 }
    return isNegative ? -value : value
  }
}
