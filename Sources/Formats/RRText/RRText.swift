package import HeartRate
import Platform
package import SessionData

/// RR intervals of a text file, in the order of the file: one per line, in a column of a table, or all in one line.
///
/// In plain text, a line contains one number: digits with an optional decimal point or comma and an optional exponent,
/// surrounded by optional white space. Empty lines, lines that begin with `#`, a byte order mark, carriage returns and one
/// heading before the first number (`RR (ms)`) are skipped. Numbers are exact to 0.0001 ms; further decimals are rounded to the
/// nearest tick of 1/80,000 ms.
package struct RRText: Equatable, Sendable {
  package enum Unit: String, Sendable, CaseIterable {
    case milliseconds = "ms"
    case seconds = "s"
  }

  package struct Options: Equatable, Sendable {
    /// The unit of the numbers. By default, seconds if most numbers of the file are below 10, else ms.
    package var unit: Unit?
    /// Whether invalid lines are skipped and counted, instead of being an error.
    package var skipsBadLines: Bool
    /// The column of a table to read: its heading or its number (from 1). By default, it is detected from all lines.
    package var column: String?
    /// The column of the times of a table: its heading or its number (from 1). By default, it is detected.
    package var timeColumn: String?
    /// The limit of the intervals; for tests.
    package var mostBeats = SessionEvents.mostBeats

    package init(unit: Unit? = nil, skipsBadLines: Bool = false, column: String? = nil) {
      self.unit = unit
      self.skipsBadLines = skipsBadLines
      self.column = column
    }
  }

  /// A line that is not an RR interval: not a number, not positive, or at least 24 h. Or the first line of a table whose
  /// interval column cannot be determined.
  package struct BadLine: Error, Equatable, Sendable, CustomStringConvertible {
    package enum Reason: Equatable, Sendable {
      case noInterval
      /// The headings of all columns, else their numbers, and how many of them are plausible: none, or several.
      case columns([String], plausible: Int)
      case tooLong(limit: Int)
      /// The requested column does not exist.
      case noColumn(String, [String])
      /// A column of persons or conditions with several values, and the command that selects the rows of the first one.
      case groups(column: String, values: [String], isMore: Bool, selection: String?)
      /// A column of days or dates that shows that each row is a result, such as a daily average; the first two of them.
      case results(column: String, [String])
      /// The times of a column cannot be read, or do not agree with the intervals of another column.
      case times(column: String, intervals: String)
      /// The time of this line cannot be read, or is before that of an earlier line.
      case time(column: String, intervals: String)
    }

    /// Line number, starting at 1.
    package var line: Int
    /// The first 60 bytes of the line.
    package var text: String
    package var reason: Reason

    package init(line: Int, text: String, reason: Reason = .noInterval) {
      self.line = line
      self.text = text
      self.reason = reason
    }

    package var description: String {
      switch reason {
      case .noInterval: "line \(line) is not an RR interval: \"\(text.withoutControlCharacters)\""
      case .tooLong(let limit): "line \(line) is longer than \(limit >> 20) MiB, the limit of a line"
      case .columns(let names, plausible: 0):
        "no column contains RR intervals (columns: \(Self.list(names)))"
      case .columns(let names, let count):
        "\(count) columns are plausible as RR intervals (columns: \(Self.list(names)))"
      case .noColumn(let name, let names):
        "there is no column \(name.withoutControlCharacters) (columns: \(Self.list(names)))"
      case .groups(let column, let values, let isMore, _):
        "the column \(Self.list([column])) has several values (\(Self.list(values + (isMore ? ["..."] : [])))), and one person "
          + "and one condition are required"
      case .results(let column, let examples):
        "the column \(Self.list([column])) has a different time in each row (\(Self.list(examples))), minutes or days apart: the "
          + "rows are results, such as daily averages, and not successive RR intervals"
      case .times(let column, let intervals):
        "the times in the column \(Self.list([column])) are not understood, or do not agree with the RR intervals in the column "
          + "\(Self.list([intervals]))"
      case .time(let column, _):
        "line \(line): the time in the column \(Self.list([column])) is not understood, or before that of an earlier line: "
          + "\"\(text.withoutControlCharacters)\""
      }
    }

    /// What to type next, after the description and a semicolon.
    package func remedy(path: String) -> String {
      switch reason {
      case .noInterval: "correct the line, or add --skip-bad-lines to skip such lines"
      case .tooLong: "write one interval per line"
      case .columns, .noColumn: "select the column with: --column NAME or --column N"
      case .groups(_, _, _, let selection?):
        "write the rows of each value to a file, for example: \(selection.withoutControlCharacters) \(path) > first.csv"
      case .groups: "write the rows of each value to a file"
      case .results:
        "export the RR intervals of a measurement from the app, as text with one interval per line, and name that file"
      case .times(_, let intervals), .time(_, let intervals):
        "write times as 2026-06-01T07:30:00.123, or in s or ms, or read the intervals without times: --column "
          + Self.list([intervals])
      }
    }

    /// Whether only the layout of the table is unknown.
    var isLayoutUnknown: Bool {
      switch reason {
      case .columns, .noColumn: true
      case .noInterval, .tooLong, .groups, .results, .times, .time: false
      }
    }

    /// At most 20 names, separated by commas.
    package static func list(_ names: [String]) -> String {
      names.prefix(20).joined(separator: ", ").withoutControlCharacters + (names.count > 20 ? ", ..." : "")
    }
  }

  package var intervals: [RRInterval]
  package var unit: Unit
  /// Number of skipped lines.
  package var skippedLines: Int
  /// The table column of the intervals: its heading, else its number. Absent if the text is not a table.
  package var column: String?
  /// The start of the first interval, if the table has a column of dates.
  package var start: FileSession.Start?

  package init(
    intervals: [RRInterval], unit: Unit = .milliseconds, skippedLines: Int = 0, column: String? = nil,
    start: FileSession.Start? = nil
  ) {
    self.start = start
    self.intervals = intervals
    self.unit = unit
    self.skippedLines = skippedLines
    self.column = column
  }

  /// Upper limit of an RR interval, exclusive: 24 h, in ticks.
  static let longestTicks = RRInterval.longestTicks
  /// Limit of a line in bytes: an RR list in one line of about a week.
  static let longestLine = 4 << 20

  /// Reads the whole text.
  /// - Throws: ``BadLine`` for the first line that is not an RR interval, unless such lines are skipped.
  /// - Complexity: O(bytes).
  package init(_ text: [UInt8], options: Options = Options()) throws(BadLine) {
    let reading: Result<Reading<[RRInterval]>, BadLine> = Self.read(options, length: text.count) {
      $0(text)
    }
    try self.init(reading.get())
  }

  /// The intervals as events, each at the exact running sum, followed by the end of the session.
  package var events: Events { Events(intervals: intervals) }

  package struct Events: Sequence, Sendable {
    let intervals: [RRInterval]

    /// Exact, so that an array of the events does not grow beyond it.
    package var underestimatedCount: Int { intervals.count + 1 }

    package func makeIterator() -> Iterator { Iterator(rest: intervals[...]) }
  }

  package struct Iterator: IteratorProtocol {
    fileprivate var rest: ArraySlice<RRInterval>
    private var sum = SessionTime.zero
    private var hasEnded = false

    fileprivate init(rest: ArraySlice<RRInterval>) { self.rest = rest }

    package mutating func next() -> SessionEvent? {
      if let rr = rest.popFirst() {
        sum = sum + rr
        return SessionEvent(at: sum, .interval(rr))
      }
      defer { hasEnded = true }
      return hasEnded ? nil : SessionEvent(at: sum, .end)
    }
  }
}
