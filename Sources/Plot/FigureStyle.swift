import Design

/// The width and the colours of a figure in a file. The file has no other differences: shapes, patterns and texts distinguish all
/// values without colours.
package struct FigureStyle: Equatable, Sendable {
  package enum Colours: String, CaseIterable, Sendable {
    case colour
    /// Greys of the same luminance.
    case grey
  }

  /// Accepted widths in mm: half a column of a journal to a poster.
  package static let widths = 40.0...400.0

  /// In mm. Without it, a unit of the drawing is 1/96 inch, as on a screen.
  package var width: Double?
  package var colours = Colours.colour

  package init(width: Double? = nil, colours: Colours = .colour) {
    (self.width, self.colours) = (width, colours)
  }

  /// A width such as `85mm`, if it is one of ``widths``.
  package static func width(_ text: String) -> Double? {
    guard text.hasSuffix("mm"), let value = Double(text.dropLast(2)), widths.contains(value) else {
      return nil
    }
    return value
  }

  /// Returns an SVG document of ``SVGCanvas`` in this style. The height follows from the width.
  package func applied(to svg: String) -> String {
    let sized = width.map { Self.resized(svg, to: $0) } ?? svg
    return colours == .grey ? Self.withoutColours(sized) : sized
  }

  private static func resized(_ svg: String, to width: Double) -> String {
    let size = /viewBox="0 0 (?<width>[0-9.]+) (?<height>[0-9.]+)" width="[0-9.]+" height="[0-9.]+"/
    guard let found = svg.firstMatch(of: size), let across = Double(found.output.width),
      let down = Double(found.output.height), across > 0
    else { return svg }
    let root =
      "viewBox=\"0 0 \(found.output.width) \(found.output.height)\" width=\"\(width.svg)mm\" "
      + "height=\"\((width * down / across).svg)mm\""
    return svg.replacing(size, with: root, maxReplacements: 1)
  }

  private static func withoutColours(_ svg: String) -> String {
    svg.replacing(/"#(?<digits>[0-9A-Fa-f]{6})"/) { found in
      let grey = UInt32(found.output.digits, radix: 16).map { Colour($0).grey }
      return "\"\(grey?.hex ?? String(found.output.0))\""
    }
  }
}

extension Colour {
  /// The grey of the same luminance.
  fileprivate var grey: Colour { Colour(light: SIMD3(repeating: luminance)) }
}
