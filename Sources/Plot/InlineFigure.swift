/// A figure of a page: an SVG element, and the positions of its values for a cursor.
package struct InlineFigure: Sendable {
  /// The position of a value, in units of the figure's viewBox.
  package struct Point: Equatable, Sendable {
    package let x: Double
    package let y: Double

    /// The coordinates as attributes: `123.4 56.7`.
    package var text: String { "\(x.svg) \(y.svg)" }
  }

  package let svg: String
  /// One element per value of the figure; nil for values that are missing.
  package let points: [Point?]

  init(_ canvas: SVGCanvas, name: String, points: [Point?] = []) {
    (svg, self.points) = (canvas.fragment(name: name), points)
  }

  /// The size of figures over the whole width of a page.
  static let (width, height) = (800.0, 250.0)

  static var frame: Frame { Frame(left: 56, top: 14, width: width - 68, height: height - 44) }
}
