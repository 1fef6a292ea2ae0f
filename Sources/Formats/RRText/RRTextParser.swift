import HeartRate

/// Makes a series of RR intervals, in one unit, of a text that comes in chunks, cut anywhere.
///
/// What is no RR interval is left out and counted; whether that will do is not decided here.
struct RRTextParser<Series: IntervalSeries> {
  private(set) var series: Series
  private(set) var lines: RRLines
  /// What came and is not read yet: lines behind which there is too little to look ahead.
  private var rest: [UInt8] = []
  /// How far that was searched for the end of a line that can be read.
  private var searched = 0

  /// - Parameter length: Of the whole text, in bytes; an estimate.
  init(unit: RRText.Unit, length: Int) {
    lines = RRLines(unit: unit)
    series = Series(capacity: Self.mostIntervals(length))
  }

  mutating func take(_ chunk: [UInt8]) {
    if rest.isEmpty { rest = chunk } else { rest += chunk }
    let limit = rest.count - RRLines.lookAhead
    guard searched < limit else { return }
    if let feed = rest[searched..<limit].lastIndex(of: UInt8(ascii: "\n")) { read(upTo: feed + 1) }
    searched = max(0, rest.count - RRLines.lookAhead)
  }

  /// Reads what is left: the text ends here.
  mutating func finish() { read(upTo: rest.count) }

  private mutating func read(upTo end: Int) {
    let most = Self.mostIntervals(end)
    let intervals = [RRInterval](unsafeUninitializedCapacity: most) { output, filled in
      rest.withUnsafeBufferPointer { filled = lines.read($0, upTo: end, into: output) }
    }
    series.append(intervals)
    rest.removeFirst(end)
  }

  /// No line with a number is shorter than two bytes. What is not filled is never touched, and costs no memory.
  private static func mostIntervals(_ bytes: Int) -> Int { bytes / 2 + 1 }
}
