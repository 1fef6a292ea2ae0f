import Glibc

/// A block of lines at the end of what the terminal shows, which is drawn over itself.
///
/// It hides nothing and switches no mode of the terminal, so there is nothing to put back after a crash.
struct DrawnBlock {
  private var lines = 0
  private var last = ""

  /// What to write so that `lines` stand where the block before them stood; nothing when they are the same.
  mutating func frame(_ lines: [String], rows: Int) -> String {
    let text = lines.map { "\u{1B}[2K\($0)\n" }.joined()
    guard text != last || self.lines != lines.count else { return "" }
    var frame = self.lines > 0 ? "\u{1B}[\(min(self.lines, rows - 1))A\r" : ""
    frame += text
    if lines.count < self.lines { frame += "\u{1B}[0J" }
    (self.lines, last) = (lines.count, text)
    return frame
  }
}

/// How much the terminal shows.
struct TerminalSize {
  let columns: Int
  let rows: Int

  /// Of standard output; 80 by 24 where nobody says.
  static var current: TerminalSize {
    var size = winsize()
    guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 1 else {
      return TerminalSize(columns: 80, rows: 24)
    }
    return TerminalSize(columns: Int(size.ws_col), rows: Int(size.ws_row))
  }
}
