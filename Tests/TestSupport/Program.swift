import Glibc

/// Runs a program with arguments, environment, three pipes and signals.
///
/// The streams are read while one of the methods waits; a program that fills a pipe at another time blocks.
/// Not thread-safe. Deinitialisation kills the process.
package final class Program {
  package enum Status: Equatable, Sendable {
    case exited(CInt)
    case signalled(CInt)
  }

  package enum Failure: Error, CustomStringConvertible {
    case stillRunning(arguments: [String], seconds: Double, output: String, errors: String)
    case noSuchLine(arguments: [String], seconds: Double, output: String, errors: String)
    /// The output contains a value as Swift's reflection describes it instead of a text for people.
    case reflectedValue(arguments: [String], text: String)

    package var description: String {
      switch self {
      case .stillRunning(let arguments, let seconds, let output, let errors):
        "\(arguments) still runs after \(seconds) s; stdout:\n\(output)\nstderr:\n\(errors)"
      case .noSuchLine(let arguments, let seconds, let output, let errors):
        "\(arguments) printed no such line within \(seconds) s; stdout:\n\(output)\nstderr:\n\(errors)"
      case .reflectedValue(let arguments, let text):
        "\(arguments) printed a value without a text form: \(text)"
      }
    }
  }

  package enum Stream: Sendable { case output, errors }

  /// Default timeout in seconds. Only a failing test waits that long; a busy machine needs a generous limit.
  package static let patience = 300.0

  package let processID: Int32
  private let arguments: [String]
  private var input: CInt
  private var output: Collector
  private var errors: Collector
  package private(set) var status: Status?

  /// Starts `path` with `arguments` (without the program name) in the caller's environment with the changes
  /// `environment` (nil removes a variable).
  /// - Throws: ``SystemCallError`` if a pipe or the process cannot be created.
  package init(
    _ path: String, _ arguments: [String] = [], environment: [String: String?] = [:]
  ) throws(SystemCallError) {
    // Writing to a program that no longer reads must be an error of `type`, not terminate the tests.
    Glibc.signal(SIGPIPE, SIG_IGN)
    let standardInput = try Pipe()
    let standardOutput = try Pipe()
    let standardError = try Pipe()
    self.arguments = [path] + arguments
    processID = try spawn(
      self.arguments, environment: merged(environment),
      descriptors: [standardInput.readEnd, standardOutput.writeEnd, standardError.writeEnd])
    standardInput.closeReadEnd()
    standardOutput.closeWriteEnd()
    standardError.closeWriteEnd()
    input = standardInput.writeEnd
    output = Collector(descriptor: standardOutput.readEnd)
    errors = Collector(descriptor: standardError.readEnd)
  }

  deinit {
    if status == nil {
      kill(processID, SIGKILL)
      var raw: CInt = 0
      while waitpid(processID, &raw, 0) < 0, errno == EINTR {}
    }
    closeInput()
    output.close()
    errors.close()
  }

  /// The output so far.
  package var standardOutput: String { output.text }
  package var standardError: String { errors.text }
  package var outputLines: [String] { output.lines }
  package var errorLines: [String] { errors.lines }

  /// Writes `text` to the program's stdin.
  /// - Throws: ``SystemCallError``, for example if the program no longer reads.
  package func type(_ text: String) throws(SystemCallError) {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let written = rest.withUnsafeBytes { write(input, $0.baseAddress, $0.count) }
      if written < 0, errno == EINTR { continue }
      guard written >= 0 else { throw SystemCallError("write to the stdin of \(arguments[0])") }
      rest = rest.dropFirst(written)
    }
  }

  /// Closes the program's stdin.
  package func closeInput() {
    if input >= 0 { Glibc.close(input) }
    input = -1
  }

  /// Closes the reading end of `stream`, like `| head`.
  package func closeReader(of stream: Stream) {
    switch stream {
    case .output: output.close()
    case .errors: errors.close()
    }
  }

  package func signal(_ number: CInt) { kill(processID, number) }

  /// Sends SIGSTOP, and waits until the program has stopped. It continues after SIGCONT.
  package func pause() {
    signal(SIGSTOP)
    var state = siginfo_t()
    waitid(P_PID, id_t(processID), &state, WSTOPPED)
  }

  /// Waits for the first complete line of `stream`, counted from its start, that satisfies `predicate`.
  /// - Throws: ``Failure`` after `seconds`, or if the stream ends without such a line.
  @discardableResult
  package func waitForLine(
    in stream: Stream = .output, seconds: Double = Program.patience, where predicate: (String) -> Bool
  ) throws(Failure) -> String {
    try waitForLines(1, in: stream, seconds: seconds, where: predicate)[0]
  }

  /// Waits for the first `count` complete lines of `stream`, counted from its start, that satisfy
  /// `predicate`.
  /// - Throws: ``Failure`` after `seconds`, or if the stream ends with fewer lines.
  @discardableResult
  package func waitForLines(
    _ count: Int, in stream: Stream = .output, seconds: Double = Program.patience,
    where predicate: (String) -> Bool
  ) throws(Failure) -> [String] {
    let deadline = monotonicSeconds() + seconds
    var looked = 0
    var found: [String] = []
    while true {
      let collector = stream == .output ? output : errors
      let lines = collector.lines
      found += lines.dropFirst(looked).filter(predicate)
      looked = lines.count
      if found.count >= count { return Array(found.prefix(count)) }
      guard !collector.ended, monotonicSeconds() < deadline else {
        throw Failure.noSuchLine(
          arguments: arguments, seconds: seconds, output: output.text, errors: errors.text)
      }
      collect(until: deadline)
    }
  }

  /// Waits for the program to exit and reads the rest of its output.
  /// - Throws: ``Failure`` after `seconds`; the program continues to run. Also if its output contains a value as Swift's
  ///   reflection describes it.
  @discardableResult
  package func waitForExit(seconds: Double = Program.patience) throws(Failure) -> Status {
    let deadline = monotonicSeconds() + seconds
    while true {
      if let status {
        try requireTexts()
        return status
      }
      reap()
      guard monotonicSeconds() < deadline || status != nil else {
        throw Failure.stillRunning(
          arguments: arguments, seconds: seconds, output: output.text, errors: errors.text)
      }
      // Polls at short intervals: if a grandchild keeps the pipes open, the exit closes no pipe and wakes no
      // poll.
      collect(until: min(deadline, monotonicSeconds() + 0.02))
    }
  }

  private func requireTexts() throws(Failure) {
    guard let text = reflectedValue(in: output.bytes) ?? reflectedValue(in: errors.bytes) else { return }
    throw .reflectedValue(arguments: arguments, text: text)
  }

  private func reap() {
    var raw: CInt = 0
    guard waitpid(processID, &raw, WNOHANG) == processID else { return }
    let terminatingSignal = raw & 0x7f
    status = terminatingSignal == 0 ? .exited((raw >> 8) & 0xff) : .signalled(terminatingSignal)
    // Reads what the program wrote before it exited.
    while output.drain() {}
    while errors.drain() {}
  }

  private func collect(until deadline: Double) {
    let milliseconds = CInt(max(0, min(1000, ((deadline - monotonicSeconds()) * 1000).rounded(.up))))
    var descriptors = [output, errors].map { pollfd(fd: $0.descriptor, events: Int16(POLLIN), revents: 0) }
    guard poll(&descriptors, nfds_t(descriptors.count), milliseconds) > 0 else { return }
    if descriptors[0].revents != 0 { output.drain() }
    if descriptors[1].revents != 0 { errors.drain() }
  }
}

extension Program {
  /// Path of the built program: `STRESSMON_BINARY`, or `stressmon` next to the test bundle.
  package static var stressmon: String {
    if let path = getenv("STRESSMON_BINARY") { return String(cString: path) }
    return besideTheTests("stressmon")
  }

  /// Returns the path of another product of the same build.
  package static func besideTheTests(_ name: String) -> String {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    let length = readlink("/proc/self/exe", &buffer, buffer.count)
    let path = String(decoding: buffer.prefix(max(0, length)).map(UInt8.init(bitPattern:)), as: UTF8.self)
    guard let slash = path.lastIndex(of: "/") else { return name }
    return path[..<slash] + "/" + name
  }
}

/// Returns CLOCK_MONOTONIC in seconds.
package func monotonicSeconds() -> Double {
  var now = timespec()
  clock_gettime(CLOCK_MONOTONIC, &now)
  return Double(now.tv_sec) + Double(now.tv_nsec) / 1e9
}
