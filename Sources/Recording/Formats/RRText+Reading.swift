public import HRV
public import HeartRate

/// What the intervals of a text go into as they are read: a list of them, or their sums.
public protocol IntervalSeries {
  /// An empty one, into which so many intervals may go.
  init(capacity: Int)
  /// Takes the next intervals.
  mutating func append(_ intervals: [RRInterval])
}

extension [RRInterval]: IntervalSeries {
  public init(capacity: Int) {
    self.init()
    reserveCapacity(capacity)
  }

  public mutating func append(_ intervals: [RRInterval]) { append(contentsOf: intervals) }
}

extension NNSeries: IntervalSeries {
  public init(capacity: Int) { self.init() }

  public mutating func append(_ intervals: [RRInterval]) { append(raw: intervals) }
}

extension RRText {
  /// What a text came to.
  public struct Reading<Series: IntervalSeries> {
    public var series: Series
    /// How many intervals there were.
    public var count: Int
    public var unit: Unit
    /// How many lines were left out.
    public var skippedLines: Int
  }

  init(_ reading: Reading<[RRInterval]>) {
    self.init(intervals: reading.series, unit: reading.unit, skippedLines: reading.skippedLines)
  }

  /// Reads a text in the unit that `options` say, else in ms, and once more in seconds when most of its numbers can only
  /// be that. What is bad in ms may be good in seconds: all lines decide which it is, not only those before a bad one.
  /// - Parameters:
  ///   - length: Of the text, in bytes; an estimate.
  ///   - pass: Hands the text to a parser, from its beginning to its end.
  static func read<Series: IntervalSeries, Failure: Error>(
    _ options: Options, length: Int, _ pass: (inout RRTextParser<Series>) throws(Failure) -> Void
  ) throws(Failure) -> Result<Reading<Series>, BadLine> {
    var parser = RRTextParser<Series>(unit: options.unit ?? .milliseconds, length: length)
    try pass(&parser)
    parser.finish()
    if options.unit == nil, parser.lines.mostAreBelowTen {
      parser = RRTextParser(unit: .seconds, length: length)
      try pass(&parser)
      parser.finish()
    }
    if !options.skipsBadLines, let bad = parser.lines.firstBad { return .failure(bad) }
    return .success(
      Reading(
        series: parser.series, count: parser.lines.count, unit: parser.lines.unit,
        skippedLines: parser.lines.skipped))
  }
}
