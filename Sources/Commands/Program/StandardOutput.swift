import Glibc

/// The reader of a pipe went away. Not a failure: whoever asked has seen enough.
struct ClosedPipe: Error {}

/// Data goes to standard output, each piece at once; talk goes to standard error.
struct StandardOutput: Sendable {
  /// - Throws: ``ClosedPipe`` when nobody reads any more; ``CommandFailure`` when the disk behind it is full.
  func write(_ text: String) throws {
    var text = text
    try text.withUTF8 { try write(UnsafeRawBufferPointer($0)) }
  }

  func write(_ bytes: [UInt8]) throws { try bytes.withUnsafeBytes { try write($0) } }

  func write(_ bytes: UnsafeRawBufferPointer) throws {
    var rest = bytes
    while !rest.isEmpty {
      let written = Glibc.write(STDOUT_FILENO, rest.baseAddress, rest.count)
      if written > 0 {
        rest = UnsafeRawBufferPointer(rebasing: rest[written...])
      } else if errno == EAGAIN {
        waitUntilWritable()
      } else if errno != EINTR {
        throw Self.failure(errno)
      }
    }
  }

  /// What it means that it could not be written.
  static func failure(_ code: CInt) -> any Error {
    code == EPIPE
      ? ClosedPipe()
      : CommandFailure(.failed, "cannot write to standard output: \(String(cString: strerror(code)))")
  }

  func line(_ text: String) throws { try write(text + "\n") }

  /// A pipe that somebody set to non-blocking: wait for its reader.
  private func waitUntilWritable() {
    var descriptor = pollfd(fd: STDOUT_FILENO, events: Int16(POLLOUT), revents: 0)
    _ = poll(&descriptor, 1, -1)
  }

  /// Lets time pass. False as soon as nobody reads any more, which would otherwise show with the next line only.
  func waits(forSeconds seconds: CInt) -> Bool {
    var descriptor = pollfd(fd: STDOUT_FILENO, events: 0, revents: 0)
    return poll(&descriptor, 1, seconds * 1000) <= 0
  }

  var isTerminal: Bool { isatty(STDOUT_FILENO) == 1 }

  /// Width of a line in columns: COLUMNS where it is set, else that of the terminal; nil, for no limit, where standard
  /// output is not a terminal.
  var width: Int? {
    if let columns = getenv("COLUMNS").flatMap({ Int(String(cString: $0)) }), columns > 0 { return columns }
    guard isTerminal else { return nil }
    var size = winsize()
    return ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0 ? Int(size.ws_col) : 80
  }
}

/// Says something to the person, beside the data.
func say(_ text: String) {
  var line = text + "\n"
  line.withUTF8 { _ = Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
}
