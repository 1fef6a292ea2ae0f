package import Stress

/// The distribution of stress values: one horizontal bar with a segment per category, in its colour and pattern.
package struct DistributionFigure: Sendable {
  private let percentages: [(category: StressCategory, percent: Double)]

  /// - Parameter percentages: percent of the values in each category, which sum to about 100.
  package init(_ percentages: [(category: StressCategory, percent: Double)]) {
    self.percentages = percentages.filter { $0.percent.isFinite && $0.percent > 0 }
  }

  /// - Parameter name: description for screen readers.
  package func chart(name: String) -> InlineFigure {
    var canvas = SVGCanvas(width: InlineFigure.width, height: 44, prefix: "distribution-")
    canvas.define(CategoryPattern.definitions(prefix: canvas.prefix))
    let whole = percentages.reduce(0) { $0 + $1.percent }
    let scale = (InlineFigure.width - 4) / max(whole, 1)
    var (left, points): (Double, [InlineFigure.Point?]) = (2, [])
    for (category, percent) in percentages {
      canvas.element(
        "rect",
        "x=\"\(left.svg)\" y=\"2\" width=\"\((percent * scale).svg)\" height=\"40\" stroke-width=\"1.5\" "
          + CategoryPattern.fill(category, prefix: canvas.prefix))
      points.append(InlineFigure.Point(x: left + percent * scale / 2, y: 22))
      left += percent * scale
    }
    return InlineFigure(canvas, name: name, points: points)
  }
}
