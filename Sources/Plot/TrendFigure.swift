import Stress

/// A figure of stress, HRV and heart rate over hours, days, weeks or months.
///
/// An SVG document for a light page, 800 pixels wide. Stress is drawn as bars with the colour, pattern and
/// outline of its category, in front of a light band of its interval; HRV and heart rate as marks with their standard deviation.
package struct TrendFigure: Sendable {
  /// A mean and its standard deviation.
  package struct Mark: Sendable {
    let mean: Double
    let deviation: Double

    /// Creates a mark. Fails if the mean is not finite.
    package init?(mean: Double, deviation: Double?) {
      guard mean.isFinite else { return nil }
      self.mean = mean
      self.deviation = deviation.flatMap { $0.isFinite ? max(0, $0) : nil } ?? 0
    }
  }

  /// One hour, day, week or month. Values that were not measured are missing.
  package struct Part: Sendable {
    let label: String
    let stress: Mark?
    let hrv: Mark?
    let heartRate: Mark?

    package init(
      label: String, stress: Mark?, hrv: Mark?, heartRate: Mark?
    ) {
      self.label = label
      self.stress = stress
      self.hrv = hrv
      self.heartRate = heartRate
    }
  }

  private let title: String
  private(set) var parts: [Part]
  private let hrvName: String
  let normal: ClosedRange<Double>?
  let restingHeartRate: Double
  private let texts: FigureTexts

  /// Creates a figure.
  /// - Parameters:
  ///   - title: arbitrary text.
  ///   - hrvName: RMSSD or SDNN.
  ///   - normal: normal range of HRV at rest in ms.
  ///   - restingHeartRate: resting heart rate in bpm.
  package init(
    title: String, parts: [Part], hrvName: String, normal: ClosedRange<Double>?, restingHeartRate: Double,
    texts: FigureTexts = .english
  ) {
    self.title = title
    self.parts = parts
    self.hrvName = hrvName
    self.normal = normal
    self.restingHeartRate = restingHeartRate
    self.texts = texts
  }

  /// The SVG document.
  package var svg: String {
    var canvas = SVGCanvas(width: 800, height: 790)
    canvas.define(CategoryPattern.definitions())
    canvas.text(title, x: 20, y: 28, attributes: "font-size=\"17\" font-weight=\"600\"")
    let stress = Frame(left: 72, top: 78, width: 706, height: 190)
    drawStress(stress, title: "Stress, mean", unit: "stress", on: &canvas)
    CategoryPattern.drawLegend(texts, left: stress.left + 130, y: stress.top - 12, on: &canvas)
    drawMarks(
      \.hrv, Frame(left: 72, top: 338, width: 706, height: 160),
      title: "\(hrvName), mean and standard deviation\(normal == nil ? "" : "; shaded: normal at rest")",
      unit: "\(hrvName) (ms)", band: normal, on: &canvas)
    drawMarks(
      \.heartRate, Frame(left: 72, top: 568, width: 706, height: 160),
      title: "Heart rate without exertion, mean and standard deviation; dashed: at rest",
      unit: "heart rate (bpm)",
      line: restingHeartRate, on: &canvas)
    return canvas.document(title: title, description: description)
  }

  /// HRV only, as an SVG document: one mark per morning in front of the normal range.
  package var mornings: String { readings("morning") }

  /// The same with one mark per night.
  package var nights: String { readings("night") }

  private func readings(_ name: String) -> String {
    var canvas = SVGCanvas(width: 800, height: 290)
    canvas.text(title, x: 20, y: 28, attributes: "font-size=\"17\" font-weight=\"600\"")
    drawMarks(
      \.hrv, Frame(left: 72, top: 78, width: 706, height: 160),
      title: "HRV (\(hrvName)) of each \(name)\(normal == nil ? "" : "; shaded: normal")",
      unit: "HRV (ms)", band: normal, on: &canvas)
    let count = parts.count { $0.hrv != nil }
    return canvas.document(title: title, description: "\(count) of \(parts.count) \(name)s.")
  }

  /// A sentence that describes the picture, for accessibility.
  private var description: String {
    let means = parts.compactMap(\.stress?.mean)
    guard let low = means.min(), let high = means.max() else { return "Nothing was measured." }
    return
      "Mean stress from \(low.svg) to \(high.svg) of 100, in \(means.count) of \(parts.count) steps of time."
  }

  /// The time axis, with each time step at the centre of its bar.
  func timeAxis(_ frame: Frame) -> Axis {
    let count = Double(max(1, parts.count))
    return Axis(
      exactly: -0.5...(count - 0.5), step: (count / mostTicks).rounded(.up), from: frame.left, to: frame.right
    )
  }

  /// Labels with a month need the room of two.
  private var mostTicks: Double { parts.contains { $0.label.count > 3 } ? 7 : 16 }

  func label(_ tick: Double) -> String {
    parts.indices.contains(Int(tick)) ? parts[Int(tick)].label : ""
  }

  func drawStress(_ frame: Frame, title: String, unit: String, on canvas: inout SVGCanvas) {
    let (x, y) = (timeAxis(frame), Axis(exactly: 0...100, step: 25, from: frame.bottom, to: frame.top))
    canvas.axes(frame, title: title, x: x, y: y, xName: "", yName: unit, xLabel: label)
    for (place, part) in parts.enumerated() {
      guard let stress = part.stress else { continue }
      let (left, right) = (x(Double(place) - 0.38), x(Double(place) + 0.38))
      let top = min(y(stress.mean), frame.bottom - 1)
      canvas.element(
        "rect",
        "x=\"\(left.svg)\" y=\"\(top.svg)\" width=\"\((right - left).svg)\" height=\"\((frame.bottom - top).svg)\" "
          + CategoryPattern.fill(StressCategory(score: stress.mean), prefix: canvas.prefix))
    }
  }

  /// - Returns: the vertical axis, if anything was measured.
  @discardableResult
  func drawMarks(
    _ mark: (Part) -> Mark?, _ frame: Frame, title: String, unit: String, band: ClosedRange<Double>? = nil,
    line: Double? = nil, scale: ClosedRange<Double>? = nil, on canvas: inout SVGCanvas
  ) -> Axis? {
    let marks = parts.map(mark)
    let ends = marks.flatMap { mark in mark.map { [$0.mean - $0.deviation, $0.mean + $0.deviation] } ?? [] }
    guard !ends.isEmpty else {
      canvas.notice(frame, title: title, [texts.nothingMeasured])
      return nil
    }
    let all = ends + [line].compactMap(\.self) + (band.map { [$0.lowerBound, $0.upperBound] } ?? [])
    let y =
      scale.map { Axis(exactly: $0, step: 2, from: frame.bottom, to: frame.top) }
      ?? Axis(covering: Self.widened(all), from: frame.bottom, to: frame.top)
    let x = timeAxis(frame)
    if let band { draw(band, frame, y, on: &canvas) }
    canvas.axes(frame, title: title, x: x, y: y, xName: "", yName: unit, xLabel: label)
    if let line {
      canvas.line(
        frame.left, y(line), frame.right, y(line), "stroke=\"\(Ink.line)\" stroke-dasharray=\"5 4\"")
    }
    draw(marks, x, y, on: &canvas)
    return y
  }

  /// The range of the values, at least a fifth of their middle: a few days with similar values are not a large change.
  private static func widened(_ values: [Double]) -> ClosedRange<Double> {
    let (low, high) = (values.min() ?? 0, values.max() ?? 1)
    let middle = (low + high) / 2
    let margin = abs(middle) / 10
    return min(low, middle - margin)...max(high, middle + margin)
  }

  private func draw(_ band: ClosedRange<Double>, _ frame: Frame, _ y: Axis, on canvas: inout SVGCanvas) {
    let (top, bottom) = (y(band.upperBound), y(band.lowerBound))
    canvas.element(
      "rect",
      "x=\"\(frame.left.svg)\" y=\"\(top.svg)\" width=\"\(frame.width.svg)\" height=\"\((bottom - top).svg)\" "
        + "fill=\"\(Ink.shade)\"")
  }

  private func draw(_ marks: [Mark?], _ x: Axis, _ y: Axis, on canvas: inout SVGCanvas) {
    var path = ""
    for (place, mark) in marks.enumerated() {
      guard let mark else { continue }
      let follows = place > 0 && marks[place - 1] != nil
      path += "\(follows ? "L" : "M")\(x(Double(place)).svg) \(y(mark.mean).svg)"
    }
    canvas.element("path", "d=\"\(path)\" fill=\"none\" stroke=\"\(Ink.accent)\"")
    for (place, mark) in marks.enumerated() {
      guard let mark else { continue }
      let (middle, center) = (x(Double(place)), y(mark.mean))
      canvas.line(
        middle, y(mark.mean - mark.deviation), middle, y(mark.mean + mark.deviation),
        "stroke=\"\(Ink.accent)\" stroke-width=\"1.4\"")
      canvas.element("circle", "cx=\"\(middle.svg)\" cy=\"\(center.svg)\" r=\"3.4\" fill=\"\(Ink.accent)\"")
    }
  }
}

/// Downsampling of points ordered by x to the resolution of a picture.
struct Thinning {
  /// Returns the indices of the points to draw: the first, the lowest, the highest and the last of each column. This
  /// preserves extremes.
  static func kept(_ points: [(x: Double, y: Double)], column: Double) -> [Int] {
    var kept: [Int] = []
    var start = 0
    while start < points.count {
      let place = (points[start].x / column).rounded(.down)
      var end = start
      var (lowest, highest) = (start, start)
      while end < points.count, (points[end].x / column).rounded(.down) == place {
        if points[end].y < points[lowest].y { lowest = end }
        if points[end].y > points[highest].y { highest = end }
        end += 1
      }
      for index in [start, lowest, highest, end - 1].sorted() where kept.last.map({ $0 < index }) ?? true {
        kept.append(index)
      }
      start = end
    }
    return kept
  }
}

extension TrendFigure {
  /// The size of the charts of a page, which fill a card or the width of a phone.
  private static let (width, height) = (600.0, 270.0)
  private static var frame: Frame { Frame(left: 56, top: 14, width: width - 68, height: height - 44) }

  /// The mean stress of each part as a bar with the colour and pattern of its category, in front of its interval.
  /// - Parameters:
  ///   - name: description for screen readers.
  ///   - unit: name of the vertical axis.
  package func stressChart(name: String, unit: String) -> InlineFigure {
    var canvas = SVGCanvas(width: Self.width, height: Self.height, prefix: "stress-")
    canvas.define(CategoryPattern.definitions(prefix: canvas.prefix))
    drawStress(Self.frame, title: "", unit: unit, on: &canvas)
    let frame = Self.frame
    let (x, y) = (timeAxis(frame), Axis(exactly: 0...100, step: 25, from: frame.bottom, to: frame.top))
    let points = parts.enumerated().map { place, part in
      part.stress.map { InlineFigure.Point(x: x(Double(place)), y: y($0.mean)) }
    }
    return InlineFigure(canvas, name: name, points: points)
  }

  /// HRV with its standard deviation in front of the normal range.
  package func hrvChart(name: String, unit: String) -> InlineFigure {
    chart(\.hrv, name: name, unit: unit, band: normal)
  }

  /// The heart rate with its standard deviation; the resting heart rate as a dashed line.
  package func heartRateChart(name: String, unit: String) -> InlineFigure {
    chart(\.heartRate, name: name, unit: unit, line: restingHeartRate)
  }

  /// Moods from 1 to 10.
  /// - Parameter values: the mean of each part, if it has one.
  package func moodChart(_ values: [Double?], name: String, unit: String) -> InlineFigure {
    var figure = self
    figure.parts = zip(parts, values).map { part, value in
      Part(
        label: part.label, stress: nil, hrv: value.flatMap { Mark(mean: $0, deviation: nil) }, heartRate: nil)
    }
    return figure.chart(\.hrv, name: name, unit: unit, scale: 0...10)
  }

  private func chart(
    _ mark: (Part) -> Mark?, name: String, unit: String, band: ClosedRange<Double>? = nil,
    line: Double? = nil, scale: ClosedRange<Double>? = nil
  ) -> InlineFigure {
    let frame = Self.frame
    var canvas = SVGCanvas(width: Self.width, height: Self.height)
    let y = drawMarks(mark, frame, title: "", unit: unit, band: band, line: line, scale: scale, on: &canvas)
    let x = timeAxis(frame)
    let points = parts.enumerated().map { place, part in
      mark(part).flatMap { mark in y.map { InlineFigure.Point(x: x(Double(place)), y: $0(mark.mean)) } }
    }
    return InlineFigure(canvas, name: name, points: points)
  }
}
