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
    /// Whether neither a heading, nor a number, nor a bad line has come yet.
    var isBeforeContent = true

    /// Whether the numbers can only be seconds.
    var mostAreBelowTen: Bool { belowTen * 2 > text.intervals.count }

    func get() throws(RRText.BadLine) -> RRText {
      if let badLine { throw badLine }
      return text
    }
  }

  func parse(_ text: [UInt8]) -> Result {
    var result = Result(text: RRText(intervals: [], unit: unit))
    // No line with a number is shorter than two bytes. What is not filled is never touched, and costs no memory.
    let capacity = text.count / 2 + 1
    result.text.intervals = [RRInterval](unsafeUninitializedCapacity: capacity) { output, count in
      text.withUnsafeBufferPointer { parse($0, output, &count, &result) }
    }
    return result
  }

  private func parse(
    _ text: UnsafeBufferPointer<UInt8>, _ output: UnsafeMutableBufferPointer<RRInterval>, _ filled: inout Int,
    _ result: inout Result
  ) {
    let scale = (whole: perUnit, tenThousandth: perUnit / 10_000)
    let ten = 10 * perUnit
    var (line, count, belowTen) = (0, 0, 0)
    var index = text.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    while index < text.count {
      line += 1
      var ticks = Self.plainNumber(text, &index, scale)
      if ticks < 0 {
        result.isBeforeContent = result.isBeforeContent && count == 0
        ticks = otherLine(text, &index, line: line, &result)
        if result.badLine != nil { break }
      }
      guard ticks > 0 else { continue }
      output.initializeElement(at: count, to: RRInterval(ticks: ticks))
      count += 1
      belowTen += ticks < ten ? 1 : 0
    }
    filled = count
    result.belowTen = belowTen
  }

  /// The interval of a line that is no plain number; 0 when it has none.
  private func otherLine(
    _ text: UnsafeBufferPointer<UInt8>, _ index: inout Int, line: Int, _ result: inout Result
  ) -> Int64 {
    switch slowLine(text, &index, line: line, mayBeHeading: result.isBeforeContent) {
    case .interval(let ticks): return ticks
    case .nothing: break
    case .heading: result.isBeforeContent = false
    case .bad where options.skipsBadLines:
      result.isBeforeContent = false
      result.text.skippedLines += 1
    case .bad(let bad): result.badLine = bad
    }
    return 0
  }

  private var perUnit: Int64 {
    unit == .milliseconds ? RRInterval.ticksPerMillisecond : RRInterval.ticksPerSecond
  }

  /// The line at `index` when it is `digits[.digits]\n` with at most 7 and 4 of them and not 0, and moves behind
  /// it; else -1, and stays.
  ///
  /// Works on eight bytes at a time: how many digits a line has cannot be foreseen, and a branch on it would cost
  /// more than all the rest.
  @inline(__always)
  private static func plainNumber(
    _ text: UnsafeBufferPointer<UInt8>, _ index: inout Int, _ scale: (whole: Int64, tenThousandth: Int64)
  ) -> Int64 {
    // Eight bytes from behind seven digits and a point; the last lines of the text go the slow way.
    guard index &+ 16 <= text.count else { return -1 }
    let bytes = UnsafeRawBufferPointer(text)
    let whole = EightBytes(bytes, at: index)
    guard whole.digits &- 1 < 7, whole.digits > 0 else { return -1 }
    var end = index &+ whole.digits
    var ticks = whole.number &* scale.whole
    if text[end] == UInt8(ascii: ".") {
      let part = EightBytes(bytes, at: end &+ 1)
      guard part.digits &- 1 < 4, part.digits > 0 else { return -1 }
      ticks &+= part.tenThousandths &* scale.tenThousandth
      end &+= 1 &+ part.digits
    }
    guard text[end] == UInt8(ascii: "\n"), ticks > 0, ticks <= RRText.longestTicks else { return -1 }
    index = end &+ 1
    return ticks
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

/// Eight bytes of text, the first one lowest.
private struct EightBytes {
  private let values: UInt64
  /// How many of them, from the first on, are digits.
  let digits: Int

  @inline(__always)
  init(_ text: UnsafeRawBufferPointer, at offset: Int) {
    let word = UInt64(littleEndian: text.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    values = word ^ 0x3030_3030_3030_3030
    // The high bit of each byte above 9. A carry can come only out of such a byte, and the first one counts.
    let others = (values &+ 0x7676_7676_7676_7676 | values) & 0x8080_8080_8080_8080
    digits = others.trailingZeroBitCount >> 3
  }

  /// The number that the digits make: pairs, then fours, then all eight are added up at once.
  @inline(__always)
  var number: Int64 {
    let eight = values << UInt64(truncatingIfNeeded: 64 &- 8 &* digits)
    let pairs = (eight &* 10 &+ (eight >> 8)) & 0x00FF_00FF_00FF_00FF
    let fours = (pairs &* 100 &+ (pairs >> 16)) & 0x0000_FFFF_0000_FFFF
    return Int64(truncatingIfNeeded: (fours &* 10_000 &+ (fours >> 32)) & 0xFFFF_FFFF)
  }

  /// Up to four digits as decimals: 5 is 5000 ten-thousandths.
  @inline(__always)
  var tenThousandths: Int64 {
    let four = values & ((1 << UInt64(truncatingIfNeeded: 8 &* digits)) &- 1)
    let pairs = (four &* 10 &+ (four >> 8)) & 0x00FF_00FF
    return Int64(truncatingIfNeeded: (pairs &* 100 &+ (pairs >> 16)) & 0xFFFF)
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
