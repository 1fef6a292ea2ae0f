import HeartRate
import JSONLines
import SessionData

/// The position and the unit of the RR intervals in a table.
struct TableLayout {
  enum Content: Equatable {
    /// The column with this index, starting at 0.
    case column(Int)
    /// All fields.
    case list
  }

  let separator: FieldSeparator
  let content: Content
  /// The column for messages: its heading, else its number. A list has none.
  let name: String?
  /// The unit in the heading, else the one that follows from the magnitude of the numbers.
  let impliedUnit: RRText.Unit
  /// The times of the rows. Absent if the table has none, or if they are ignored.
  private(set) var time: TimeColumn?

  init(separator: FieldSeparator, content: Content, name: String?, impliedUnit: RRText.Unit) {
    (self.separator, self.content, self.name, self.impliedUnit) = (separator, content, name, impliedUnit)
  }

  init(_ table: TableCandidate, _ place: Int) {
    let name = table.names?[place]
    self.init(
      separator: table.separator, content: .column(place), name: name?.text ?? "\(place + 1)",
      impliedUnit: name?.unit ?? (table.columns[place].isInSeconds ? .seconds : .milliseconds))
  }
}

extension TableLayout {
  /// The layout with times.
  func with(_ time: TimeColumn) -> TableLayout {
    var layout = self
    layout.time = time
    return layout
  }

  /// The sum of the intervals after the first one, in microseconds.
  func microseconds(of column: ColumnStatistics) -> Double {
    (column.sum - (column.first ?? 0)) * (impliedUnit == .seconds ? 1e6 : 1000)
  }
}

/// Reads the RR intervals of a table, line by line. A gap in the times becomes an interval of its length, as in RR text.
struct TableParser<Series: IntervalSeries> {
  private let layout: TableLayout
  private let perUnit: Int64
  private var series: Series
  private var buffer: [RRInterval] = []
  private var count = 0
  private var skipped = 0
  private var hasRows = false
  private(set) var firstBad: RRText.BadLine?
  let unit: RRText.Unit
  private var times: TimeFields?
  private var clock = RowClock()
  private var end = SessionTime.zero
  private var gaps = 0

  /// Number of intervals that are appended to the series at once.
  private static var batch: Int { 4096 }

  init(_ layout: TableLayout, unit: RRText.Unit?, length: Int) {
    self.layout = layout
    self.unit = unit ?? layout.impliedUnit
    times = layout.time.map { TimeFields($0.notation) }
    perUnit = self.unit == .milliseconds ? RRInterval.ticksPerMillisecond : RRInterval.ticksPerSecond
    // A row with an index and an interval usually has at least eight bytes.
    series = Series(capacity: length / 8)
  }

  mutating func append(_ number: Int, _ line: ArraySlice<UInt8>) {
    let fields = layout.separator.fields(line)
    guard hasRows || fields.contains(where: { DecimalNumber($0) != nil }) else { return }
    hasRows = true
    switch layout.content {
    case .column(let place):
      guard let time = layout.time else {
        return append(place < fields.count ? fields[place] : [], number, line)
      }
      append(
        place < fields.count ? fields[place] : [], at: time.place < fields.count ? fields[time.place] : [],
        number,
        line)
    case .list: for field in fields { append(field, number, line) }
    }
  }

  private mutating func append(_ field: ArraySlice<UInt8>, _ number: Int, _ line: ArraySlice<UInt8>) {
    guard let rr = interval(field) else { return skip(number, line) }
    append(rr)
  }

  /// Appends an interval of a row with a time, after the gap before it.
  private mutating func append(
    _ field: ArraySlice<UInt8>, at time: ArraySlice<UInt8>, _ number: Int, _ line: ArraySlice<UInt8>
  ) {
    guard let rr = interval(field) else { return skip(number, line) }
    guard let time = times?.time(time) else {
      return skip(number, line, .time(column: layout.time?.name ?? "", intervals: layout.name ?? ""))
    }
    let at = clock.place(rr, time)
    var gap = at.ticks - end.ticks - rr.ticks
    end = at
    // A shorter lead is the drift of a clock.
    guard gap > RowClock.shortestGap else { return append(rr) }
    gaps += 1
    while gap > 0 {
      append(RRInterval(ticks: min(gap, RRText.longestTicks)))
      gap -= RRText.longestTicks
    }
    append(rr)
  }

  private func interval(_ field: ArraySlice<UInt8>) -> RRInterval? {
    let ticks = DecimalNumber(field)?.ticks(perUnit: perUnit, limit: RRText.longestTicks)
    return ticks.flatMap { $0 > 0 ? RRInterval(ticks: $0) : nil }
  }

  private mutating func append(_ rr: RRInterval) {
    count += 1
    buffer.append(rr)
    if buffer.count == Self.batch { flush() }
  }

  private mutating func skip(
    _ number: Int, _ line: ArraySlice<UInt8>, _ reason: RRText.BadLine.Reason = .noInterval
  ) {
    skipped += 1
    guard firstBad == nil else { return }
    firstBad = RRText.BadLine(
      line: number, text: String(decoding: line.prefix(60), as: UTF8.self), reason: reason)
  }

  /// The times follow no series of intervals if there is a gap before most of them.
  var timeFlaw: RRText.BadLine? {
    guard let time = layout.time, gaps > 2, gaps * 4 > count else { return nil }
    return RRText.BadLine(line: 1, text: "", reason: .times(column: time.name, intervals: layout.name ?? ""))
  }

  mutating func finish() -> RRText.Reading<Series> {
    flush()
    return RRText.Reading(
      series: series, count: count, unit: unit, skippedLines: skipped, column: layout.name,
      start: times?.areAbsolute == true ? clock.start : nil)
  }

  private mutating func flush() {
    series.append(buffer)
    buffer.removeAll(keepingCapacity: true)
  }
}
