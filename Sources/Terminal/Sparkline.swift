/// A series of numbers as one line of blocks, the lowest value the lowest block.
///
/// - Parameters:
///   - values: nil is a space: nothing was measured.
///   - leastSpan: The least difference between the lowest and the highest block, so that noise does not fill the height.
///   - width: Columns at most; where there are more values, each column is the mean of those that fall into it.
///   - unicode: Whether characters beyond ASCII may be used.
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
  /// The means of `count` stretches of equal length; all values where there are no more than that.
  fileprivate func means(_ count: Int) -> [Double?] {
    guard self.count > count, count > 0 else { return map { $0.flatMap { $0.isFinite ? $0 : nil } } }
    return (0..<count).map { place in
      let known = self[place * self.count / count..<(place + 1) * self.count / count].compactMap(\.self)
        .filter(\.isFinite)
      return known.isEmpty ? nil : known.reduce(0, +) / Double(known.count)
    }
  }
}
