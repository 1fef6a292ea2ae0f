import HeartRate
import JSONLines
import Platform
import SessionData

/// Reads rows with an interval and a time as one session.
struct RowReader {
  let format: FileFormat
  let source: ByteSource
  let skipsBadLines: Bool
  let mode: SessionEvents.Mode

  /// A parsed row, or the reason why it is invalid.
  enum Row {
    case beat(RRInterval, FileSession.Start)
    case bad(String)
  }

  /// - Parameter row: parses a line after the heading, which is the first non-empty line.
  func session(_ row: (Substring) -> Row) throws -> FileSession {
    var lines = TextLines(source, format)
    _ = try lines.next()
    var clock = RowClock()
    var session = FileSession()
    var events = SessionEvents(mode)
    var (last, long) = (Int64?.none, 0)
    while let line = try lines.next() {
      switch row(line.text) {
      case .beat(let rr, let time):
        let reading = time.reading.microseconds
        if let last, abs(reading - last) >= TimeStatistics.longStep { long += 1 }
        last = reading
        try events.append(SessionEvent(at: clock.place(rr, time), .interval(rr)))
      case .bad(_) where skipsBadLines: session.skipped += 1
      case .bad(let why): throw lines.malformed(why, at: line.number)
      }
    }
    guard long < 2 || long * 2 < events.beats - 1 else {
      throw lines.malformed(
        "the rows are minutes or days apart: they are results, such as daily averages, and not successive RR intervals",
        at: 2)
    }
    session.start = clock.start
    session.events = events.all
    session.end()
    return session
  }
}

/// Reads the non-empty lines of a text, without surrounding white space.
struct TextLines {
  private let format: FileFormat
  private let source: ByteSource
  private var lines: LineReader

  init(_ source: ByteSource, _ format: FileFormat) {
    self.source = source
    self.format = format
    lines = LineReader(source)
  }

  /// Reads the next line.
  mutating func next() throws -> (number: Int, text: Substring)? {
    while let line = try lines.next() {
      guard !line.isTooLong else {
        throw malformed("longer than \(LineReader.longestLine) bytes", at: line.number)
      }
      let isFirst = line.number == 1 && line.bytes.starts(with: [0xEF, 0xBB, 0xBF])
      let text = String(decoding: isFirst ? line.bytes.dropFirst(3) : line.bytes[...], as: UTF8.self)
      let content = text.drop(while: \.isWhitespace)
      if let last = content.lastIndex(where: { !$0.isWhitespace }) { return (line.number, content[...last]) }
    }
    return nil
  }

  func malformed(_ why: String, at line: Int) -> FormatError {
    FormatError(.malformed(format, .line(line), why), path: source.path)
  }
}

extension FileSession {
  /// Appends the end of the session at the time of the last event.
  mutating func end() {
    events.append(SessionEvent(at: events.last?.at ?? .zero, .end))
  }
}

extension RRInterval {
  /// Parses an interval in ms. Fails if the number is malformed, not positive, or 24 h or longer.
  init?(millisecondsIn text: some StringProtocol) {
    guard let number = DecimalNumber(Array(text.utf8)[...]),
      let ticks = number.ticks(perUnit: Self.ticksPerMillisecond, limit: RRText.longestTicks), ticks > 0
    else { return nil }
    self.init(ticks: ticks)
  }
}
