public import HeartRate
import JSONLines

/// A recording: its header, and its events one by one, in constant memory.
///
/// No byte makes it trap, and no damage makes it lose what is whole: each flaw is reported with its line, and the rest is kept.
public struct RecordingReader: Sendable {
  public let header: RecordingHeader
  /// What in the header could not be used.
  public let headerDamage: [RecordingDamage]
  private let source: ByteSource
  public var path: String { source.path }

  /// Opens a recording; `-` is standard input.
  /// - Throws: when there is no such file, or it does not begin with the header of a recording that this version
  ///   can read. Not thrown for damage after the header.
  public init(path: String) throws(RecordingError) { try self.init(ByteSource(path: path)) }

  init(_ source: ByteSource) throws(RecordingError) {
    self.source = source
    guard !source.head.isEmpty else { throw RecordingError(.empty, path: source.path) }
    var lines = LineSplitter(source)
    do {
      guard let line = try lines.next(), line.zeros == 0, !line.isTooLong else {
        throw RecordingError(.notARecording, path: source.path)
      }
      (header, headerDamage) = try RecordingFormat.header(JSONObject(line.bytes))
    } catch let flaw as RecordingFormat.RecordingErrorCode {
      throw RecordingError(flaw.code, path: source.path)
    } catch let error as RecordingError {
      throw error
    } catch {
      throw RecordingError(.notARecording, path: source.path)
    }
  }

  /// The events; `report` hears of each damage when the events come to it, in order, those of the header first.
  ///
  /// A file may be gone through any number of times, standard input and pipes once.
  public func events(report: @escaping @Sendable (RecordingDamage) -> Void = { _ in }) -> Events {
    Events(source: source, headerDamage: headerDamage, report: report)
  }

  public struct Events: Sequence, Sendable {
    fileprivate let source: ByteSource
    fileprivate let headerDamage: [RecordingDamage]
    fileprivate let report: @Sendable (RecordingDamage) -> Void

    public func makeIterator() -> Iterator {
      for damage in headerDamage { report(damage) }
      return Iterator(lines: LineSplitter(source), report: report)
    }
  }

  public struct Iterator: IteratorProtocol {
    private var lines: LineSplitter
    private let report: @Sendable (RecordingDamage) -> Void
    private var last = SessionTime.zero
    private var hasEnded = false
    private var isOver = false

    fileprivate init(lines: LineSplitter, report: @escaping @Sendable (RecordingDamage) -> Void) {
      self.lines = lines
      self.report = report
    }

    public mutating func next() -> SessionEvent? {
      while !isOver, let line = nextLine() {
        // The header was read when the file was opened.
        if line.number > 1, let event = event(line) { return event }
      }
      return nil
    }

    private mutating func nextLine() -> LineSplitter.Line? {
      do throws(RecordingError) {
        return try lines.next()
      } catch {
        isOver = true
        report(RecordingDamage(line: lines.number, .unreadable("\(error)")))
        return nil
      }
    }

    /// The event of a line, if it has one. What is wrong with the line is reported.
    private mutating func event(_ line: LineSplitter.Line) -> SessionEvent? {
      if line.zeros > 0 { report(RecordingDamage(line: line.number, .zeros(line.zeros))) }
      guard !line.bytes.isEmpty else { return nil }
      do {
        guard !line.isTooLong else {
          throw RecordingFormat.Flaw(.lineTooLong(limit: LineSplitter.longestLine))
        }
        let event = try RecordingFormat.event(JSONObject(line.bytes))
        guard !hasEnded else { throw RecordingFormat.Flaw(.afterEnd) }
        if !line.isTerminated { report(RecordingDamage(line: line.number, .unterminatedLastLine)) }
        return ordered(event, line: line.number)
      } catch {
        skip(line, because: error)
        return nil
      }
    }

    private mutating func skip(_ line: LineSplitter.Line, because error: any Error) {
      let reason: RecordingDamage.Reason =
        switch error {
        case _ where !line.isTerminated: .tornLastLine
        case let flaw as RecordingFormat.Flaw: flaw.reason
        case let flaw as JSONFlaw: .notJSON(expected: flaw.expected, offset: flaw.offset)
        default: .unreadable("\(error)")
        }
      isOver = reason == .secondHeader
      report(RecordingDamage(line: line.number, reason))
    }

    /// Events come in the order of their times, whatever a file says.
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
