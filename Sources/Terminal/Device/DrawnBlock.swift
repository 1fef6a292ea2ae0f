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
