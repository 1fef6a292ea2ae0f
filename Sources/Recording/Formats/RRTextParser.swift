import HeartRate

/// One pass over a text of RR intervals, in one unit.
///
/// The loop is written for what nearly every line is, a few digits with up to four decimals; whatever else a line
/// may hold goes the slow way.
struct RRTextParser {
  let unit: RRText.Unit
  let options: RRText.Options

  struct Result {
    var text: RRText
    var badLine: RRText.BadLine?
    var belowTen = 0
    var hasHeading = false

    var isBeforeContent: Bool { !hasHeading && text.intervals.isEmpty && text.skippedLines == 0 }

    /// Whether the numbers can only be seconds.
    var mostAreBelowTen: Bool { belowTen * 2 > text.intervals.count }

    func get() throws(RRText.BadLine) -> RRText {
      if let badLine { throw badLine }
      return text
    }
  }

  func parse(_ text: [UInt8]) -> Result {
    var result = Result(text: RRText(intervals: [], unit: unit))
    // RR text has at most some ten bytes a line; growing costs little beyond that.
    result.text.intervals.reserveCapacity(text.count / 6 + 1)
    text.withUnsafeBufferPointer { parse($0, into: &result) }
    return result
  }

  private func parse(_ text: UnsafeBufferPointer<UInt8>, into result: inout Result) {
    let ten = 10 * perUnit
    // Ticks of a number with 0 to 4 decimals.
    let scale = (perUnit, perUnit / 10, perUnit / 100, perUnit / 1000, perUnit / 10_000)
    var line = 1
    var index = text.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    while index < text.count {
      var ticks = Self.plainNumber(text, &index, scale)
      if ticks < 0 {
        switch slowLine(text, &index, line: line, mayBeHeading: result.isBeforeContent) {
        case .interval(let rr): ticks = rr
        case .nothing: ticks = 0
        case .heading:
          result.hasHeading = true
          ticks = 0
        case .bad(let bad):
          result.badLine = options.skipsBadLines ? nil : bad
          if !options.skipsBadLines { return }
          result.text.skippedLines += 1
          ticks = 0
        }
      }
      if ticks > 0 {
        result.text.intervals.append(RRInterval(ticks: ticks))
        if ticks < ten { result.belowTen += 1 }
      }
      line += 1
    }
  }

  private var perUnit: Int64 {
    unit == .milliseconds ? RRInterval.ticksPerMillisecond : RRInterval.ticksPerSecond
  }

  /// The line at `index` when it is `digits[.digits]\n` with at most 7 and 4 of them and not 0, and moves behind
  /// it; else -1, and stays.
  @inline(__always)
  private static func plainNumber(
    _ text: UnsafeBufferPointer<UInt8>, _ index: inout Int, _ scale: (Int64, Int64, Int64, Int64, Int64)
  ) -> Int64 {
    // The longest such line has 13 bytes; the last ones of the text go the slow way.
    guard index + 13 <= text.count else { return -1 }
    var at = index
    var value: Int64 = 0
    var byte = text[at]
    while byte &- 48 < 10 && at < index + 7 {
      value = value * 10 + Int64(byte &- 48)
      at += 1
      byte = text[at]
    }
    guard at > index else { return -1 }
    var unit = scale.0
    if byte == UInt8(ascii: ".") {
      let point = at
      at += 1
      byte = text[at]
      while byte &- 48 < 10 && at < point + 5 {
        value = value * 10 + Int64(byte &- 48)
        at += 1
        byte = text[at]
      }
      switch at - point {
      case 2: unit = scale.1
      case 3: unit = scale.2
      case 4: unit = scale.3
      case 5: unit = scale.4
      default: return -1
      }
    }
    guard byte == UInt8(ascii: "\n"), value > 0, value * unit <= RRText.longestTicks else { return -1 }
    index = at + 1
    return value * unit
  }

  private enum SlowLine {
    case interval(Int64)
    /// A comment or an empty line.
    case nothing
    case heading
    case bad(RRText.BadLine)
  }

  /// The line at `index`, whatever it holds, and moves behind it.
  private func slowLine(
    _ text: UnsafeBufferPointer<UInt8>, _ index: inout Int, line: Int, mayBeHeading: Bool
  ) -> SlowLine {
    let end = text[index...].firstIndex(of: UInt8(ascii: "\n")) ?? text.count
    let content = text[index..<end].trimmed
    index = end + 1
    if content.isEmpty || content.first == UInt8(ascii: "#") { return .nothing }
    if let number = DecimalNumber(content),
      let ticks = number.ticks(perUnit: perUnit, limit: RRText.longestTicks), ticks > 0
    {
      return .interval(ticks)
    }
    let words = String(decoding: content.prefix(60), as: UTF8.self)
    if mayBeHeading, Self.isHeading(words) { return .heading }
    return .bad(RRText.BadLine(line: line, text: words))
  }

  /// Words, and none of those that stand for a number that is none.
  private static func isHeading(_ words: String) -> Bool {
    guard words.drop(while: { $0 == "\"" }).first?.isLetter == true else { return false }
    return !["nan", "inf", "infinity", "null", "na"].contains(words.lowercased())
  }
}

extension Slice<UnsafeBufferPointer<UInt8>> {
  /// Without spaces, tabs and carriage returns around it.
  fileprivate var trimmed: Self {
    var rest = self
    while let first = rest.first, first.isSpace { rest.removeFirst() }
    while let last = rest.last, last.isSpace { rest.removeLast() }
    return rest
  }
}

extension UInt8 {
  fileprivate var isSpace: Bool { self == 0x20 || self == 0x09 || self == 0x0D }
}
