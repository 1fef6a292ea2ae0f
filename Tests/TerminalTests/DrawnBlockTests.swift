import Testing

@testable import Terminal

/// A terminal emulator with the escape sequences that a block uses.
private struct TinyTerminal {
  private(set) var rows: [String]
  private var row = 0
  private let height: Int

  init(height: Int) {
    self.height = height
    rows = Array(repeating: "", count: height)
  }

  mutating func write(_ text: String) {
    var rest = text[...]
    while let next = rest.popFirst() {
      switch next {
      case "\u{1B}": command(&rest)
      case "\r": break
      case "\n":
        row += 1
        guard row == height else { continue }
        rows = rows.dropFirst() + [""]
        row -= 1
      default: rows[row].append(next)
      }
    }
  }

  private mutating func command(_ rest: inout Substring) {
    rest = rest.dropFirst()
    let number = Int(rest.prefix { $0.isNumber }) ?? 1
    rest = rest.drop { $0.isNumber }
    switch rest.popFirst() {
    case "A": row = max(0, row - number)
    case "B": row = min(height - 1, row + number)
    case "H": row = 0
    case "K": rows[row] = ""
    case "J": for place in (number == 2 ? 0 : row)..<height { rows[place] = "" }
    default: Issue.record("unknown escape sequence")
    }
  }
}

@Suite struct DrawnBlockTests {
  private let size = TerminalSize(columns: 20, rows: 6)

  @Test func onlyChangedLinesAreRedrawn() {
    var (block, terminal) = (DrawnBlock(), TinyTerminal(height: 6))
    terminal.write("$ live\n")
    let blocks = [
      ["a", "b", "c"], ["a", "B", "c"], ["a", "B", "c", "d"], ["x"], ["x", "y", "z", "u", "v"], [],
    ]
    for lines in blocks {
      terminal.write(block.frame(lines, on: size))
      #expect(terminal.rows.filter { !$0.isEmpty && $0 != "$ live" } == lines)
    }
    _ = block.frame(["first", "second", "third"], on: size)
    let frame = block.frame(["first", "2nd", "third"], on: size)
    #expect(frame.contains("2nd") && !frame.contains("first") && !frame.contains("third"))
    #expect(block.frame(["first", "2nd", "third"], on: size).isEmpty)
  }

  /// The position of wrapped lines depends on the terminal.
  @Test func changeOfSizeClearsTheScreen() {
    var (block, terminal) = (DrawnBlock(), TinyTerminal(height: 6))
    terminal.write(block.frame(["a", "b"], on: size))
    terminal.write(block.frame(["a", "b"], on: TerminalSize(columns: 10, rows: 6)))
    #expect(terminal.rows == ["a", "b", "", "", "", ""])
  }

  /// The shell has written below the block.
  @Test func blockAfterAStopStartsBelowOtherOutput() {
    var (block, terminal) = (DrawnBlock(), TinyTerminal(height: 6))
    terminal.write(block.frame(["a", "b"], on: size))
    terminal.write("$ fg\n")
    terminal.write(block.frame(["a", "c"], on: TerminalSize(columns: 20, rows: 6, timesContinued: 1)))
    #expect(terminal.rows == ["a", "b", "$ fg", "a", "c", ""])
  }
}
