package import HRV
package import HeartRate
package import SessionData

/// The destination of parsed intervals: a list, or running sums.
package protocol IntervalSeries {
  /// An empty series with room for `capacity` intervals.
  init(capacity: Int)
  /// Appends the next intervals.
  mutating func append(_ intervals: [RRInterval])
}

extension [RRInterval]: IntervalSeries {
  package init(capacity: Int) {
    self.init()
    reserveCapacity(capacity)
  }

  package mutating func append(_ intervals: [RRInterval]) { append(contentsOf: intervals) }
}

extension NNSeries: IntervalSeries {
  package init(capacity: Int) { self.init() }

  package mutating func append(_ intervals: [RRInterval]) { append(raw: intervals) }
}

/// The events of a session, each at the exact running sum of the intervals. An array of the intervals would need a quarter of
/// the memory in addition.
struct EventSeries: IntervalSeries {
  private(set) var events: [SessionEvent] = []
  private var sum = SessionTime.zero

  init(capacity: Int) { events.reserveCapacity(Swift.min(capacity, SessionEvents.mostBeats) + 1) }

  mutating func append(_ intervals: [RRInterval]) {
    for rr in intervals {
      sum = sum + rr
      events.append(SessionEvent(at: sum, .interval(rr)))
    }
  }

  mutating func end() { events.append(SessionEvent(at: sum, .end)) }
}

/// Counts intervals without keeping them.
struct IntervalCount: IntervalSeries {
  init(capacity: Int) {}
  mutating func append(_ intervals: [RRInterval]) {}
}

extension RRText {
  /// The result of parsing a text.
  package struct Reading<Series: IntervalSeries> {
    package var series: Series
    /// Number of intervals.
    package var count: Int
    package var unit: Unit
    /// Number of skipped lines.
    package var skippedLines: Int
    /// The table column of the intervals: its heading, else its number. Absent if the text is not a table.
    package var column: String?
    /// The start of the first interval, if the table has a column of dates.
    package var start: FileSession.Start?
  }

  init(_ reading: Reading<[RRInterval]>) {
    self.init(
      intervals: reading.series, unit: reading.unit, skippedLines: reading.skippedLines,
      column: reading.column, start: reading.start)
  }

  /// Passes a whole text to a closure, chunk by chunk. Called once per pass over the text.
  typealias Pass<Failure: Error> = (_ append: ([UInt8]) -> Void) throws(Failure) -> Void

  /// Reads a text: one number per line if possible, else a table or a one-line list.
  /// - Parameter length: Estimated length of the text in bytes.
  static func read<Series: IntervalSeries, Failure: Error>(
    _ options: Options, length: Int, _ pass: Pass<Failure>
  ) throws(Failure) -> Result<Reading<Series>, BadLine> {
    var parser = RRTextParser<Series>(unit: options.unit ?? .milliseconds, length: length)
    try pass { parser.append($0) }
    parser.finish()
    if let line = parser.longLine { return .failure(line) }
    if options.column != nil || options.timeColumn != nil || parser.lines.mayBeTable {
      switch try survey(options, pass) {
      case .plain: break
      case .table(let layout): return try readTable(layout, options, length: length, pass)
      // If invalid lines are skipped, all lines of a text without a known layout are invalid.
      case .undecided(let flaw) where flaw.isLayoutUnknown && options.skipsBadLines && options.column == nil:
        break
      case .undecided(let flaw): return .failure(flaw)
      }
    }
    return try readPlain(&parser, options, length: length, pass)
  }

  /// Reads the text a second time, in seconds, if most numbers are below 10. A line that is invalid in ms can be valid in
  /// seconds, so the unit is determined from all lines and not only from those before an invalid one.
  private static func readPlain<Series: IntervalSeries, Failure: Error>(
    _ parser: inout RRTextParser<Series>, _ options: Options, length: Int, _ pass: Pass<Failure>
  ) throws(Failure) -> Result<Reading<Series>, BadLine> {
    if options.unit == nil, parser.lines.mostAreBelowTen {
      parser = RRTextParser(unit: .seconds, length: length)
      try pass { parser.append($0) }
      parser.finish()
    }
    if !options.skipsBadLines, let bad = parser.lines.firstBad { return .failure(bad) }
    return .success(
      Reading(
        series: parser.series, count: parser.lines.count, unit: parser.lines.unit,
        skippedLines: parser.lines.skipped, column: nil))
  }

  private static func survey<Failure: Error>(
    _ options: Options, _ pass: Pass<Failure>
  ) throws(Failure) -> TableSurvey.Outcome {
    var (survey, lines) = (TableSurvey(), LineSplitter())
    try pass { lines.append($0) { survey.append($0, $1) } }
    lines.finish { survey.append($0, $1) }
    return survey.outcome(column: options.column, timeColumn: options.timeColumn)
  }

  private static func readTable<Series: IntervalSeries, Failure: Error>(
    _ layout: TableLayout, _ options: Options, length: Int, _ pass: Pass<Failure>
  ) throws(Failure) -> Result<Reading<Series>, BadLine> {
    var parser = TableParser<Series>(layout, unit: options.unit, length: length)
    var lines = LineSplitter()
    try pass { lines.append($0) { parser.append($0, $1) } }
    lines.finish { parser.append($0, $1) }
    if let flaw = parser.timeFlaw { return .failure(flaw) }
    if !options.skipsBadLines, let bad = parser.firstBad { return .failure(bad) }
    return .success(parser.finish())
  }
}
