/// Points in the order of their x, of which many fall on one and the same column of a picture.
struct Thinning {
  /// Places of the points to draw: of each column the first, the lowest, the highest and the last, so that nothing that
  /// stands out is lost, however many there are.
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
