import Glibc
package import HeartRate
package import Platform
import Recording

/// A program or a file whose lines are the source of a session (docs/reference/source-protocol.md).
///
/// Standard input, FIFOs and sockets are live: their lines have the time of arrival. The lines of a regular file have the
/// times of their stamps, and are delivered at ``pace``.
package struct ProgramSource: Sendable {
  /// Where the lines come from.
  package enum Input: Equatable, Sendable {
    case standardInput
    /// A FIFO or a device.
    case path(String)
    /// A listening socket of the family AF_UNIX.
    case socket(String)
    /// A regular file, with the time of its last event.
    case file(String, length: Duration)
  }

  package let input: Input
  /// The speed of the lines of a file.
  package let pace: Pace

  /// Opens nothing but a file, which is read once to determine its length.
  /// - Parameters:
  ///   - text: `-`, a path, or `unix:` and the path of a socket.
  ///   - pace: the speed of a file; the default is that of its time stamps.
  /// - Throws: ``SourceError``.
  package init(_ text: String, pace: Pace? = nil) throws(SourceError) {
    input = try Self.input(text)
    guard case .file = input else {
      guard pace == nil else { throw .paceOfLiveSource(text) }
      self.pace = .times(1)
      return
    }
    self.pace = pace ?? .times(1)
  }

  private static func input(_ text: String) throws(SourceError) -> Input {
    if text.hasPrefix("unix:") { return .socket(String(text.dropFirst(5))) }
    var status = stat()
    if text == "-" {
      let isFile = unsafe fstat(STDIN_FILENO, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
      return isFile ? try file("/dev/stdin") : .standardInput
    }
    guard unsafe stat(text, &status) == 0 else {
      guard errno == ENOENT || errno == ENOTDIR else { throw .file(FileError(errno: errno, path: text)) }
      throw .missing(text)
    }
    switch status.st_mode & S_IFMT {
    case S_IFDIR: throw .file(FileError(.isDirectory, path: text))
    case S_IFSOCK: return .socket(text)
    case S_IFREG: return try file(text)
    default: return .path(text)
    }
  }

  private static func file(_ path: String) throws(SourceError) -> Input {
    do throws(FileError) {
      var events = FileLines(try ByteSource(path: path)).makeIterator()
      var end = SessionTime.zero
      while let event = events.next() { end = event.at }
      return .file(path, length: Duration(ticks: end.ticks))
    } catch {
      throw .file(error)
    }
  }

  /// The length of a file in session time.
  var length: Duration? {
    if case .file(_, let length) = input { length } else { nil }
  }

  /// The name of the input in messages.
  package var name: String { input.name }

  /// Passes the events to `run`, which returns when they have ended.
  /// - Parameters:
  ///   - plan: the clocks of the session.
  ///   - warn: called with each of the first unusable lines, and with their number at the end.
  /// - Throws: ``SourceError`` if the input cannot be opened, or contained no usable line; errors of `run`.
  func run(
    _ plan: SessionPlan, duration: Duration?, warn: @escaping @Sendable (String) -> Void,
    _ run: (Feed) async throws -> Void
  ) async throws {
    let log = SourceLog(name: name, warn: warn)
    if case .file(let path, _) = input {
      let lines = FileLines(
        try ByteSource(path: path), started: plan.started, duration: duration, log: log)
      try await run(.file(PacedSource(lines, pace: pace)))
    } else {
      try await run(.live(LiveLines(input: input, log: log, now: { plan.now })))
    }
    try log.finish()
  }

  /// The source that feeds the pipeline.
  enum Feed {
    case live(LiveLines)
    case file(PacedSource<FileLines, ContinuousClock>)
  }
}

extension ProgramSource.Input {
  fileprivate var name: String {
    switch self {
    case .standardInput: "standard input"
    case .path(let path), .file(let path, _): path
    case .socket(let path): "unix:\(path)"
    }
  }
}

/// Why the lines of another program cannot be used as a source.
package enum SourceError: Error, Equatable, Sendable {
  /// There is no FIFO, file or device with this path.
  case missing(String)
  /// The input cannot be opened or read.
  case file(FileError)
  /// No program listens on the socket.
  case noListener(String, reason: String)
  /// A speed was given for an input that is live.
  case paceOfLiveSource(String)
  /// The input ended without a line.
  case empty(String)
  /// No line could be used; the reason of the first.
  case unusable(String, String)
  /// The input ended before a reading had a result.
  case tooShort(String, seconds: Double)
}

/// The events of a file of lines.
struct FileLines: Sequence, Sendable {
  private let source: ByteSource
  private let started: WallTime?
  private let duration: Duration?
  private let log: SourceLog?

  /// - Parameter started: the wall-clock time of the first event, if events need one.
  init(
    _ source: ByteSource, started: WallTime? = nil, duration: Duration? = nil, log: SourceLog? = nil
  ) {
    (self.source, self.started) = (source, started)
    (self.duration, self.log) = (duration, log)
  }

  func makeIterator() -> Iterator { Iterator(self) }

  struct Iterator: IteratorProtocol {
    private let file: FileLines
    private var lines: LineReader
    private var decoder = SourceDecoder(timing: .stamps)
    private var pending: [SessionEvent] = []
    private var isOver = false

    fileprivate init(_ file: FileLines) { (self.file, lines) = (file, LineReader(file.source)) }

    mutating func next() -> SessionEvent? {
      while pending.isEmpty {
        guard !isOver, !decoder.hasEnded, let line = nextLine() else { return nil }
        decode(line)
      }
      let event = pending.removeFirst()
      guard let duration = file.duration, event.at.ticks > duration.ticks else { return event }
      (pending, isOver) = ([], true)
      return nil
    }

    private mutating func nextLine() -> LineReader.Line? {
      do throws(FileError) {
        return try lines.next()
      } catch {
        let damage = RecordingDamage(line: lines.number, .unreadable(error.description))
        file.log?.update(damage, accepted: decoder.accepted)
        return nil
      }
    }

    private mutating func decode(_ line: LineReader.Line) {
      var events: [SessionEvent] = []
      let damage = decoder.decode(
        line.bytes, isTooLong: line.isTooLong, limit: LineReader.longestLine, at: .zero
      ) { [started = file.started] time, kind in
        events.append(SessionEvent(at: time, wall: started?.advanced(ticks: time.ticks), kind))
      }
      pending = events
      file.log?.update(damage, accepted: decoder.accepted)
    }
  }
}

/// The lines of a source that could not be used.
final class SourceLog: Sendable {
  private struct State {
    var skipped = 0
    var accepted = 0
    var first: RecordingDamage?
  }

  /// Number of lines that are reported one by one.
  private static let reported = 5

  let name: String
  private let warn: @Sendable (String) -> Void
  private let state = Locked(State())

  init(name: String, warn: @escaping @Sendable (String) -> Void) { (self.name, self.warn) = (name, warn) }

  func update(_ damage: RecordingDamage?, accepted: Int) {
    let count = state.withLock { state in
      state.accepted = accepted
      guard damage != nil else { return 0 }
      state.first = state.first ?? damage
      state.skipped += 1
      return state.skipped
    }
    if let damage, count <= Self.reported { warn("\(name): \(damage)") }
  }

  /// - Throws: ``SourceError`` if no line was used and the session was not interrupted.
  func finish() throws(SourceError) {
    let (skipped, accepted, first) = state.withLock { ($0.skipped, $0.accepted, $0.first) }
    if skipped > Self.reported {
      warn("\(name): \(skipped) lines with faults, of which \(Self.reported) are reported")
    }
    guard accepted == 0, !Task.isCancelled else { return }
    throw first.map { .unusable(name, "\($0)") } ?? .empty(name)
  }
}
