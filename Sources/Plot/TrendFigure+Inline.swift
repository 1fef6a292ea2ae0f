extension TrendFigure {
  /// The mean stress of each part as a bar with the colour and pattern of its category, in front of its interval.
  /// - Parameters:
  ///   - name: description for screen readers.
  ///   - unit: name of the vertical axis.
  package func stressChart(name: String, unit: String) -> InlineFigure {
    var canvas = SVGCanvas(width: InlineFigure.width, height: InlineFigure.height, prefix: "stress-")
    canvas.define(CategoryPattern.definitions(prefix: canvas.prefix))
    drawStress(InlineFigure.frame, title: "", unit: unit, on: &canvas)
    let frame = InlineFigure.frame
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

  private func chart(
    _ mark: (Part) -> Mark?, name: String, unit: String, band: ClosedRange<Double>? = nil,
    line: Double? = nil
  ) -> InlineFigure {
    let frame = InlineFigure.frame
    var canvas = SVGCanvas(width: InlineFigure.width, height: InlineFigure.height)
    let y = drawMarks(mark, frame, title: "", unit: unit, band: band, line: line, on: &canvas)
    let x = timeAxis(frame)
    let points = parts.enumerated().map { place, part in
      mark(part).flatMap { mark in y.map { InlineFigure.Point(x: x(Double(place)), y: $0(mark.mean)) } }
    }
    return InlineFigure(canvas, name: name, points: points)
  }
}
