/// A figure of a metric in two conditions: a point per participant, a line between the values of one participant, and the mean
/// of each condition.
///
/// An SVG element for a page, 480 pixels wide. Conditions differ in shape and position, not only in colour.
package struct PairedFigure: Sendable {
  private let title: String
  private let levels: (a: String, b: String)
  private let axis: String
  private let values: [(a: Double?, b: Double?)]
  private let difference: Double?

  /// - Parameters:
  ///   - levels: the names of the two conditions.
  ///   - axis: the metric with its unit.
  ///   - values: the values of each participant.
  ///   - difference: the mean difference, for the description.
  package init(
    title: String, levels: (String, String), axis: String, values: [(Double?, Double?)], difference: Double?
  ) {
    (self.title, self.levels, self.axis) = (title, levels, axis)
    self.values = values.map { (a: $0.0, b: $0.1) }
    self.difference = difference
  }

  package var svg: String {
    var canvas = SVGCanvas(width: 480, height: 360)
    let frame = Frame(left: 72, top: 52, width: 388, height: 250)
    let all = values.flatMap { [$0.a, $0.b].compactMap(\.self) }.filter(\.isFinite)
    guard let low = all.min(), let high = all.max() else {
      canvas.notice(frame, title: title, ["no values"])
      return canvas.fragment(name: "\(title): no values")
    }
    let y = Axis(covering: low...high, from: frame.bottom, to: frame.top)
    let x = Axis(exactly: 0...1, step: 1, from: frame.left + 110, to: frame.right - 110)
    canvas.axes(
      frame, title: title, x: x, y: y, xName: "", yName: axis,
      xLabel: { $0 < 0.5 ? levels.a : levels.b }, yLabel: Self.label)
    draw(x, y, on: &canvas)
    return canvas.fragment(name: description)
  }

  private static func label(_ value: Double) -> String {
    let hundredths = (value * 100).rounded() / 100
    return hundredths == hundredths.rounded() ? hundredths.svg : "\(hundredths)"
  }

  private func draw(_ x: Axis, _ y: Axis, on canvas: inout SVGCanvas) {
    for value in values {
      if let a = value.a, let b = value.b {
        canvas.line(x(0), y(a), x(1), y(b), "stroke=\"\(Ink.edge)\" stroke-width=\"1\"")
      }
    }
    for value in values.compactMap(\.a) {
      canvas.element(
        "circle",
        "cx=\"\(x(0).svg)\" cy=\"\(y(value).svg)\" r=\"4\" fill=\"\(Ink.ground)\" stroke=\"\(Ink.line)\"")
    }
    for value in values.compactMap(\.b) {
      let (left, top) = (x(1) - 3.5, y(value) - 3.5)
      canvas.element(
        "rect", "x=\"\(left.svg)\" y=\"\(top.svg)\" width=\"7\" height=\"7\" fill=\"\(Ink.accent)\"")
    }
    for (place, values) in [(0.0, values.compactMap(\.a)), (1, values.compactMap(\.b))] where !values.isEmpty
    {
      let mean = values.reduce(0, +) / Double(values.count)
      canvas.line(
        x(place) - 44, y(mean), x(place) + 44, y(mean), "stroke=\"\(Ink.text)\" stroke-width=\"3\"")
    }
  }

  private var description: String {
    let pairs = values.filter { $0.a != nil && $0.b != nil }.count
    let change = difference.map { " Mean difference \(Self.label($0))." } ?? ""
    return
      "\(axis) of \(pairs) participants in \(levels.a) (circles) and \(levels.b) (squares); thick lines: means."
      + change
  }
}
