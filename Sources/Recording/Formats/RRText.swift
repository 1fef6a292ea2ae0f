public import HeartRate

/// RR intervals of a text file, one per line, in the order of the file.
///
/// A line holds one number: digits with a decimal point or comma, an exponent if need be, white space around it. Empty lines,
/// lines that begin with `#`, a byte order mark and carriage returns are passed over, and so is one line of words
/// before the first number (`RR (ms)`). Numbers up to 0.0001 ms are exact; further decimals are rounded to
/// the nearest tick of 1/80,000 ms.
public struct RRText: Equatable, Sendable {
  public enum Unit: String, Sendable, CaseIterable {
    case milliseconds = "ms"
    case seconds = "s"
  }

  public struct Options: Equatable, Sendable {
    /// The unit of the numbers; nil: seconds when most numbers of the file are below 10, else ms.
    public var unit: Unit?
    /// Whether to leave out lines that are no RR interval, and count them.
    public var skipsBadLines: Bool

    public init(unit: Unit? = nil, skipsBadLines: Bool = false) {
      self.unit = unit
      self.skipsBadLines = skipsBadLines
    }
  }

  /// A line that is no RR interval: no number, 0 or negative, or 24 h and longer.
  public struct BadLine: Error, Equatable, Sendable, CustomStringConvertible {
    /// From 1 on.
    public var line: Int
    /// What it says; the first 60 bytes of it.
    public var text: String

    public var description: String { "line \(line) is no RR interval: \"\(text.printable)\"" }
  }

  public var intervals: [RRInterval]
  public var unit: Unit
  /// How many lines were left out.
  public var skippedLines: Int

  public init(intervals: [RRInterval], unit: Unit = .milliseconds, skippedLines: Int = 0) {
    self.intervals = intervals
    self.unit = unit
    self.skippedLines = skippedLines
  }

  /// No RR is as long: 24 h, in ticks.
  static let longestTicks = 86_400 * RRInterval.ticksPerSecond - 1

  /// Reads the whole text.
  /// - Throws: ``BadLine`` for the first line that is no RR interval, unless such lines are skipped.
  /// - Complexity: O(bytes).
  public init(_ text: [UInt8], options: Options = Options()) throws(BadLine) {
    let reading: Result<Reading<[RRInterval]>, BadLine> = Self.read(options, length: text.count) {
      $0.take(text)
    }
    try self.init(reading.get())
  }

  /// The intervals as events, each at the exact running sum of those up to it, and the end of the session.
  public var events: Events { Events(intervals: intervals) }

  public struct Events: Sequence, Sendable {
    let intervals: [RRInterval]

    public func makeIterator() -> Iterator { Iterator(rest: intervals[...]) }
  }

  public struct Iterator: IteratorProtocol {
    fileprivate var rest: ArraySlice<RRInterval>
    private var sum = SessionTime.zero
    private var hasEnded = false

    fileprivate init(rest: ArraySlice<RRInterval>) { self.rest = rest }

    public mutating func next() -> SessionEvent? {
      if let rr = rest.popFirst() {
        sum = sum + rr
        return SessionEvent(at: sum, .interval(rr))
      }
      defer { hasEnded = true }
      return hasEnded ? nil : SessionEvent(at: sum, .end)
    }
  }
}
