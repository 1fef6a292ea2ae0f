import HeartRate
import Words

extension LiveScreen {
  /// Stress and RMSSD of the last minutes side by side, once there is more than a point. Each column is the mean of its
  /// time, and empty where nothing was measured then.
  func trend(_ text: LiveText, _ span: LiveView.Span, width: Int) -> [String] {
    let points = text.state.trend
    guard points.count > 1 else { return [] }
    let cells = max(1, min(span.mostColumns, (width - 30) / 2))
    func columns(_ value: (LiveState.TrendPoint) -> Double?) -> [Double?] {
      Self.means(points, value, over: span, until: text.state.now, cells: cells)
    }
    let (stress, rmssd) = (columns(\.stress), columns(\.rmssd))
    return [
      "\(span.words.padded(to: 5))  \(style.words("stress \(blocks(stress, in: 0...100))"))  "
        + "RMSSD \(blocks(rmssd, in: nil))"
    ]
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

  /// The values as blocks; their own range where none is given.
  private func blocks(_ values: [Double?], in range: ClosedRange<Double>?) -> String {
    let known = values.compactMap { $0 }
    let low = range?.lowerBound ?? known.min() ?? 0
    let high = range?.upperBound ?? known.max() ?? 1
    let blocks: [Character] = style.unicode ? Array("▁▂▃▄▅▆▇█") : Array("_.-=^")
    return String(
      values.map { value -> Character in
        guard let value else { return " " }
        let share = high > low ? (value - low) / (high - low) : 0
        return blocks[Int((min(1, max(0, share)) * Double(blocks.count - 1)).rounded())]
      })
  }
}
