import Stress
import Terminal
import Testing

@Suite struct FixedPointTests {
  @Test(arguments: [
    (0.0, 2, "0.00"), (1.005, 2, "1.00"), (61.54, 1, "61.5"), (-0.06, 1, "-0.1"), (-0.04, 1, "0.0"),
    (99.999, 2, "100.00"), (12, 0, "12"), (0.5, 0, "1"), (1234567.891, 3, "1234567.891"),
  ])
  func roundsToDecimals(value: Double, decimals: Int, text: String) {
    #expect(value.fixed(decimals) == text)
  }

  @Test func notANumberIsADash() {
    #expect(Double.nan.fixed(1) == "-")
    #expect(Double.infinity.fixed(1) == "-")
  }

  @Test(arguments: [(0.0, "0:00"), (59.9, "0:59"), (83, "1:23"), (7509, "2:05:09"), (-3, "0:00")])
  func clock(seconds: Double, text: String) {
    #expect(clockText(seconds: seconds) == text)
  }
}

@Suite struct DisplayWidthTests {
  @Test(arguments: [
    ("", 0), ("abc", 3), ("é", 1), ("e\u{301}", 1), ("心拍", 4), ("\u{1B}[32mab\u{1B}[0m", 2), ("▁█", 2),
  ])
  func columns(text: String, columns: Int) {
    #expect(text.columns == columns)
  }

  @Test(arguments: 0...12)
  func clippedTextFits(width: Int) {
    for text in ["plain words", "心拍心拍心拍", "\u{1B}[1mbold words\u{1B}[0m here"] {
      #expect(text.clipped(to: width).columns <= max(width, 0))
    }
  }

  @Test func stylingIsClosedWhereTextIsClipped() {
    #expect("\u{1B}[1mbold words".clipped(to: 5).hasSuffix("…\u{1B}[0m"))
  }

  @Test func textThatFitsIsLeftAlone() {
    #expect("abc".clipped(to: 3) == "abc")
  }

  @Test func aStrapCannotSteerTheTerminal() {
    let name = "Polar\u{1B}[2J\u{7}\u{202E}H10\n"
    #expect(name.printable == "Polar\u{FFFD}[2J\u{FFFD}\u{FFFD}H10\u{FFFD}")
  }
}

@Suite struct TextTableTests {
  @Test func columnsAreAligned() {
    var table = TextTable([("name", .left), ("value", .right)])
    table.append(["a", "1"])
    table.append(["long name", "12.5"])
    #expect(table.lines() == ["name       value", "a              1", "long name   12.5"])
  }

  @Test func linesFitTheWidth() {
    var table = TextTable([("name", .left), ("value", .left)])
    table.append(["a name that is long", "a value that is long"])
    #expect(table.lines(width: 12).allSatisfy { $0.columns <= 12 })
  }
}

@Suite struct TerminalStyleTests {
  @Test(arguments: [
    ([:], true, TerminalStyle.Colours.none),
    (["TERM": "xterm-256color"], true, .sixteen),
    (["TERM": "xterm-256color"], false, .none),
    (["TERM": "xterm-256color", "NO_COLOR": "1"], true, .none),
    (["TERM": "xterm-256color", "NO_COLOR": ""], true, .sixteen),
    (["TERM": "dumb"], true, .none),
    (["TERM": "xterm", "COLORTERM": "truecolor"], true, .trueColour),
  ])
  func colours(environment: [String: String], isTerminal: Bool, colours: TerminalStyle.Colours) {
    #expect(TerminalStyle(environment: environment, isTerminal: isTerminal).colours == colours)
  }

  @Test(arguments: [
    ([:], false), (["LANG": "en_GB.UTF-8"], true), (["LANG": "C"], false),
    (["LC_ALL": "C", "LANG": "en_GB.UTF-8"], false), (["LC_ALL": "", "LANG": "C.utf8"], true),
  ])
  func unicode(environment: [String: String], unicode: Bool) {
    #expect(TerminalStyle(environment: environment, isTerminal: true).unicode == unicode)
  }

  @Test func categoriesDifferInWordIconAndPattern() {
    for unicode in [true, false] {
      #expect(Set(StressCategory.allCases.map { $0.icon(unicode: unicode) }).count == 4)
      #expect(Set(StressCategory.allCases.map { $0.pattern(unicode: unicode) }).count == 4)
    }
    #expect(Set(StressCategory.allCases.map(\.word)).count == 4)
  }

  @Test func withoutColourNoEscapeIsWritten() {
    for category in StressCategory.allCases {
      #expect(TerminalStyle.plain.coloured("x", category) == "x")
    }
    #expect(TerminalStyle.plain.bold("x") == "x")
  }
}
