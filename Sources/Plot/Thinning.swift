/// Downsampling of points ordered by x to the resolution of a picture.
struct Thinning {
  /// Returns the indices of the points to draw: the first, the lowest, the highest and the last of each
  /// column, so that extremes are preserved.
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
