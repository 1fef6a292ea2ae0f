import Stress
import Terminal
import TestSupport
import Testing

@Suite struct ColumnChartTests {
  private static let ascii = TerminalStyle(colours: .none, unicode: false)
  private static let colourful = TerminalStyle(colours: .trueColour, unicode: true)

  private static func stress(_ values: [Double?], _ style: TerminalStyle) -> ColumnChart {
    let columns = values.map {
      ColumnChart.Column(label: "Mon", value: $0, category: StressCategory(score: $0 ?? 0))
    }
    return ColumnChart(columns, low: 0, step: 12.5, rows: 8, style: style)
  }

  @Test func columnHeightsFollowTheValues() {
    let chart = Self.stress([0, 30, nil, 62.5, 100], Self.ascii)
    #expect(
      chart.lines(width: 25) == [
        " 100|                XXX", "    |                XXX", "  75|                XXX",
        "    |            ::: XXX",
        "  50|            ::: XXX", "    |    ///     ::: XXX", "  25|    ///     ::: XXX",
        "    |=== ///     ::: XXX",
        "   0+--------------------", "     Mon Mon Mon Mon Mon", "     *   o       ^   #",
      ])
  }

  @Test("Without a width, every column is shown and nothing is clipped", arguments: [7, 30, 75, 76, 365])
  func chartWithoutWidthShowsEveryColumn(count: Int) {
    let values = (0..<count).map { Double($0 % 100) }
    let lines = Self.stress(values, Self.ascii).lines(width: nil)
    #expect(lines.allSatisfy { !$0.hasSuffix("~") })
    let icons = lines.last?.split(separator: " ").joined() ?? ""
    #expect(icons.count == count)
    #expect(count > 75 || lines.allSatisfy { $0.columns <= 80 + "Mon".count })
  }

  @Test("No line is wider than the terminal for any width and any values", arguments: 0...90)
  func chartFitsTheTerminal(width: Int) {
    var random = SeededGenerator(seed: UInt64(width))
    for style in [Self.ascii, Self.colourful] {
      let values = (0..<Int.random(in: 0...80, using: &random)).map { _ in
        Bool.random(using: &random) ? nil : Double.random(in: -1e3...1e3, using: &random)
      }
      let marks = values.map { ColumnChart.Column(label: "label", value: $0, spread: 12) }
      for chart in [
        Self.stress(values, style), ColumnChart(marks: marks, band: 10...20, style: style),
        ColumnChart(marks: marks, band: nil, style: style),
      ] {
        let lines = chart.lines(width: width)
        #expect(lines.allSatisfy { $0.columns <= width })
        #expect((4...16).contains(lines.count))
      }
    }
  }

  @Test func marksAndBandAreInTheRowsOfTheirValues() {
    let columns = [20.0, 45, 31].map { ColumnChart.Column(label: "x", value: $0, spread: 4) }
    let lines = ColumnChart(marks: columns, band: 30...40, style: Self.ascii).lines(width: 40)
    let marked = lines.filter { $0.contains("o") }
    #expect(marked.count == 3)
    // From above: 45 in the second column, 31 in the third, 20 in the first.
    let places = marked.compactMap { line in
      line.firstIndex(of: "o").map { line.distance(from: line.startIndex, to: $0) }
    }
    #expect(places == [13, 19, 7])
    #expect(lines.count { $0.contains(".") } == 2)
  }

  @Test func nonFiniteValuesAreNotDrawn() {
    let columns = [Double.nan, .infinity, 5].map { ColumnChart.Column(label: "x", value: $0, spread: .nan) }
    let lines = ColumnChart(marks: columns, band: nil, style: Self.ascii).lines(width: 40)
    #expect(lines.count { $0.contains("o") } == 1)
  }
}
