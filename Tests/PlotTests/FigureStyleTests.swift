import Design
import Plot
import Testing

@Suite struct FigureStyleTests {
  private static let figure = """
    <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 960 720" width="960" height="720" role="img">
    <rect fill="#FFFFFF"/><path stroke="#0b5c75" fill="url(#hatch)"/></svg>
    """

  @Test func theWidthIsInMillimetres() {
    let svg = FigureStyle(width: 85).applied(to: Self.figure)
    #expect(svg.contains(#"viewBox="0 0 960 720" width="85mm" height="63.8mm" role="img""#))
    #expect(FigureStyle().applied(to: Self.figure) == Self.figure)
  }

  @Test func greysHaveTheLuminanceOfTheColours() throws {
    let svg = FigureStyle(colours: .grey).applied(to: Self.figure)
    let found = svg.matches(of: /"#([0-9A-F]{6})"/).compactMap { UInt32($0.1, radix: 16) }.map(Colour.init)
    #expect(found.count == 2 && found.allSatisfy { $0.red == $0.green && $0.green == $0.blue })
    #expect(found[0] == .white && abs(found[1].luminance - Colour(0x0B5C75).luminance) < 0.005)
    #expect(svg.contains("url(#hatch)"))
  }

  @Test(arguments: [
    "85mm": 85.0, "40mm": 40, "400mm": 400, "39mm": nil, "85": nil, "8.5cm": nil, "nanmm": nil, "": nil,
  ])
  func widthsHaveAUnitAndLimits(text: String, value: Double?) { #expect(FigureStyle.width(text) == value) }
}
