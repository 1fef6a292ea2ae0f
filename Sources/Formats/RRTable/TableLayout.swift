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
  /// The column for messages: its heading, else its number; nil for a list.
  let name: String?
  /// The unit in the heading, else the one that follows from the magnitude of the numbers.
  let impliedUnit: RRText.Unit

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

/// Reads the RR intervals of a table, line by line.
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

  /// Number of intervals that are appended to the series at once.
  private static var batch: Int { 4096 }

  init(_ layout: TableLayout, unit: RRText.Unit?, length: Int) {
    self.layout = layout
    self.unit = unit ?? layout.impliedUnit
    perUnit = self.unit == .milliseconds ? RRInterval.ticksPerMillisecond : RRInterval.ticksPerSecond
    // A row with an index and an interval usually has at least eight bytes.
    series = Series(capacity: length / 8)
  }

  mutating func append(_ number: Int, _ line: ArraySlice<UInt8>) {
    let fields = layout.separator.fields(line)
    guard hasRows || fields.contains(where: { DecimalNumber($0) != nil }) else { return }
    hasRows = true
    switch layout.content {
    case .column(let place): append(place < fields.count ? fields[place] : [], number, line)
    case .list: for field in fields { append(field, number, line) }
    }
  }

  private mutating func append(_ field: ArraySlice<UInt8>, _ number: Int, _ line: ArraySlice<UInt8>) {
    let ticks = DecimalNumber(field)?.ticks(perUnit: perUnit, limit: RRText.longestTicks)
    guard let ticks, ticks > 0 else {
      skipped += 1
      if firstBad == nil {
        firstBad = RRText.BadLine(line: number, text: String(decoding: line.prefix(60), as: UTF8.self))
      }
      return
    }
    count += 1
    buffer.append(RRInterval(ticks: ticks))
    if buffer.count == Self.batch { flush() }
  }

  mutating func finish() -> RRText.Reading<Series> {
    flush()
    return RRText.Reading(
      series: series, count: count, unit: unit, skippedLines: skipped, column: layout.name)
  }

  private mutating func flush() {
    series.append(buffer)
    buffer.removeAll(keepingCapacity: true)
  }
}
