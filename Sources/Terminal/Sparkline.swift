/// A series of numbers as one line of blocks; the lowest value is the lowest block.
///
/// - Parameters:
///   - values: nil, for no measurement, is a space.
///   - leastSpan: Minimum difference between the lowest and the highest block, so that noise does not fill the height.
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
