import Testing

@testable import Commands

/// As much of a terminal as a block needs.
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
    default: Issue.record("an unknown command")
    }
  }
}

@Suite struct DrawnBlockTests {
  private let size = TerminalSize(columns: 20, rows: 6)

  @Test func whatChangesIsDrawnAndNothingElse() {
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

  /// The terminal wraps its lines anew: where they are then depends on the terminal.
  @Test func anotherSizeBeginsOnAnEmptyScreen() {
    var (block, terminal) = (DrawnBlock(), TinyTerminal(height: 6))
    terminal.write(block.frame(["a", "b"], on: size))
    terminal.write(block.frame(["a", "b"], on: TerminalSize(columns: 10, rows: 6)))
    #expect(terminal.rows == ["a", "b", "", "", "", ""])
  }

  /// The shell has written below meanwhile.
  @Test func afterAStopItBeginsBelow() {
    var (block, terminal) = (DrawnBlock(), TinyTerminal(height: 6))
    terminal.write(block.frame(["a", "b"], on: size))
    terminal.write("$ fg\n")
    terminal.write(block.frame(["a", "c"], on: TerminalSize(columns: 20, rows: 6, timesContinued: 1)))
    #expect(terminal.rows == ["a", "b", "$ fg", "a", "c", ""])
  }
}

@Suite struct KeyDecoderTests {
  @Test(arguments: [
    ("q", "q"), ("h?m", "h?m"), ("\u{1B}", "\u{1B}"), ("\u{1B}[A", ""), ("\u{1B}OPm", "m"),
    ("\u{1B}[1;5Hq", "q"),
    ("\u{1B}qm", "m"), ("äp", "p"), ("\u{4}", "\u{4}"), ("m\u{1B}[200~x", "mx"),
  ])
  func keysAreToldFromWhatArrowsSend(sent: String, keys: String) {
    var decoder = KeyDecoder()
    #expect(String(decoder.keys(sent.utf8)) == keys)
    // It is ready for the next.
    #expect(decoder.keys("q".utf8) == ["q"])
  }

  @Test func aSequenceMayComeInPieces() {
    var decoder = KeyDecoder()
    #expect(decoder.keys("\u{1B}[1".utf8) == [] && decoder.keys(";5Hq".utf8) == ["q"])
  }
}
