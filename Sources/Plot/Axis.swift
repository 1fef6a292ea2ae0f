/// An axis of a plot: converts values to coordinates.
struct Axis {
  let values: ClosedRange<Double>
  /// Coordinates of the lowest and the highest value.
  let from: Double
  let to: Double
  let ticks: [Double]

  /// Creates an axis whose limits are multiples of the tick step that enclose `values`, with about `count`
  /// ticks. A single value is shown in the middle of a fifth of itself, at least of 2.
  init(covering values: ClosedRange<Double>, from: Double, to: Double, count: Int = 5) {
    let margin = values.lowerBound < values.upperBound ? 0 : max(1, abs(values.lowerBound) / 10)
    let values = values.lowerBound - margin...values.upperBound + margin
    let span = max(values.upperBound - values.lowerBound, 1e-9)
    let step = Self.roundStep(span / Double(count))
    let low = (values.lowerBound / step).rounded(.down) * step
    let high = max((values.upperBound / step).rounded(.up) * step, low + step)
    self.init(exactly: low...high, step: step, from: from, to: to)
  }

  /// Creates an axis with the limits `values` and ticks at multiples of `step`.
  init(exactly values: ClosedRange<Double>, step: Double, from: Double, to: Double) {
    (self.values, self.from, self.to) = (values, from, to)
    let first = (values.lowerBound / step - 1e-9).rounded(.up)
    let last = (values.upperBound / step + 1e-9).rounded(.down)
    ticks = first <= last ? stride(from: first, through: last, by: 1).map { $0 * step } : []
  }

  /// Returns the coordinate of a value.
  func callAsFunction(_ value: Double) -> Double {
    let span = values.upperBound - values.lowerBound
    return from + (to - from) * (span > 0 ? (value - values.lowerBound) / span : 0.5)
  }

  /// Returns 1, 2 or 5 times a power of ten, at least `least`.
  private static func roundStep(_ least: Double) -> Double {
    var power = 1.0
    while power < least { power *= 10 }
    while power / 10 >= least { power /= 10 }
    return [power / 5, power / 2].first { $0 >= least } ?? power
  }
}

/// The rectangle of a plot inside the picture, between its axes.
struct Frame {
  let left: Double
  let top: Double
  let width: Double
  let height: Double
  var right: Double { left + width }
  var bottom: Double { top + height }
}

extension SVGCanvas {
  /// Draws title, grid, tick labels and axis labels with units.
  mutating func axes(
    _ frame: Frame, title: String, x: Axis, y: Axis, xName: String, yName: String,
    xLabel: (Double) -> String = \.svg, yLabel: (Double) -> String = \.svg
  ) {
    heading(title, frame)
    for tick in x.ticks {
      line(x(tick), frame.top, x(tick), frame.bottom, "stroke=\"\(Ink.grid)\"")
      let isAtEnd = x(tick) > frame.right - 1
      text(xLabel(tick), x: x(tick) + (isAtEnd ? 11 : 0), y: frame.bottom + 17, isAtEnd ? .end : .middle)
    }
    for tick in y.ticks {
      line(frame.left, y(tick), frame.right, y(tick), "stroke=\"\(Ink.grid)\"")
      text(yLabel(tick), x: frame.left - 7, y: y(tick) + 4, .end)
    }
    line(frame.left, frame.top, frame.left, frame.bottom, "stroke=\"\(Ink.line)\"")
    line(frame.left, frame.bottom, frame.right, frame.bottom, "stroke=\"\(Ink.line)\"")
    if !xName.isEmpty { text(xName, x: frame.left + frame.width / 2, y: frame.bottom + 36, .middle) }
    let (middle, side) = (frame.top + frame.height / 2, frame.left - 46)
    text(
      yName, x: side, y: middle, .middle, attributes: "transform=\"rotate(-90 \(side.svg) \(middle.svg))\"")
  }

  /// A figure of a page has no title, because the page has one.
  private mutating func heading(_ title: String, _ frame: Frame) {
    guard !title.isEmpty else { return }
    text(title, x: frame.left, y: frame.top - 12, attributes: "font-size=\"15\" font-weight=\"600\"")
  }

  /// Draws the reason why a plot is empty.
  mutating func notice(_ frame: Frame, title: String, _ words: [String]) {
    heading(title, frame)
    element(
      "rect",
      "x=\"\(frame.left.svg)\" y=\"\(frame.top.svg)\" width=\"\(frame.width.svg)\" "
        + "height=\"\(frame.height.svg)\" fill=\"none\" stroke=\"\(Ink.shade)\"")
    for (row, word) in words.enumerated() {
      text(
        word, x: frame.left + frame.width / 2, y: frame.top + frame.height / 2 + 18 * Double(row), .middle)
    }
  }
}
