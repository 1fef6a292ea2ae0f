import Dispatch
import Glibc
import HeartRate
import Platform
import Recording

/// The lines that another program writes to standard input, a FIFO or a socket.
///
/// Lines are read when the previous ones are processed: a program that writes faster is slowed down, and memory is bounded.
/// The sequence ends when the last writer has closed the input, and on cancellation.
struct LiveLines: HeartRateSource {
  let input: ProgramSource.Input
  let log: SourceLog
  let now: @Sendable () -> (at: SessionTime, wall: WallTime)

  func withEvents<Result>(_ body: (Events) async throws -> Result) async throws -> Result {
    let descriptor = try open()
    let wakeUp = WakeUpPipe()
    defer {
      wakeUp.close()
      if descriptor != STDIN_FILENO { _ = Glibc.close(descriptor) }
    }
    return try await body(Events(lines: self, input: ReadableInput(descriptor: descriptor, wakeUp: wakeUp)))
  }

  private func open() throws -> CInt {
    switch input {
    case .standardInput: return STDIN_FILENO
    case .socket(let path): return try Self.connect(path)
    case .path(let path), .file(let path, _):
      // Without O_NONBLOCK, opening a FIFO waits for its writer and cannot be cancelled.
      let descriptor = unsafe Glibc.open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)
      guard descriptor >= 0 else { throw SourceError.file(FileError(errno: errno, path: path)) }
      return descriptor
    }
  }

  private static func connect(_ path: String) throws(SourceError) -> CInt {
    let type = CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue)
    let descriptor = socket(AF_UNIX, type, 0)
    guard descriptor >= 0 else { throw .file(FileError(errno: errno, path: path)) }
    let address = SocketAddress(path.hasPrefix("/") || path.hasPrefix("@") ? path : absolute(path))
    guard let address else {
      _ = Glibc.close(descriptor)
      throw .noListener(path, reason: FileError(errno: ENAMETOOLONG, path: path).reason)
    }
    guard unsafe address.withPointer({ unsafe Glibc.connect(descriptor, $0, $1) }) == 0 else {
      let reason = FileError(errno: errno, path: path).reason
      _ = Glibc.close(descriptor)
      throw .noListener(path, reason: reason)
    }
    return descriptor
  }

  private static func absolute(_ path: String) -> String {
    guard let folder = unsafe getcwd(nil, 0) else { return path }
    defer { unsafe free(folder) }
    return unsafe "\(String(cString: folder))/\(path)"
  }

  struct Events: AsyncSequence {
    fileprivate let lines: LiveLines
    fileprivate let input: ReadableInput

    func makeAsyncIterator() -> Iterator { Iterator(lines, input) }
  }

  struct Iterator: AsyncIteratorProtocol {
    /// Time without a line after which displayed values are stale.
    private static let patience = Duration.seconds(10)

    private let lines: LiveLines
    private let input: ReadableInput
    private var splitter = LineBuffer()
    private var decoder = SourceDecoder(timing: .arrival)
    private var pending: [SessionEvent] = []
    private var isOver = false

    fileprivate init(_ lines: LiveLines, _ input: ReadableInput) {
      (self.lines, self.input) = (lines, input)
      let now = lines.now()
      let reason = "waiting for lines from \(lines.log.name)"
      pending = [SessionEvent(at: now.at, wall: now.wall, .link(LinkChange(.connecting, reason: reason)))]
    }

    mutating func next() async throws -> SessionEvent? {
      while pending.isEmpty {
        if let line = splitter.next() {
          decode(line)
          continue
        }
        guard !isOver else { return nil }
        switch await input.read(waiting: Self.patience) {
        case .bytes(let bytes): splitter.append(bytes[...])
        case .timeout:
          if let kind = decoder.stalled() { append(lines.now().at, kind) }
        case .end:
          isOver = true
          if let line = splitter.rest() { decode(line) }
        case .cancelled: return nil
        }
        isOver = isOver || decoder.hasEnded
      }
      return pending.removeFirst()
    }

    private mutating func decode(_ line: LineBuffer.Line) {
      var kinds: [(SessionTime, SessionEvent.Kind)] = []
      let damage = decoder.decode(line.bytes, isTooLong: line.isTooLong, at: lines.now().at) {
        kinds.append(($0, $1))
      }
      for (time, kind) in kinds { append(time, kind) }
      lines.log.update(damage, accepted: decoder.accepted)
    }

    private mutating func append(_ time: SessionTime, _ kind: SessionEvent.Kind) {
      pending.append(SessionEvent(at: time, wall: lines.now().wall, kind))
    }
  }
}

/// A descriptor that is read without blocking a thread of the concurrency pool.
struct ReadableInput: Sendable {
  enum Outcome: Sendable {
    case bytes([UInt8])
    case timeout
    case end
    case cancelled
  }

  private static let queue = DispatchQueue(label: "stressmon.source", attributes: .concurrent)
  private static let chunk = 1 << 14

  let descriptor: CInt
  let wakeUp: WakeUpPipe

  /// Waits for bytes and returns those that are available.
  func read(waiting patience: Duration) async -> Outcome {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        Self.queue.async { continuation.resume(returning: wait(patience)) }
      }
    } onCancel: {
      wakeUp.notify()
    }
  }

  private func wait(_ patience: Duration) -> Outcome {
    let due = SystemClock.boot + patience.nanoseconds
    while true {
      var inputs = [descriptor, wakeUp.readEnd].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
      let left = (due - SystemClock.boot) / 1_000_000
      guard left > 0 else { return .timeout }
      guard unsafe poll(&inputs, 2, CInt(left)) > 0 else { continue }
      if inputs[1].revents != 0 { return .cancelled }
      if let outcome = readAvailable() { return outcome }
    }
  }

  /// Nil if a signal interrupted the call, or nothing is available.
  private func readAvailable() -> Outcome? {
    var (count, error) = (0, CInt(0))
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: Self.chunk) { buffer, filled in
      count = unsafe Glibc.read(descriptor, buffer.baseAddress, Self.chunk)
      error = errno
      filled = max(0, count)
    }
    if count > 0 { return .bytes(bytes) }
    return count < 0 && (error == EINTR || error == EAGAIN) ? nil : .end
  }
}
