import HeartRate
import Localization

extension LiveScreen {
  /// Minimum range of the RMSSD trend in ms: RMSSD of successive windows at rest varies by about a fifth.
  static func minimumRMSSDSpan(_ values: [Double?]) -> Double {
    let known = values.compactMap(\.self)
    return max(20, known.isEmpty ? 0 : known.reduce(0, +) / Double(known.count) / 2)
  }

  /// Stress and RMSSD of the last minutes side by side: in one line, or as charts in `rows` lines. Each column is the mean of
  /// its time, and empty without a measurement. Empty with fewer than two points.
  func trend(_ text: LiveText, _ span: LiveView.Span, width: Int, rows: Int = 1) -> [String] {
    guard text.state.trend.count > 1 else { return [] }
    return rows >= Self.minimumTrendRows
      ? trendCharts(text, span, width: width, rows: rows) : [trendLine(text, span, width: width)]
  }

  /// A title, three rows of blocks and the time labels.
  static let minimumTrendRows = 5

  private func trendLine(_ text: LiveText, _ span: LiveView.Span, width: Int) -> String {
    let (stress, rmssd) = means(text, span, cells: max(1, min(span.maximumColumns, 60, (width - 30) / 2)))
    let range = TrendChart.range(rmssd, leastSpan: Self.minimumRMSSDSpan(rmssd))
    return "\(span.words.padded(to: 5))  \(style.localized("stress \(blocks(stress, in: 0...100))"))  "
      + "RMSSD \(blocks(rmssd, in: range))"
  }

  private func trendCharts(_ text: LiveText, _ span: LiveView.Span, width: Int, rows: Int) -> [String] {
    let panel = (width - 3) / 2
    let (stress, rmssd) = means(
      text, span, cells: max(1, min(span.maximumColumns, panel - TrendChart.margin)))
    func chart(_ title: String, _ values: [Double?], _ range: ClosedRange<Double>) -> [String] {
      [style.dim(title)]
        + TrendChart(range: range, rows: rows - 2, unicode: style.unicode).lines(
          values, seconds: span.seconds)
    }
    let left = chart(style.localized("Stress, last \(span.words)"), stress, 0...100)
    let range = TrendChart.range(rmssd, leastSpan: Self.minimumRMSSDSpan(rmssd))
    let right = chart(style.localized("RMSSD in ms, last \(span.words)"), rmssd, range)
    let column = TrendChart.margin + stress.count + 3
    return zip(left, right).map { $0.padded(to: column) + $1 }
  }

  private func means(_ text: LiveText, _ span: LiveView.Span, cells: Int) -> (
    stress: [Double?], rmssd: [Double?]
  ) {
    let (points, end) = (text.state.trend, text.state.now)
    return (
      Self.means(points, \.stress, over: span, until: end, cells: cells),
      Self.means(points, \.rmssd, over: span, until: end, cells: cells)
    )
  }

  private static func means(
    _ points: [LiveState.TrendPoint], _ value: (LiveState.TrendPoint) -> Double?, over span: LiveView.Span,
    until end: SessionTime, cells: Int
  ) -> [Double?] {
    let length = Int64(span.seconds) * RRInterval.ticksPerSecond
    var sums = Array(repeating: (sum: 0.0, count: 0), count: cells)
    for point in points {
      let age = end.ticks - point.time.ticks
      guard age >= 0, age < length, let value = value(point) else { continue }
      let cell = cells - 1 - Int(age * Int64(cells) / length)
      sums[cell].sum += value
      sums[cell].count += 1
    }
    return sums.map { $0.count > 0 ? $0.sum / Double($0.count) : nil }
  }

  private func blocks(_ values: [Double?], in range: ClosedRange<Double>) -> String {
    let blocks: [Character] = style.unicode ? Array("▁▂▃▄▅▆▇█") : Array("_.-=^")
    let span = max(1e-9, range.upperBound - range.lowerBound)
    return String(
      values.map { value -> Character in
        guard let value else { return " " }
        let fraction = min(1, max(0, (value - range.lowerBound) / span))
        return blocks[Int((fraction * Double(blocks.count - 1)).rounded())]
      })
  }
}
