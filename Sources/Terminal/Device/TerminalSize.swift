import Glibc

/// The size of the terminal on standard output, in characters.
package struct TerminalSize: Equatable {
  package var columns: Int
  package var rows: Int
  /// How often the process continued after a stop: a block drawn before is not at the cursor any more.
  package var timesContinued = 0

  package init(columns: Int, rows: Int, timesContinued: Int = 0) {
    (self.columns, self.rows, self.timesContinued) = (columns, rows, timesContinued)
  }

  /// The current size; 80 by 24 if it is unknown.
  package static var current: TerminalSize {
    let continued = TerminalSignalHandlers.timesContinued
    guard let (columns, rows) = reported, columns > 0, rows > 1 else {
      return TerminalSize(columns: 80, rows: 24, timesContinued: continued)
    }
    return TerminalSize(columns: columns, rows: rows, timesContinued: continued)
  }

  /// The size that the kernel reports; 0 is an unknown size. Nil if standard output is not a terminal.
  static var reported: (columns: Int, rows: Int)? {
    var size = winsize()
    guard unsafe ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0 else { return nil }
    return (Int(size.ws_col), Int(size.ws_row))
  }
}
