import HeartRate
import JSONLines
import SessionData

/// Parses lines of RR intervals in one unit.
///
/// The fast path handles lines of a few digits with up to four decimals. All other lines take the slow path.
struct RRLines {
  let unit: RRText.Unit
  /// Number of intervals.
  private(set) var count = 0
  private(set) var skipped = 0
  private(set) var firstBad: RRText.BadLine?
  private var belowTen = 0
  /// Number of lines.
  private(set) var number = 0
  /// Whether a heading or a bad line was found.
  private var hasWords = false
  /// Whether a line may have several fields: one with a separator or a quotation mark that is not a heading.
  private(set) var mayBeTable = false

  init(unit: RRText.Unit) { self.unit = unit }

  /// Whether most numbers are below 10. The unit is then s.
  var mostAreBelowTen: Bool { belowTen * 2 > count }

  /// Number of bytes that the fast path can read from the beginning of a line.
  static let lookAhead = EightBytes.lookAhead

  /// Parses the complete lines before `end`. Later bytes are used only as look-ahead.
  /// - Returns: the number of intervals written to `output`.
  mutating func read(
    _ text: UnsafeBufferPointer<UInt8>, upTo end: Int, into output: UnsafeMutableBufferPointer<RRInterval>
  ) -> Int {
    // Read once: it is a global variable of another module, and each access checks whether it is initialized.
    let scale: Scale = (perUnit, perUnit / 10_000, RRText.longestTicks)
    let ten = 10 * perUnit
    var (filled, belowTen) = (0, 0)
    var index = unsafe number == 0 && text.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    var number = number
    while index < end {
      number &+= 1
      var ticks = unsafe Self.plainNumber(text, &index, scale)
      if ticks < 0 { ticks = unsafe slowLine(text[..<end], &index, number, isFirst: count + filled == 0) }
      guard ticks > 0 else { continue }
      unsafe output.initializeElement(at: filled, to: RRInterval(ticks: ticks))
      filled &+= 1
      belowTen &+= ticks < ten ? 1 : 0
    }
    self.number = number
    self.belowTen += belowTen
    count += filled
    return filled
  }

  private var perUnit: Int64 {
    unit == .milliseconds ? RRInterval.ticksPerMillisecond : RRInterval.ticksPerSecond
  }

  /// Ticks of one unit and of 1/10,000 of it, and the longest interval.
  private typealias Scale = (whole: Int64, tenThousandth: Int64, longest: Int64)

  /// Fast path: the interval of a line `digits[.digits]\n` with at most 7 and 4 digits and not 0, advancing `index` past the
  /// line. Returns -1 and leaves `index` unchanged for other lines.
  ///
  /// Processes eight bytes at a time, because branches on the unpredictable number of digits would dominate the run time.
  @inline(__always)
  private static func plainNumber(
    _ text: UnsafeBufferPointer<UInt8>, _ index: inout Int, _ scale: Scale
  ) -> Int64 {
    // The last lines of the text take the slow path.
    guard index &+ EightBytes.lookAhead <= text.count else { return -1 }
    let bytes = UnsafeRawBufferPointer(text)
    let whole = unsafe EightBytes(bytes, at: index)
    guard whole.digits &- 1 < 7, whole.digits > 0 else { return -1 }
    var end = index &+ whole.digits
    var ticks = whole.number &* scale.whole
    if unsafe text[end] == UInt8(ascii: ".") {
      let part = unsafe EightBytes(bytes, at: end &+ 1)
      guard part.digits &- 1 < 4, part.digits > 0 else { return -1 }
      ticks &+= part.tenThousandths &* scale.tenThousandth
      end &+= 1 &+ part.digits
    }
    guard unsafe text[end] == UInt8(ascii: "\n"), ticks > 0, ticks <= scale.longest else { return -1 }
    index = end &+ 1
    return ticks
  }

  /// Slow path: the interval of any line, advancing `index` past the line. Returns 0 for a line without an interval.
  ///
  /// Not inlined, to keep registers free for the loop.
  @inline(never)
  private mutating func slowLine(
    _ text: Slice<UnsafeBufferPointer<UInt8>>, _ index: inout Int, _ number: Int, isFirst: Bool
  ) -> Int64 {
    let end = unsafe text[index...].firstIndex(of: UInt8(ascii: "\n")) ?? text.endIndex
    let content = unsafe text[index..<end].trimmed
    index = end + 1
    if unsafe content.isEmpty || content.first == UInt8(ascii: "#") { return 0 }
    mayBeTable =
      unsafe mayBeTable
      || content.contains(where: FieldSeparator.mayDelimit) && content.contains(where: \.isDigit)
    if let number = unsafe DecimalNumber(content.withoutQuotes),
      let ticks = number.ticks(perUnit: perUnit, limit: RRText.longestTicks), ticks > 0
    {
      return ticks
    }
    unsafe handleText(String(decoding: content.prefix(60), as: UTF8.self), number, isFirst: isFirst)
    return 0
  }

  /// Handles a line without an interval: a heading before the first interval, or a bad line.
  private mutating func handleText(_ words: String, _ number: Int, isFirst: Bool) {
    let mayBeHeading = isFirst && !hasWords
    hasWords = true
    if mayBeHeading, Self.isHeading(words) { return }
    skipped += 1
    if firstBad == nil { firstBad = RRText.BadLine(line: number, text: words) }
  }

  /// Whether the text begins with a letter and is not a name for a missing or infinite number.
  private static func isHeading(_ words: String) -> Bool {
    guard words.drop(while: { $0 == "\"" }).first?.isLetter == true else { return false }
    return !["nan", "inf", "infinity", "null", "na"].contains(words.lowercased())
  }
}

extension Slice<UnsafeBufferPointer<UInt8>> {
  /// The slice without surrounding spaces, tabs and carriage returns.
  fileprivate var trimmed: Self {
    var rest = self
    while let first = unsafe rest.first, first.isLineSpace { unsafe rest.removeFirst() }
    while let last = unsafe rest.last, last.isLineSpace { unsafe rest.removeLast() }
    return unsafe rest
  }

  /// Without the quotation marks around it.
  fileprivate var withoutQuotes: Self {
    let quote = UInt8(ascii: "\"")
    return unsafe count > 2 && first == quote && last == quote
      ? self[(startIndex + 1)..<(endIndex - 1)].trimmed : self
  }
}

extension UInt8 {
  fileprivate var isDigit: Bool { (48...57).contains(self) }
}

/// Eight bytes of text as a little-endian number.
private struct EightBytes {
  /// Seven digits, a point, and eight more bytes.
  static let lookAhead = 16

  private let values: UInt64
  /// Number of leading digits.
  let digits: Int

  @inline(__always)
  init(_ text: UnsafeRawBufferPointer, at offset: Int) {
    let word = unsafe UInt64(littleEndian: text.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    values = word ^ 0x3030_3030_3030_3030
    // Sets the high bit of each byte above 9. Only such a byte can carry, and only the first one matters.
    let others = (values &+ 0x7676_7676_7676_7676 | values) & 0x8080_8080_8080_8080
    digits = others.trailingZeroBitCount >> 3
  }

  /// The value of the digits: combines pairs, then fours, then all eight in parallel.
  @inline(__always)
  var number: Int64 {
    let eight = values << UInt64(truncatingIfNeeded: 64 &- 8 &* digits)
    let pairs = (eight &* 10 &+ (eight >> 8)) & 0x00FF_00FF_00FF_00FF
    let fours = (pairs &* 100 &+ (pairs >> 16)) & 0x0000_FFFF_0000_FFFF
    return Int64(truncatingIfNeeded: (fours &* 10_000 &+ (fours >> 32)) & 0xFFFF_FFFF)
  }

  /// Up to four digits as decimals, in ten-thousandths: 5 is 5000.
  @inline(__always)
  var tenThousandths: Int64 {
    let four = values & ((1 << UInt64(truncatingIfNeeded: 8 &* digits)) &- 1)
    let pairs = (four &* 10 &+ (four >> 8)) & 0x00FF_00FF
    return Int64(truncatingIfNeeded: (pairs &* 100 &+ (pairs >> 16)) & 0xFFFF)
  }
}
