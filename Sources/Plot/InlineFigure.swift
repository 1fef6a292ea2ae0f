package import HRV
import HeartRate

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
  /// One element per value of the figure. Missing values have no point.
  package let points: [Point?]

  init(_ canvas: SVGCanvas, name: String, points: [Point?] = []) {
    (svg, self.points) = (canvas.fragment(name: name), points)
  }

  /// The size of figures over the whole width of a page.
  static let (width, height) = (800.0, 250.0)

  static var frame: Frame { Frame(left: 56, top: 14, width: width - 68, height: height - 44) }
}

extension BeatFigure {
  /// The beats as received, and their verdicts.
  package init(beats: [Beat], texts: FigureTexts = .english) {
    self.init(title: "", beats: beats, series: beats, texts: texts)
  }

  /// RR intervals over time.
  /// - Parameters:
  ///   - name: description for screen readers.
  ///   - values: moments in s with an interval in ms, whose positions are returned.
  package func tachogram(
    name: String, at values: [(seconds: Double, milliseconds: Double)]
  ) -> InlineFigure {
    let prefix = "beats-"
    var canvas = SVGCanvas(width: InlineFigure.width, height: InlineFigure.height + 24, prefix: prefix)
    canvas.define(BeatMark.definitions(prefix: prefix))
    let frame = Frame(left: 56, top: 32, width: InlineFigure.width - 68, height: InlineFigure.height - 66)
    let axes = Tachogram(beats: beats, title: "", texts: texts, column: 1).draw(in: frame, on: &canvas)
    let points = values.map { value in
      axes.map { InlineFigure.Point(x: $0.x(value.seconds), y: $0.y(value.milliseconds)) }
    }
    return InlineFigure(canvas, name: name, points: points)
  }

  /// Each NN interval against the previous one, with the ellipse of SD1 and SD2.
  package func poincare(name: String) -> InlineFigure {
    var canvas = SVGCanvas(width: 360, height: 340)
    PoincarePlot(beats: series, sums: sums, title: "", texts: texts, mostPoints: 500).draw(
      in: Frame(left: 60, top: 14, width: 288, height: 276), on: &canvas)
    return InlineFigure(canvas, name: name)
  }

  /// The spectrum of the NN intervals with its frequency bands.
  package func spectrum(_ bands: SpectralBands, name: String) -> InlineFigure {
    var canvas = SVGCanvas(width: 360, height: 340)
    SpectrumPlot(bands: bands, title: "", texts: texts).draw(
      in: Frame(left: 60, top: 14, width: 288, height: 276), on: &canvas)
    return InlineFigure(canvas, name: name)
  }
}
