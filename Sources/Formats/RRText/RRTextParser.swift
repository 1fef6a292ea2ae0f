import HeartRate

/// Parses RR text in one unit from chunks of any size into a series.
///
/// Invalid lines are skipped and counted; the caller decides whether they are an error.
struct RRTextParser<Series: IntervalSeries> {
  private(set) var series: Series
  private(set) var lines: RRLines
  /// Unparsed bytes: lines without enough look-ahead.
  private var rest: [UInt8] = []
  /// Number of bytes of `rest` that were searched for line ends.
  private var searched = 0
  /// The line that is longer than ``RRText/longestLine``; the text after it is not read.
  private(set) var longLine: RRText.BadLine?

  /// - Parameter length: estimated length of the whole text in bytes.
  init(unit: RRText.Unit, length: Int) {
    lines = RRLines(unit: unit)
    series = Series(capacity: Self.mostIntervals(length))
  }

  mutating func append(_ chunk: [UInt8]) {
    guard longLine == nil else { return }
    if rest.isEmpty { rest = chunk } else { rest += chunk }
    let limit = rest.count - RRLines.lookAhead
    guard searched < limit else { return }
    if let feed = rest[searched..<limit].lastIndex(of: UInt8(ascii: "\n")) { read(upTo: feed + 1) }
    searched = max(0, rest.count - RRLines.lookAhead)
    if rest.count > RRText.longestLine { refuseLine() }
  }

  private mutating func refuseLine() {
    let text = String(decoding: rest.prefix(60), as: UTF8.self)
    longLine = RRText.BadLine(line: lines.number + 1, text: text, reason: .tooLong(limit: RRText.longestLine))
    rest = []
  }

  /// Parses the remaining bytes at the end of the text.
  mutating func finish() { read(upTo: rest.count) }

  private mutating func read(upTo end: Int) {
    let most = Self.mostIntervals(end)
    let intervals = unsafe [RRInterval](unsafeUninitializedCapacity: most) { output, filled in
      unsafe rest.withUnsafeBufferPointer { filled = unsafe lines.read($0, upTo: end, into: output) }
    }
    series.append(intervals)
    rest.removeFirst(end)
  }

  /// A line with a number has at least two bytes. Unused capacity is never touched and costs no memory.
  private static func mostIntervals(_ bytes: Int) -> Int { bytes / 2 + 1 }
}
