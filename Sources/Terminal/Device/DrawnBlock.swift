import Glibc

/// A block of lines at the end of the terminal's output. Only lines that change are redrawn.
///
/// It neither hides the cursor nor switches a mode of the terminal, so no state has to be restored after a crash.
package struct DrawnBlock {
  private var lines: [String] = []
  private var size: TerminalSize?

  package init() {}

  /// Returns the text that replaces the previous block by `lines`; empty if they are equal.
  package mutating func frame(_ lines: [String], on size: TerminalSize) -> String {
    var frame = begin(on: size)
    guard lines != self.lines else { return frame }
    if !self.lines.isEmpty { frame += "\u{1B}[\(self.lines.count)A\r" }
    var unchanged = 0
    for (row, line) in lines.enumerated() {
      if row < self.lines.count, self.lines[row] == line {
        unchanged += 1
      } else {
        frame += Self.down(unchanged) + "\u{1B}[2K\(line)\n"
        unchanged = 0
      }
    }
    frame += Self.down(unchanged)
    if lines.count < self.lines.count { frame += "\u{1B}[0J" }
    self.lines = lines
    return frame
  }

  /// Clears the screen after a change of size, because the position of wrapped lines is unknown. After a stop, starts a new
  /// block below the output of other programs.
  private mutating func begin(on size: TerminalSize) -> String {
    defer { self.size = size }
    guard let before = self.size, before != size else { return "" }
    lines = []
    return before.timesContinued == size.timesContinued ? "\u{1B}[H\u{1B}[2J" : ""
  }

  private static func down(_ rows: Int) -> String { rows > 0 ? "\u{1B}[\(rows)B" : "" }
}

/// A ``DrawnBlock`` on standard output, redrawn at most ten times a second.
package struct RedrawnLines: Sendable {
  private let output: NonblockingOutput
  private let clock = ContinuousClock()
  private var block = DrawnBlock()
  private var lastDrawn: ContinuousClock.Instant?

  private static let interval = Duration.milliseconds(100)

  package init(to output: NonblockingOutput) { self.output = output }

  /// Draws a frame unless the previous one is less than 100 ms old or not yet accepted by the terminal.
  ///
  /// - Throws: ``OutputError``.
  package mutating func drawIfDue(_ lines: (TerminalSize) -> [String]) throws {
    let now = clock.now
    if let lastDrawn, lastDrawn.duration(to: now) < Self.interval { return }
    lastDrawn = now
    if try !output.isBehind() { try draw(lines) }
  }

  /// Draws a frame. Writes nothing if it equals the previous one.
  ///
  /// - Throws: ``OutputError``.
  package mutating func draw(_ lines: (TerminalSize) -> [String]) throws {
    let size = TerminalSize.current
    let frame = block.frame(lines(size), on: size)
    if !frame.isEmpty { try output.write(frame) }
  }
}

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

  /// The size that the kernel reports, if standard output is a terminal. 0 is an unknown size.
  static var reported: (columns: Int, rows: Int)? {
    var size = winsize()
    guard unsafe ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0 else { return nil }
    return (Int(size.ws_col), Int(size.ws_row))
  }
}
