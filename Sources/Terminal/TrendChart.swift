import Localization

/// Values over time as columns of blocks, with labels of the range and of the time.
struct TrendChart {
  /// The range of the rows; values outside are drawn at the edge.
  let range: ClosedRange<Double>
  let rows: Int
  let unicode: Bool

  /// Four digits, a space and the axis.
  static let margin = 6

  /// The range of `values`, widened around its middle to at least `leastSpan`, because noise must not fill the height.
  static func range(_ values: [Double?], leastSpan: Double) -> ClosedRange<Double> {
    let known = values.compactMap(\.self)
    let (low, high) = (known.min() ?? 0, known.max() ?? 0)
    let spare = max(0, leastSpan - (high - low)) / 2
    let start = max(min(0, low), low - spare)
    return start...max(high, start + leastSpan, high + spare)
  }

  /// One line per row, and one with the time labels.
  func lines(_ values: [Double?], seconds: Int) -> [String] {
    let blocks: [Character] = Array(unicode ? "▁▂▃▄▅▆▇█" : "_.-=+*%#")
    let steps = values.map { $0.map { step($0, of: blocks.count) } }
    let axis = unicode ? "│" : "|"
    let chart = (0..<rows).map { row in
      let base = (rows - 1 - row) * blocks.count
      let cells = steps.map { step -> Character in
        guard let step, step > base else { return " " }
        return blocks[min(blocks.count, step - base) - 1]
      }
      let label = row == 0 ? range.upperBound.fixed(0) : row == rows - 1 ? range.lowerBound.fixed(0) : ""
      return label.aligned(to: Self.margin - 2) + " " + axis + String(cells)
    }
    return chart + [timeLabels(columns: values.count, seconds: seconds)]
  }

  /// Number of filled parts of rows from the bottom. At least one, because every value must be visible.
  private func step(_ value: Double, of parts: Int) -> Int {
    let fraction = (value - range.lowerBound) / max(1e-9, range.upperBound - range.lowerBound)
    return max(1, Int((min(1, max(0, fraction)) * Double(rows * parts)).rounded()))
  }

  /// `-5:00   -2:30   0:00`, the middle label only if it fits.
  private func timeLabels(columns: Int, seconds: Int) -> String {
    let (start, middle) = (
      "-" + clockText(seconds: Double(seconds)), "-" + clockText(seconds: Double(seconds) / 2)
    )
    let end = "0:00"
    var line = String(repeating: " ", count: Self.margin) + start
    let place = Self.margin + columns / 2 - middle.count / 2
    if columns >= 24 { line = line.padded(to: place) + middle }
    return line + end.aligned(to: max(end.count + 1, Self.margin + columns - line.count))
  }
}

/// A series of numbers as one line of blocks; the lowest value is the lowest block.
///
/// - Parameters:
///   - values: A missing measurement is a space.
///   - leastSpan: Minimum difference between the lowest and the highest block. It prevents noise from filling the height.
///   - width: Maximum width in columns; with more values, each column is the mean of its values.
///   - unicode: Whether non-ASCII characters may be used.
package func sparkline(
  _ values: [Double?], leastSpan: Double = 0, width: Int, unicode: Bool = true
) -> String {
  let blocks: [Character] = Array(unicode ? "▁▂▃▄▅▆▇█" : "_.-=+*%#")
  let means = values.means(width)
  let known = means.compactMap(\.self)
  guard !known.isEmpty else { return "" }
  let range = TrendChart.range(means, leastSpan: leastSpan)
  let (low, high) = (range.lowerBound, range.upperBound)
  let line = means.map { mean -> Character in
    guard let mean else { return " " }
    guard high > low else { return blocks[blocks.count / 2] }
    return blocks[min(blocks.count - 1, Int((mean - low) / (high - low) * Double(blocks.count)))]
  }
  return String(line)
}

extension [Double?] {
  /// The means of `count` parts of equal length; the values themselves if there are at most `count`.
  fileprivate func means(_ count: Int) -> [Double?] {
    guard self.count > count, count > 0 else { return map { $0.flatMap { $0.isFinite ? $0 : nil } } }
    return (0..<count).map { place in
      let known = self[place * self.count / count..<(place + 1) * self.count / count].compactMap(\.self)
        .filter(\.isFinite)
      return known.isEmpty ? nil : known.reduce(0, +) / Double(known.count)
    }
  }
}
