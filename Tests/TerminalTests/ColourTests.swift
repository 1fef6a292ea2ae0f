import Design
import Stress
import Terminal
import Testing

@Suite struct ColourTests {
  @Test(arguments: [
    ("15;0", Theme.dark), ("0;15", .light), ("0;default;7", .light), ("12;8", .dark), ("", nil), ("0;x", nil),
    ("0;99", nil),
  ])
  func backgroundIsReadFromCOLORFGBG(value: String, theme: Theme?) {
    let environment = ["TERM": "xterm", "COLORFGBG": value]
    #expect(TerminalStyle(environment: environment, isTerminal: true).theme == theme)
  }

  @Test(arguments: StressCategory.allCases)
  func escapeSequencesMatchTheColourDepth(category: StressCategory) {
    func coloured(_ colours: TerminalStyle.Colours, _ theme: Theme?) -> String {
      TerminalStyle(colours: colours, unicode: true, theme: theme).coloured("x", category)
    }
    let text = Palette(.light).text(category)
    #expect(coloured(.none, .light) == "x")
    #expect(coloured(.sixteen, .light) == "\u{1B}[\(category.token.ansi)mx\u{1B}[0m")
    #expect(coloured(.trueColour, .light) == "\u{1B}[38;2;\(text.red);\(text.green);\(text.blue)mx\u{1B}[0m")
    let index = text.terminalIndex(on: Palette(.light).backgrounds, ratio: 4.5)
    #expect(coloured(.twoHundredFiftySix, .light) == "\u{1B}[38;5;\(index)mx\u{1B}[0m")
    #expect(
      Set([coloured(.trueColour, .light), coloured(.trueColour, .dark), coloured(.trueColour, nil)]).count
        == 3)
  }

  /// A contrast of 7:1 with a known background; the terminal's default colour with an unknown one.
  @Test(arguments: StressCategory.allCases)
  func highContrastReachesSevenToOne(category: StressCategory) {
    var style = TerminalStyle(colours: .trueColour, unicode: true)
    style.isHighContrast = true
    #expect(style.coloured("x", category) == "\u{1B}[1mx\u{1B}[0m" && style.dim("x") == "x")
    for theme in Theme.allCases {
      style.theme = theme
      let palette = Palette(theme, highContrast: true)
      let text = palette.text(category)
      #expect(palette.backgrounds.allSatisfy { text.contrast(with: $0) >= 7 })
      let code = "38;2;\(text.red);\(text.green);\(text.blue)"
      #expect(style.coloured("x", category) == "\u{1B}[\(code)mx\u{1B}[0m")
    }
    (style.colours, style.theme) = (.sixteen, .light)
    #expect(style.coloured("x", category) == "\u{1B}[1mx\u{1B}[0m")
  }
}
