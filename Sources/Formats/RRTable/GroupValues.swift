import JSONLines

/// The different values of a column, in the order of the rows.
struct GroupValues {
  private(set) var values: [String] = []
  /// Whether there are more values than are kept.
  private(set) var isMore = false
  private var rows = 0
  private var changes = 0
  private var previous: ArraySlice<UInt8> = []

  private static let mostValues = 8

  mutating func append(_ field: ArraySlice<UInt8>) {
    rows += 1
    guard rows == 1 || field != previous else { return }
    previous = field
    changes += 1
    let text = String(decoding: field.prefix(60), as: UTF8.self)
    guard !text.isEmpty, !values.contains(text) else { return }
    if values.count < Self.mostValues { values.append(text) } else { isMore = true }
  }

  /// Whether the values divide the rows. A different value in each row identifies rows, and does not divide them.
  var divides: Bool { values.count > 1 && !(isMore && changes == rows) }
}

/// Finds a column of times without a heading: whose steps agree with the RR intervals of another column.
struct TimeAgreement {
  private var previous: [Double?] = []
  private var rows = 0
  /// Number of agreeing rows by columns of time and interval, and by unit.
  private var agreeing: [Key: Int] = [:]

  private struct Key: Hashable {
    let time: Int
    let interval: Int
    let unit: Double
  }

  private static let mostColumns = 4
  /// The units s and ms, in ms.
  private static let units = [1000.0, 1]

  mutating func append(_ fields: [ArraySlice<UInt8>]) {
    let values = fields.prefix(Self.mostColumns).map { DecimalNumber($0)?.value }
    defer { previous = values }
    guard previous.count == values.count else { return }
    rows += 1
    for (time, value) in values.enumerated() {
      guard let value, let before = previous[time], value > before else { continue }
      for interval in values.indices where interval != time {
        for unit in Self.units where agrees((value - before) * unit, interval, values) {
          agreeing[Key(time: time, interval: interval, unit: unit), default: 0] += 1
        }
      }
    }
  }

  /// Whether a step in ms is the interval of this row, or of the previous one if times are those of the beginning.
  private func agrees(_ step: Double, _ interval: Int, _ values: [Double?]) -> Bool {
    [values[interval], previous[interval]].contains { interval in
      guard let interval else { return false }
      let milliseconds = interval < 10 ? interval * 1000 : interval
      return abs(step - milliseconds) <= 0.01 * milliseconds + 1
    }
  }

  /// The column of times for the intervals of a column, and the unit of the times in ms. Most rows must agree.
  func times(of interval: Int) -> (place: Int, unit: Double)? {
    agreeing.filter { $0.key.interval == interval && $0.value * 5 >= rows * 4 && rows > 1 }
      .max { $0.value < $1.value }.map { ($0.key.time, $0.key.unit) }
  }
}
