import HRV
import HeartRate

/// A tachogram: RR intervals over time, with marks for intervals that are not normal, and gaps as bars.
struct Tachogram {
  let beats: [Beat]
  var title = "RR intervals"
  var texts = FigureTexts.english
  /// Width of a column in pixels: with the default, a day has 1,400 columns.
  var column = 0.5

  /// Upper limit of the vertical axis in ms; longer intervals are drawn at the limit.
  private static let longest = 2500.0
  private static let gapInk = "fill=\"\(Ink.shade)\" stroke=\"\(Ink.edge)\""

  private var drawn: [Beat] { beats.filter { $0.verdict != .gap } }

  /// - Returns: the axes, if there are beats.
  @discardableResult
  func draw(in frame: Frame, on canvas: inout SVGCanvas) -> (x: Axis, y: Axis)? {
    let shown = drawn
    guard let first = beats.first, let last = beats.last, !shown.isEmpty else {
      canvas.notice(frame, title: title, [texts.noBeats])
      return nil
    }
    let heights = shown.map { Self.height($0) }
    let y = Axis(
      covering: (heights.min() ?? 0)...(heights.max() ?? 1), from: frame.bottom, to: frame.top)
    let x = TimeAxis.axis(from: (first.end - first.rr).seconds, to: last.end.seconds, frame)
    canvas.axes(
      frame, title: title, x: x, y: y, xName: TimeAxis.name(x, texts), yName: texts.rrInterval,
      xLabel: { TimeAxis.label($0, on: x) })
    drawGaps(frame, x, &canvas)
    drawLine(shown, x, y, &canvas)
    drawMarks(shown, x, y, &canvas)
    drawLegend(frame, &canvas)
    return (x, y)
  }

  private static func height(_ beat: Beat) -> Double { min(beat.rr.milliseconds, longest) }

  private func drawGaps(_ frame: Frame, _ x: Axis, _ canvas: inout SVGCanvas) {
    for (start, end) in gaps {
      let (left, right) = (x(start), x(end))
      canvas.element(
        "rect",
        "x=\"\(left.svg)\" y=\"\(frame.top.svg)\" width=\"\(max(1, right - left).svg)\" "
          + "height=\"\(frame.height.svg)\" \(Self.gapInk)")
    }
  }

  /// Gaps in seconds: intervals that span missing data, and times without beats.
  private var gaps: [(start: Double, end: Double)] {
    var gaps: [(Double, Double)] = []
    var previous: SessionTime?
    for beat in beats {
      let start = beat.end - beat.rr
      if beat.verdict == .gap {
        gaps.append((start.seconds, beat.end.seconds))
      } else if let previous, beat.followsBreak, start > previous {
        gaps.append((previous.seconds, start.seconds))
      }
      previous = beat.end
    }
    return gaps
  }

  /// Draws a line through all beats, interrupted at gaps.
  private func drawLine(_ shown: [Beat], _ x: Axis, _ y: Axis, _ canvas: inout SVGCanvas) {
    let points = shown.map { (x: x($0.end.seconds), y: y(Self.height($0))) }
    var path = ""
    var last = -1
    for index in Thinning.kept(points, column: column) {
      let isBroken = last < 0 || shown[(last + 1)...index].contains(where: \.followsBreak)
      path += "\(isBroken ? "M" : "L")\(points[index].x.svg) \(points[index].y.svg)"
      last = index
    }
    canvas.element("path", "d=\"\(path)\" fill=\"none\" stroke=\"\(Ink.line)\" stroke-linejoin=\"round\"")
  }

  private func drawMarks(_ shown: [Beat], _ x: Axis, _ y: Axis, _ canvas: inout SVGCanvas) {
    for mark in BeatMark.all {
      let marked = shown.filter { $0.verdict == mark.verdict }
      let points = marked.map { (x: x($0.end.seconds), y: y(Self.height($0))) }
      for index in Thinning.kept(points, column: 2) {
        canvas.mark(mark.verdict, x: points[index].x, y: points[index].y)
      }
    }
  }

  /// Draws the legend: each verdict that occurs, with its mark and its number of beats.
  private func drawLegend(_ frame: Frame, _ canvas: inout SVGCanvas) {
    var left = frame.left + (title.isEmpty ? 10 : 130)
    for mark in BeatMark.all {
      let count = beats.count { $0.verdict == mark.verdict }
      guard count > 0 else { continue }
      canvas.mark(mark.verdict, x: left, y: frame.top - 16)
      let words = "\(texts.name(mark.verdict)) \(count)"
      canvas.text(words, x: left + 10, y: frame.top - 12)
      left += 34 + 7 * Double(words.count)
    }
    guard !gaps.isEmpty else { return }
    canvas.element(
      "rect", "x=\"\((left - 4).svg)\" y=\"\((frame.top - 22).svg)\" width=\"9\" height=\"12\" \(Self.gapInk)"
    )
    canvas.text("\(texts.name(.gap)) \(gaps.count)", x: left + 10, y: frame.top - 12)
  }
}

/// The time axis along the lower edge.
enum TimeAxis {
  private static let steps: [Double] = [
    1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10_800, 21_600, 43_200, 86_400,
  ]

  static func axis(from start: Double, to end: Double, _ frame: Frame) -> Axis {
    let span = max(end - start, 1)
    let step = steps.first { span / $0 <= 10 } ?? (span / 10 / 86_400).rounded(.up) * 86_400
    return Axis(exactly: start...(start + span), step: step, from: frame.left, to: frame.right)
  }

  /// The axis name with the format of its labels.
  static func name(_ axis: Axis, _ texts: FigureTexts = .english) -> String {
    hasHours(axis) ? texts.hours : texts.minutes
  }

  private static func hasHours(_ axis: Axis) -> Bool { axis.ticks.contains { $0 >= 3600 } }

  /// Formats seconds as `1:30`, on an axis that reaches an hour as `0:01:30`.
  static func label(_ seconds: Double, on axis: Axis) -> String {
    let whole = Int(seconds.rounded())
    let (hours, minutes, rest) = (whole / 3600, whole / 60 % 60, whole % 60)
    func two(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }
    return hasHours(axis) ? "\(hours):\(two(minutes)):\(two(rest))" : "\(minutes):\(two(rest))"
  }
}
