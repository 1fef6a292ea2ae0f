import Localization
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

  @Test func nonFiniteNumberIsADash() {
    #expect(Double.nan.fixed(1) == "-")
    #expect(Double.infinity.fixed(1) == "-")
  }

  @Test(arguments: [(0.0, "0:00"), (59.9, "0:59"), (83, "1:23"), (7509, "2:05:09"), (-3, "0:00")])
  func secondsAreFormattedAsAClock(seconds: Double, text: String) {
    #expect(clockText(seconds: seconds) == text)
  }
}

@Suite struct DisplayWidthTests {
  @Test(arguments: [
    ("", 0), ("abc", 3), ("é", 1), ("e\u{301}", 1), ("心拍", 4), ("\u{1B}[32mab\u{1B}[0m", 2), ("▁█", 2),
  ])
  func textHasItsDisplayWidth(text: String, columns: Int) {
    #expect(text.columns == columns)
  }

  @Test(arguments: 0...12)
  func clippedTextFits(width: Int) {
    for text in ["plain words", "心拍心拍心拍", "\u{1B}[1mbold words\u{1B}[0m here"] {
      #expect(text.clipped(to: width).columns <= max(width, 0))
    }
  }

  @Test func clippedTextResetsItsStyle() {
    #expect("\u{1B}[1mbold words".clipped(to: 5).hasSuffix("…\u{1B}[0m"))
  }

  @Test func fittingTextIsUnchanged() {
    #expect("abc".clipped(to: 3) == "abc")
  }

  @Test func controlCharactersAreEscaped() {
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
    (["TERM": "xterm"], true, .sixteen),
    (["TERM": "xterm-256color"], true, .twoHundredFiftySix),
    (["TERM": "xterm-256color"], false, .none),
    (["TERM": "xterm-256color", "NO_COLOR": "1"], true, .none),
    (["TERM": "xterm-256color", "NO_COLOR": ""], true, .twoHundredFiftySix),
    (["TERM": "dumb"], true, .none),
    (["TERM": "xterm", "COLORTERM": "truecolor"], true, .trueColour),
  ])
  func environmentSelectsTheColours(
    environment: [String: String], isTerminal: Bool, colours: TerminalStyle.Colours
  ) {
    #expect(TerminalStyle(environment: environment, isTerminal: isTerminal).colours == colours)
  }

  @Test(arguments: [
    ([:], false), (["LANG": "en_GB.UTF-8"], true), (["LANG": "C"], false),
    (["LC_ALL": "C", "LANG": "en_GB.UTF-8"], false), (["LC_ALL": "", "LANG": "C.utf8"], true),
    (["LC_CTYPE": "UTF-8"], true), (["LANG": "de_DE.UTF-8@euro"], true), (["LANG": "de_DE@euro"], false),
  ])
  func localeSelectsUnicodeOrASCII(environment: [String: String], unicode: Bool) {
    #expect(TerminalStyle(environment: environment, isTerminal: true).unicode == unicode)
  }

  @Test func categoriesDifferInNameIconAndPattern() {
    for unicode in [true, false] {
      #expect(Set(StressCategory.allCases.map { $0.icon(unicode: unicode) }).count == 4)
      #expect(Set(StressCategory.allCases.map { $0.pattern(unicode: unicode) }).count == 4)
    }
    #expect(Set(StressCategory.allCases.map(\.word)).count == 4)
  }

  @Test func plainStyleWritesNoEscapeSequences() {
    for category in StressCategory.allCases {
      #expect(TerminalStyle.plain.coloured("x", category) == "x")
    }
    #expect(TerminalStyle.plain.bold("x") == "x")
  }
}

@Suite struct ColumnLayoutTests {
  private static let columns: [ColumnLayout.Column] = [
    .init("id", .right, width: 4, rank: 1), .init("time", .left, width: 8), .init("stress", .right, width: 3),
    .init("note", .left, width: 10, rank: 3), .init("beats", .right, width: 3, rank: 2),
  ]

  @Test(
    "The least important columns are omitted first, and no line is wider than the terminal", arguments: 1...50
  )
  func leastImportantColumnsAreOmitted(width: Int) {
    let layout = ColumnLayout(Self.columns, width: width)
    let line = layout.line(["7", "07:30:00", "42", "心拍 long note", "60"])
    #expect(line.columns <= width && layout.headings.columns <= width)
    // Widths including gaps: 4, 8, 6, 10 and 5.
    let heading = layout.headings
    #expect(heading.contains("note") == (width >= 41))
    #expect(heading.contains("beats") == (width >= 29))
    #expect(heading.contains("id") == (width >= 22))
    if width >= 16 { #expect(heading.hasSuffix("stress") || width >= 29) }
  }

  @Test func tableOmitsExpendableColumns() {
    var table = TextTable([("name", .left), ("value", .right), ("remark", .left)])
    table.append(["a", "1", "wide as it is"])
    #expect(table.lines(width: 80).count == 2 && table.lines(width: 80)[1] == "a         1  wide as it is")
    #expect(table.lines(width: 12, expendable: ["remark"]) == ["name  value", "a         1"])
    #expect(table.lines(width: 12) == ["name  value…", "a         1…"])
    #expect(table.lines(width: 5, expendable: ["remark", "value"]) == ["name", "a"])
  }
}

@Suite struct SparklineTests {
  @Test func lowestValueIsTheLowestBlockAndNilIsASpace() {
    #expect(sparkline([1, nil, 2, 3, .nan, 8], width: 9) == "▁ ▂▃ █")
    #expect(sparkline([5, 5], width: 9) == "▅▅")
    #expect(sparkline([0, 7], width: 9, unicode: false) == "_#")
    #expect(sparkline([48, 50], leastSpan: 20, width: 9) == "▄▅")
    #expect(sparkline([], width: 9) == "" && sparkline([nil, .infinity], width: 9) == "")
  }

  @Test("More values than columns are averaged in order", arguments: 1...12)
  func width(width: Int) {
    let line = sparkline((0..<100).map(Double.init), width: width)
    #expect(line.count == width)
    #expect(line.unicodeScalars.elementsEqual(line.unicodeScalars.sorted()))
  }
}
