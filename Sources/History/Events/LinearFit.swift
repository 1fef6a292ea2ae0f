/// The coefficients of linear predictors of a series by least squares (the covariance method, Makhoul 1975, "Linear
/// prediction: A tutorial review"), rounded to integers.
struct LinearFit {
  /// The size of a coefficient in bits, and its unit: 2^-fractionBits.
  static let coefficientBits = 6
  static let fractionBits = 4
  /// Added to the diagonal of the normal equations; about the noise of three samples.
  private static let regularization = 27.0

  private let values: [Double]

  init(_ values: [Int]) { self.values = values.map(Double.init) }

  /// The coefficients of the `order` values before each value, the latest first.
  func coefficients(order: Int) -> [Int] {
    let (lowest, highest) = (-(1 << (Self.coefficientBits - 1)), (1 << (Self.coefficientBits - 1)) - 1)
    return solution(order).map { coefficient in
      let scaled = (coefficient * Double(1 << Self.fractionBits)).rounded()
      return scaled.isFinite ? Int(min(max(scaled, Double(lowest)), Double(highest))) : 0
    }
  }

  /// Solves the normal equations by Gaussian elimination. The regularized matrix is positive definite, so no pivoting is
  /// required.
  private func solution(_ order: Int) -> [Double] {
    var rows = normalEquations(order)
    for column in 0..<order {
      for row in 0..<order where row != column {
        let factor = rows[row][column] / rows[column][column]
        for index in column...order { rows[row][index] -= factor * rows[column][index] }
      }
    }
    return (0..<order).map { rows[$0][order] / rows[$0][$0] }
  }

  /// The matrix of lagged products, and their products with the predicted value as its last column.
  private func normalEquations(_ order: Int) -> [[Double]] {
    (0..<order).map { row in
      (0...order).map { column in
        let other = column == order ? 0 : column + 1
        return product(row + 1, other, from: order) + (row == column ? Self.regularization : 0)
      }
    }
  }

  private func product(_ lag: Int, _ other: Int, from first: Int) -> Double {
    var sum = 0.0
    for index in first..<values.count { sum += values[index - lag] * values[index - other] }
    return sum
  }
}
