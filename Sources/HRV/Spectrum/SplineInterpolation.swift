/// An interpolating spline equivalent to SciPy's `make_interp_spline`: degree 2 with knots midway between the
/// points, degrees 1 and 3 with knots at the points (3: "not-a-knot" at both ends).
///
/// The equations are solved by elimination without pivoting, which is stable for them (de Boor 2001).
struct SplineInterpolation: Sendable {
  private let degree: Int
  private let points: [Double]
  private let knots: [Double]
  private var coefficients: [Double]

  /// Computes the spline.
  /// - Parameters:
  ///   - points: strictly ascending, more than `degree`.
  ///   - degree: 1, 2 or 3.
  init(_ points: [Double], _ values: [Double], degree: Int) {
    precondition((1...3).contains(degree) && points.count > degree && points.count == values.count)
    self.degree = degree
    self.points = points
    knots = Self.knots(points, degree)
    coefficients = values
    solve()
  }

  private static func knots(_ points: [Double], _ degree: Int) -> [Double] {
    let ends = (points[0], points[points.count - 1])
    let inner =
      degree == 2
      ? zip(points.dropFirst().dropLast(2), points.dropFirst(2).dropLast()).map { ($0 + $1) / 2 }
      : Array(points.dropFirst((degree + 1) / 2).dropLast((degree + 1) / 2))
    return Array(repeating: ends.0, count: degree + 1) + inner
      + Array(repeating: ends.1, count: degree + 1)
  }

  /// Returns `count` values at intervals of `step` from the first point; constant after the last point.
  func samples(step: Double, count: Int) -> [Double] {
    var span = degree
    return (0..<count).map { index in
      let at = min(points[0] + Double(index) * step, points[points.count - 1])
      advance(&span, to: at)
      let basis = basis(at, span)
      var value = 0.0
      for offset in 0...degree { value += basis[offset] * coefficients[span - degree + offset] }
      return value
    }
  }

  private func advance(_ span: inout Int, to at: Double) {
    while span < points.count - 1, at >= knots[span + 1] { span += 1 }
  }

  /// Returns the `degree` + 1 B-splines that are non-zero at `at`, which is in the interval of knot `span`
  /// (Cox-de Boor recurrence).
  private func basis(_ at: Double, _ span: Int) -> SIMD4<Double> {
    var basis = SIMD4(1.0, 0, 0, 0)
    for order in 1...degree {
      var saved = 0.0
      for index in 0..<order {
        let (left, right) = (knots[span + 1 + index - order], knots[span + 1 + index])
        let part = right > left ? basis[index] / (right - left) : 0
        basis[index] = saved + (right - at) * part
        saved = (at - left) * part
      }
      basis[order] = saved
    }
    return basis
  }

  /// Converts the values to coefficients. Row i of the band matrix contains the B-splines at point i, in the
  /// columns i - 2 to i + 2.
  private mutating func solve() {
    let count = points.count
    var rows = [SIMD8<Double>](repeating: .zero, count: count)
    var span = degree
    for row in 0..<count {
      advance(&span, to: points[row])
      let basis = basis(points[row], span)
      for offset in 0...degree where basis[offset] != 0 {
        rows[row][span - degree + offset - row + 2] = basis[offset]
      }
    }
    for row in 0..<count {
      for below in row + 1..<max(row + 1, min(row + 3, count)) {
        let factor = rows[below][row - below + 2] / rows[row][2]
        guard factor != 0 else { continue }
        for column in row...min(row + 2, count - 1) {
          rows[below][column - below + 2] -= factor * rows[row][column - row + 2]
        }
        coefficients[below] -= factor * coefficients[row]
      }
    }
    for row in (0..<count).reversed() {
      for column in row + 1..<max(row + 1, min(row + 3, count)) {
        coefficients[row] -= rows[row][column - row + 2] * coefficients[column]
      }
      coefficients[row] /= rows[row][2]
    }
  }
}
