import HeartRate
import JSONLines
import SessionData

/// How the fields of a column state times.
enum TimeNotation: Equatable {
  /// `2026-06-01 07:30:00.123`, with or without an offset from UTC.
  case date
  /// `07:30:00.123`. A time that is earlier by more than 12 h is on the next day.
  case clock
  /// Numbers: microseconds per unit, since 1970 or since any other time.
  case number(microseconds: Double, isSince1970: Bool)
}

/// A field that is not a number, read as a date or a time.
enum TimeField: Equatable {
  case date(FileSession.Start)
  /// Microseconds since midnight.
  case clock(Int64)
  /// A day: `2026-06-01`, `1.6.2026` or `06/01/26`.
  case day

  init?(_ field: ArraySlice<UInt8>) {
    guard field.count <= 40, let first = field.first, (48...57).contains(first) else { return nil }
    let text = String(decoding: field, as: UTF8.self).replacing(",", with: ".")
    if Self.isDay(text) {
      self = .day
    } else if let clock = Self.clock(text) {
      self = .clock(clock)
    } else if let start = FileSession.Start(date: Self.withHyphens(text)) {
      self = .date(start)
    } else {
      return nil
    }
  }

  private static func isDay(_ text: String) -> Bool {
    ["-", ".", "/"].contains { separator in
      let parts = text.split(separator: separator, omittingEmptySubsequences: false)
      return parts.count == 3 && parts.allSatisfy { (1...4).contains($0.count) && $0.allSatisfy(\.isNumber) }
    }
  }

  private static func clock(_ text: String) -> Int64? {
    guard text.contains(":"), !text.contains(where: { "-/ ".contains($0) }),
      case .local(let time)? = FileSession.Start(
        date: "1970-01-01T\(text.firstIndex(of: ":") == text.index(after: text.startIndex) ? "0" : "")\(text)"
      )
    else { return nil }
    return time.microseconds
  }

  /// `2026/06/01` is `2026-06-01`.
  private static func withHyphens(_ text: String) -> String {
    text.prefix(10).replacing("/", with: "-") + String(text.dropFirst(10))
  }
}

/// The column of a table that states the time of each row.
struct TimeColumn: Equatable {
  let place: Int
  let notation: TimeNotation
  /// The column for messages: its heading, else its number.
  let name: String
}

/// Reads the time of each row.
struct TimeFields {
  private let notation: TimeNotation
  private var last: Int64?
  private var days: Int64 = 0

  /// The times of a column that go back by more microseconds belong to another recording.
  private static let tolerance: Int64 = 5_000_000
  private static let day: Int64 = 86_400_000_000

  init(_ notation: TimeNotation) { self.notation = notation }

  /// The time of a field, if it is a time and does not go back.
  mutating func time(_ field: ArraySlice<UInt8>) -> FileSession.Start? {
    guard let time = parsed(field) else { return nil }
    let reading = time.reading.microseconds
    if let last, reading < last - Self.tolerance { return nil }
    last = max(last ?? reading, reading)
    return time
  }

  private mutating func parsed(_ field: ArraySlice<UInt8>) -> FileSession.Start? {
    switch notation {
    case .date:
      if case .date(let start)? = TimeField(field) { return start }
      return nil
    case .clock:
      guard case .clock(let reading)? = TimeField(field) else { return nil }
      if let last, reading + days < last - Self.day / 2 { days += Self.day }
      return .local(WallTime(microseconds: reading + days))
    case .number(let microseconds, let isSince1970):
      guard let value = DecimalNumber(field)?.value,
        let time = Int64(exactly: (value * microseconds).rounded()), time.magnitude < 1 << 60
      else { return nil }
      let wall = WallTime(microseconds: time)
      return isSince1970 ? .absolute(wall, utcOffset: nil) : .local(wall)
    }
  }

  /// Whether the times are those of a calendar.
  var areAbsolute: Bool {
    switch notation {
    case .date, .number(_, isSince1970: true): true
    case .clock, .number: false
    }
  }
}
