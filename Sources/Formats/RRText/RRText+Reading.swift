package import HRV
package import HeartRate

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

extension RRText {
  /// The result of parsing a text.
  package struct Reading<Series: IntervalSeries> {
    package var series: Series
    /// Number of intervals.
    package var count: Int
    package var unit: Unit
    /// Number of skipped lines.
    package var skippedLines: Int
    /// The column of a table that the intervals are from: its heading, else its number; nil where the text is no table.
    package var column: String?
  }

  init(_ reading: Reading<[RRInterval]>) {
    self.init(
      intervals: reading.series, unit: reading.unit, skippedLines: reading.skippedLines,
      column: reading.column)
  }

  /// Hands a whole text to a closure, chunk by chunk, from its beginning to its end. It is called several times.
  typealias Pass<Failure: Error> = (_ take: ([UInt8]) -> Void) throws(Failure) -> Void

  /// Reads a text: one number per line where its lines allow for that, else as a table or a one-line list.
  /// - Parameter length: Of the text, in bytes; an estimate.
  static func read<Series: IntervalSeries, Failure: Error>(
    _ options: Options, length: Int, _ pass: Pass<Failure>
  ) throws(Failure) -> Result<Reading<Series>, BadLine> {
    var parser = RRTextParser<Series>(unit: options.unit ?? .milliseconds, length: length)
    try pass { parser.take($0) }
    parser.finish()
    if options.column != nil || parser.lines.mayBeTable {
      switch try survey(options, pass) {
      case .plain: break
      case .table(let layout): return try readTable(layout, options, length: length, pass)
      // Where bad lines are to be skipped, a text without a known layout has bad lines only.
      case .undecided(_) where options.skipsBadLines && options.column == nil: break
      case .undecided(let flaw): return .failure(flaw)
      }
    }
    return try readPlain(&parser, options, length: length, pass)
  }

  /// Reads the text once more, in seconds, when most of its numbers can only be that. What is bad in ms may be good in
  /// seconds: all lines decide which it is, not only those before a bad one.
  private static func readPlain<Series: IntervalSeries, Failure: Error>(
    _ parser: inout RRTextParser<Series>, _ options: Options, length: Int, _ pass: Pass<Failure>
  ) throws(Failure) -> Result<Reading<Series>, BadLine> {
    if options.unit == nil, parser.lines.mostAreBelowTen {
      parser = RRTextParser(unit: .seconds, length: length)
      try pass { parser.take($0) }
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
    var (survey, lines) = (TableSurvey(), LineFeeder())
    try pass { lines.take($0) { survey.append($0, $1) } }
    lines.finish { survey.append($0, $1) }
    return survey.outcome(column: options.column)
  }

  private static func readTable<Series: IntervalSeries, Failure: Error>(
    _ layout: TableLayout, _ options: Options, length: Int, _ pass: Pass<Failure>
  ) throws(Failure) -> Result<Reading<Series>, BadLine> {
    var parser = TableParser<Series>(layout, unit: options.unit, length: length)
    var lines = LineFeeder()
    try pass { lines.take($0) { parser.append($0, $1) } }
    lines.finish { parser.append($0, $1) }
    if !options.skipsBadLines, let bad = parser.firstBad { return .failure(bad) }
    return .success(parser.finish())
  }
}
