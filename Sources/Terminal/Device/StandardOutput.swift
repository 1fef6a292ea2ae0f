import Glibc
import Platform

/// Unbuffered standard output, for data. Diagnostics go to standard error (``printDiagnostic(_:)``).
package struct StandardOutput: Sendable {
  package init() {}

  /// - Throws: ``OutputError``.
  package func write(_ text: String) throws {
    var text = text
    try text.withUTF8 { try unsafe write(UnsafeRawBufferPointer($0)) }
  }

  /// - Throws: ``OutputError``.
  package func write(_ bytes: [UInt8]) throws { try unsafe bytes.withUnsafeBytes { try unsafe write($0) } }

  /// Writes all bytes. Waits if the descriptor is non-blocking and the reader is slow.
  ///
  /// - Throws: ``OutputError``.
  package func write(_ bytes: UnsafeRawBufferPointer) throws {
    var rest = unsafe bytes
    while unsafe !rest.isEmpty {
      let written = unsafe Glibc.write(STDOUT_FILENO, rest.baseAddress, rest.count)
      if written > 0 {
        unsafe rest = UnsafeRawBufferPointer(rebasing: rest[written...])
      } else if errno == EAGAIN {
        waitUntilWritable()
      } else if errno != EINTR {
        throw OutputError(errno: errno)
      }
    }
  }

  /// Writes `text` and a line feed.
  ///
  /// - Throws: ``OutputError``.
  package func line(_ text: String) throws { try write(text + "\n") }

  /// Another process that shares the descriptor can set it to non-blocking.
  private func waitUntilWritable() {
    var descriptor = pollfd(fd: STDOUT_FILENO, events: Int16(POLLOUT), revents: 0)
    _ = unsafe poll(&descriptor, 1, -1)
  }

  /// Waits for `seconds`. Returns false as soon as the reader closes the pipe, which otherwise only the next write reports.
  package func waitWhileOpen(seconds: CInt) -> Bool {
    var descriptor = pollfd(fd: STDOUT_FILENO, events: 0, revents: 0)
    return unsafe poll(&descriptor, 1, seconds * 1000) <= 0
  }

  package var isTerminal: Bool { isatty(STDOUT_FILENO) == 1 }

  /// Line width in columns: COLUMNS if it is set, else the width of the terminal (80 if it is unknown). Lines have no limit
  /// if standard output is not a terminal.
  package var width: Int? {
    if let columns = unsafe getenv("COLUMNS").flatMap({ unsafe Int(String(cString: $0)) }), columns > 0 {
      return columns
    }
    guard isTerminal else { return nil }
    let columns = TerminalSize.reported?.columns ?? 0
    return columns > 0 ? columns : 80
  }
}

/// A report as JSON and as text.
package protocol PrintedReport {
  var json: [UInt8] { get }

  /// - Parameter width: columns of the terminal, if standard output is one.
  func text(width: Int?) -> String
}

extension StandardOutput {
  package func write(_ report: some PrintedReport, asJSON: Bool) throws {
    try asJSON ? write(report.json) : write(report.text(width: width))
  }
}

/// A failure to write to standard output.
package enum OutputError: Error, Equatable, CustomStringConvertible {
  /// The reader has closed the pipe (EPIPE), as `head` does after the last line it prints. Not a failure of the command.
  case closedPipe
  case writeFailed(errno: CInt)
  /// The reader did not accept this number of bytes before the timeout.
  case notReadInTime(bytes: Int)

  /// The error for the error number of `write`.
  init(errno: CInt) { self = errno == EPIPE ? .closedPipe : .writeFailed(errno: errno) }

  package var description: String {
    switch self {
    case .closedPipe: "the reader of standard output has closed the pipe"
    case .writeFailed(let code): unsafe "cannot write to standard output: \(String(cString: strerror(code)))"
    case .notReadInTime(let bytes): "the output was not read in time: \(bytes) bytes were discarded"
    }
  }
}

/// The descriptors 0 to 2. A process can be started with some of them closed.
package enum StandardStreams {
  /// Opens /dev/null for each closed descriptor. Otherwise a file opened later would get its number. The access mode is the
  /// opposite one: reading standard input and writing standard output still fail.
  package static func openMissing() {
    for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
      // `open` returns the lowest free descriptor, which is this one.
      _ = unsafe open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
    }
  }
}

/// Writes a line to standard error. Ignores errors. Messages have the priority of warnings in the journal.
package func printDiagnostic(_ text: String) {
  if JournaldMessage.ownsStandardError {
    JournaldMessage(text, .warning).print()
  } else {
    writeDiagnostic(text + "\n")
  }
}

/// Writes `text` to standard error without a line feed. Ignores errors.
func writeDiagnostic(_ text: String) {
  var text = text
  text.withUTF8 { _ = unsafe Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
}
