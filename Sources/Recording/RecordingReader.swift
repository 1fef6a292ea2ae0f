package import HeartRate
import JSONLines
package import Platform
package import SessionData

/// Reads a recording: the header, then the events one by one in constant memory.
///
/// Never traps. Damage is reported with its line number and does not affect the other lines.
package struct RecordingReader: Sendable {
  package let header: RecordingHeader
  /// Invalid members of the header.
  package let headerDamage: [RecordingDamage]
  private let source: ByteSource
  package var path: String { source.path }

  /// The length of the shortest beat of a recording in bytes: four hexadecimal digits of a notification.
  package static let fewestBytesPerBeat = 4

  /// Opens a recording; `-` is standard input.
  /// - Throws: `FileError`, or ``RecordingError`` if the file does not begin with the header of a recording in a known
  ///   version. Damage after the header does not throw.
  package init(path: String) throws { try self.init(ByteSource(path: path)) }

  /// Opens a recording from its beginning.
  /// - Throws: as ``init(path:)``.
  package init(_ source: ByteSource) throws {
    self.source = source
    guard !source.head.isEmpty else { throw FileError(.empty, path: source.path) }
    var lines = LineReader(source)
    do {
      guard let line = try lines.next(), line.zeros == 0, !line.isTooLong else {
        throw RecordingError(.notARecording, path: source.path)
      }
      (header, headerDamage) = try RecordingFormat.header(JSONObject(line.bytes))
    } catch let error as RecordingFormat.HeaderError {
      throw RecordingError(error.code, path: source.path)
    } catch let error as RecordingError {
      throw error
    } catch let error as FileError {
      throw error
    } catch {
      throw RecordingError(.notARecording, path: source.path)
    }
  }

  /// Reads the events of a regular file to count the beats.
  /// - Throws: ``TooManyBeats``.
  package func countBeats() throws(TooManyBeats) {
    var iterator = events().makeIterator()
    while iterator.next() != nil {}
    if let excess = iterator.excess { throw excess }
  }

  /// The events in the order of the file. A regular file can be iterated repeatedly, standard input and pipes only once.
  /// - Parameter report: called with each damage in the order of the file, starting with the header.
  package func events(report: @escaping @Sendable (RecordingDamage) -> Void = { _ in }) -> Events {
    Events(source: source, headerDamage: headerDamage, report: report)
  }

  package struct Events: Sequence, Sendable {
    fileprivate let source: ByteSource
    fileprivate let headerDamage: [RecordingDamage]
    fileprivate let report: @Sendable (RecordingDamage) -> Void

    package func makeIterator() -> Iterator {
      for damage in headerDamage { report(damage) }
      return Iterator(lines: LineReader(source), report: report)
    }
  }

  package struct Iterator: IteratorProtocol {
    private var lines: LineReader
    private let report: @Sendable (RecordingDamage) -> Void
    private var last = SessionTime.zero
    private var count = SessionEvents(.counting())
    fileprivate var excess: TooManyBeats?
    private var hasEnded = false
    private var isOver = false

    fileprivate init(lines: LineReader, report: @escaping @Sendable (RecordingDamage) -> Void) {
      self.lines = lines
      self.report = report
    }

    package mutating func next() -> SessionEvent? {
      while !isOver, let line = nextLine() {
        // The header was read by the initializer.
        if line.number > 1, let event = event(line) { return event }
      }
      return nil
    }

    private mutating func nextLine() -> LineReader.Line? {
      do throws(FileError) {
        return try lines.next()
      } catch {
        isOver = true
        report(RecordingDamage(line: lines.number, .unreadable("\(error)")))
        return nil
      }
    }

    /// The event of a line. Damage is reported, and gives no event.
    private mutating func event(_ line: LineReader.Line) -> SessionEvent? {
      if line.zeros > 0 { report(RecordingDamage(line: line.number, .zeros(line.zeros))) }
      guard !line.bytes.isEmpty else { return nil }
      do {
        guard !line.isTooLong else {
          throw RecordingFormat.LineError(.lineTooLong(limit: LineReader.longestLine))
        }
        let event = try RecordingFormat.event(JSONObject(line.bytes))
        guard !hasEnded else { throw RecordingFormat.LineError(.afterEnd) }
        try count.count(event)
        if !line.isTerminated { report(RecordingDamage(line: line.number, .unterminatedLastLine)) }
        return ordered(event, line: line.number)
      } catch {
        skip(line, because: error)
        return nil
      }
    }

    private mutating func skip(_ line: LineReader.Line, because error: any Error) {
      let reason: RecordingDamage.Reason =
        switch error {
        case _ where !line.isTerminated: .tornLastLine
        case let error as TooManyBeats: .tooManyBeats(limit: error.limit)
        case let error as RecordingFormat.LineError: error.reason
        case let error as JSONSyntaxError: .notJSON(expected: error.expected, offset: error.offset)
        default: .unreadable(String(describing: error))
        }
      excess = error as? TooManyBeats
      isOver = reason == .secondHeader || excess != nil
      report(RecordingDamage(line: line.number, reason))
    }

    /// Ensures that times never decrease.
    private mutating func ordered(_ event: SessionEvent, line: Int) -> SessionEvent {
      var event = event
      if event.at < last {
        report(RecordingDamage(line: line, .timeBackwards))
        event.at = last
      }
      last = event.at
      hasEnded = event.kind == .end
      return event
    }
  }
}
