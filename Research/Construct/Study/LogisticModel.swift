import RealModule

/// A logistic regression with a ridge penalty on standardised inputs, fitted by Newton's method.
///
/// Both classes have the same total weight.
package struct LogisticModel: Sendable {
  /// Mean and standard deviation of each input.
  private let scales: [(mean: Double, deviation: Double)]
  /// Intercept and a coefficient for each standardised input.
  private var coefficients: [Double]

  /// Fits the model to inputs of equal number. Both classes must be present.
  package init(_ inputs: [[Double]], _ classes: [Bool], penalty: Double = 0.3) {
    let columns = inputs[0].indices.map { column in inputs.map { $0[column] } }
    scales = columns.map(Self.scale)
    coefficients = Array(repeating: 0, count: columns.count + 1)
    let rows = inputs.map(standardised)
    let positives = Double(classes.count { $0 })
    let negatives = Double(classes.count) - positives
    let weights = classes.map { Double(classes.count) / 2 / ($0 ? positives : negatives) }
    for _ in 0..<30 { improve(rows, classes, weights, penalty) }
  }

  /// Returns the log odds of the first class.
  package func logOdds(_ inputs: [Double]) -> Double { dot(standardised(inputs)) }

  private static func scale(_ values: [Double]) -> (mean: Double, deviation: Double) {
    let mean = values.reduce(0, +) / Double(values.count)
    let squares = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
    return (mean, max(1e-9, (squares / Double(values.count)).squareRoot()))
  }

  private func standardised(_ inputs: [Double]) -> [Double] {
    [1] + zip(inputs, scales).map { ($0 - $1.mean) / $1.deviation }
  }

  private func dot(_ row: [Double]) -> Double { zip(row, coefficients).reduce(0) { $0 + $1.0 * $1.1 } }

  /// Takes a step of Newton's method. The intercept is not penalised.
  private mutating func improve(_ rows: [[Double]], _ classes: [Bool], _ weights: [Double], _ penalty: Double)
  {
    var gradient = coefficients.map { -penalty * $0 }
    gradient[0] = 0
    var hessian = coefficients.indices.map { row in
      coefficients.indices.map { row == $0 && row > 0 ? penalty : 0.0 }
    }
    for ((row, isPositive), weight) in zip(zip(rows, classes), weights) {
      let probability = 1 / (1 + Double.exp(-dot(row)))
      let error = weight * ((isPositive ? 1 : 0) - probability)
      let curvature = weight * probability * (1 - probability)
      for i in row.indices {
        gradient[i] += error * row[i]
        for j in row.indices { hessian[i][j] += curvature * row[i] * row[j] }
      }
    }
    for (index, step) in Self.solve(hessian, gradient).enumerated() { coefficients[index] += step }
  }

  /// Solves a positive definite system by Gaussian elimination.
  private static func solve(_ matrix: [[Double]], _ vector: [Double]) -> [Double] {
    var rows = zip(matrix, vector).map { $0 + [$1] }
    for pivot in rows.indices {
      for row in rows.indices where row != pivot {
        let factor = rows[row][pivot] / rows[pivot][pivot]
        for column in pivot...rows.count { rows[row][column] -= factor * rows[pivot][column] }
      }
    }
    return rows.indices.map { rows[$0][rows.count] / rows[$0][$0] }
  }
}
