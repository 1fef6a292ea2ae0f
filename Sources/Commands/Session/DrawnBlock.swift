import Glibc

/// A block of lines at the end of what the terminal shows, of which those that change are drawn anew.
///
/// It hides nothing and switches no mode of the terminal, so there is nothing to put back after a crash.
struct DrawnBlock {
  private var lines: [String] = []
  private var size: TerminalSize?

  /// What to write so that `lines` stand where the block before them stood; nothing when they are the same.
  mutating func frame(_ lines: [String], on size: TerminalSize) -> String {
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

  /// Where the terminal has wrapped the lines anew, nobody knows where they are: it begins on an empty screen. After a
  /// stop others have written below: it begins below them.
  private mutating func begin(on size: TerminalSize) -> String {
    defer { self.size = size }
    guard let before = self.size, before != size else { return "" }
    lines = []
    return before.timesContinued == size.timesContinued ? "\u{1B}[H\u{1B}[2J" : ""
  }

  private static func down(_ rows: Int) -> String { rows > 0 ? "\u{1B}[\(rows)B" : "" }
}

/// How much the terminal shows.
struct TerminalSize: Equatable {
  var columns: Int
  var rows: Int
  /// Goes up when the process is continued after a stop.
  var timesContinued = 0

  /// Of standard output; 80 by 24 where nobody says.
  static var current: TerminalSize {
    var size = winsize()
    var current = TerminalSize(columns: 80, rows: 24, timesContinued: RawTerminalMode.timesContinued)
    if ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 1 {
      (current.columns, current.rows) = (Int(size.ws_col), Int(size.ws_row))
    }
    return current
  }
}
