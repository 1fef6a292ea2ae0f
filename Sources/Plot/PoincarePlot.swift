import HRV
import HeartRate

/// A Poincaré plot: each NN interval against the previous one, with the ellipse of SD1 and SD2.
struct PoincarePlot {
  let beats: [Beat]
  let sums: NNSums
  var title = "Poincaré plot"
  var texts = FigureTexts.english
  /// Above this number of points, points in the same cell of a grid are drawn once.
  var mostPoints = 5000

  /// Size of a cell in pixels.
  private static let cell = 1.5

  /// Pairs of successive normal intervals in ms.
  private var pairs: [(x: Double, y: Double)] {
    zip(beats, beats.dropFirst()).compactMap { before, beat in
      guard before.verdict.isNormal, beat.verdict.isNormal, !beat.followsBreak else { return nil }
      return (before.rr.milliseconds, beat.rr.milliseconds)
    }
  }

  func draw(in frame: Frame, on canvas: inout SVGCanvas) {
    let pairs = pairs
    guard let mean = sums.meanNN, !pairs.isEmpty else {
      return canvas.notice(frame, title: title, [texts.noPairs])
    }
    let values = pairs.flatMap { [$0.x, $0.y] }
    let range = (values.min() ?? 0)...(values.max() ?? 1)
    let x = Axis(covering: range, from: frame.left, to: frame.right)
    let y = Axis(covering: range, from: frame.bottom, to: frame.top)
    canvas.axes(
      frame, title: title, x: x, y: y, xName: texts.nnInterval, yName: texts.nextNNInterval)
    canvas.line(
      frame.left, frame.bottom, frame.right, frame.top, "stroke=\"\(Ink.line)\" stroke-dasharray=\"3 3\"")
    drawPoints(pairs.map { (x($0.x), y($0.y)) }, &canvas)
    guard let sd1 = sums.sd1, let sd2 = sums.sd2 else { return }
    drawEllipse(frame, (x(mean), y(mean)), sd1, sd2, scale: x(mean + 1) - x(mean), &canvas)
  }

  private func drawPoints(_ points: [(Double, Double)], _ canvas: inout SVGCanvas) {
    var seen: Set<SIMD2<Int32>> = []
    var path = ""
    for point in points {
      let place = SIMD2(Int32(point.0 / Self.cell), Int32(point.1 / Self.cell))
      if points.count > mostPoints, !seen.insert(place).inserted { continue }
      path += "M\(point.0.svg) \(point.1.svg)h0"
    }
    canvas.element(
      "path",
      "d=\"\(path)\" stroke=\"\(Ink.line)\" stroke-width=\"2.4\" stroke-linecap=\"round\" opacity=\"0.55\"")
  }

  /// Draws the ellipse: SD2 along the line of identity, SD1 perpendicular to it.
  private func drawEllipse(
    _ frame: Frame, _ center: (x: Double, y: Double), _ sd1: Double, _ sd2: Double, scale: Double,
    _ canvas: inout SVGCanvas
  ) {
    let place = "\(center.x.svg) \(center.y.svg)"
    canvas.group(
      "fill=\"none\" stroke=\"\(Ink.accent)\" stroke-width=\"2\" transform=\"translate(\(place)) rotate(-45)\""
    ) {
      $0.element("ellipse", "rx=\"\((sd2 * scale).svg)\" ry=\"\((sd1 * scale).svg)\"")
      $0.line(0, 0, sd2 * scale, 0, "")
      $0.line(0, 0, 0, -sd1 * scale, "")
    }
    let attributes = "fill=\"\(Ink.accent)\" font-weight=\"600\""
    canvas.text("SD1 \(sd1.svg) ms", x: frame.left + 8, y: frame.top + 16, attributes: attributes)
    canvas.text("SD2 \(sd2.svg) ms", x: frame.left + 8, y: frame.top + 32, attributes: attributes)
  }
}
