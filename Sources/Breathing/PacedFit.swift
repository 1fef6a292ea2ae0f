import RealModule

/// A least-squares fit of a polynomial trend and a periodic component (sines and cosines of the pacing
/// frequency and its harmonics) to NN intervals at unequally spaced times.
struct PacedFit {
  /// Coefficients in ms of the cosine and the sine of the pacing frequency.
  let cosine: Double
  let sine: Double
  /// Residual sums of squares with degrees of freedom: of the trend alone, and of trend and periodic
  /// component.
  let trend: (squares: Double, freedom: Int)
  let rhythm: (squares: Double, freedom: Int)

  /// Fits the samples. Fails if there are too few, or if the terms are linearly dependent.
  init?(_ samples: ArraySlice<PacedBeats.Sample>, harmonics: Int, trendDegree: Int) {
    guard let first = samples.first, let last = samples.last, last.cycles > first.cycles else { return nil }
    let (middle, half) = ((first.cycles + last.cycles) / 2, (last.cycles - first.cycles) / 2)
    let rows = samples.map { sample in
      Self.powers((sample.cycles - middle) / half, trendDegree)
        + (1...max(1, harmonics)).flatMap { multiple in
          let angle = 2 * Double.pi * Double(multiple) * sample.cycles
          return [Double.cos(angle), Double.sin(angle)]
        }
    }
    let values = samples.map(\.milliseconds)
    let terms = trendDegree + 1
    guard let plain = LeastSquares(rows.map { Array($0.prefix(terms)) }, values),
      let whole = LeastSquares(rows, values)
    else { return nil }
    (cosine, sine) = (whole.coefficients[terms], whole.coefficients[terms + 1])
    trend = (plain.squares, plain.freedom)
    rhythm = (whole.squares, whole.freedom)
  }

  private static func powers(_ x: Double, _ degree: Int) -> [Double] {
    (0...degree).map { power in (0..<power).reduce(1) { product, _ in product * x } }
  }
}

/// A linear least-squares fit.
struct LeastSquares {
  let coefficients: [Double]
  /// Residual sum of squares.
  let squares: Double
  /// Degrees of freedom: number of values minus number of terms.
  let freedom: Int

  /// Solves the normal equations by Cholesky decomposition. There must be more values than terms, and the terms must be
  /// linearly independent.
  init?(_ rows: [[Double]], _ values: [Double]) {
    guard let terms = rows.first?.count, rows.count > terms else { return nil }
    var matrix = [[Double]](repeating: [Double](repeating: 0, count: terms), count: terms)
    var right = [Double](repeating: 0, count: terms)
    for (row, value) in zip(rows, values) {
      for i in 0..<terms {
        right[i] += row[i] * value
        for j in 0...i { matrix[i][j] += row[i] * row[j] }
      }
    }
    guard let solved = Self.solve(matrix, right) else { return nil }
    coefficients = solved
    squares = zip(rows, values).reduce(0) { sum, pair in
      let left = pair.1 - zip(pair.0, solved).reduce(0) { $0 + $1.0 * $1.1 }
      return sum + left * left
    }
    freedom = rows.count - terms
  }

  /// Solves a symmetric system; only the lower triangle of `matrix` is used.
  private static func solve(_ matrix: [[Double]], _ right: [Double]) -> [Double]? {
    var (lower, x) = (matrix, right)
    for i in x.indices {
      for j in 0...i {
        let sum = (0..<j).reduce(lower[i][j]) { $0 - lower[i][$1] * lower[j][$1] }
        guard i == j else {
          lower[i][j] = sum / lower[j][j]
          continue
        }
        guard sum > 1e-9 * matrix[i][i], sum > 0 else { return nil }
        lower[i][i] = sum.squareRoot()
      }
    }
    for i in x.indices { x[i] = (0..<i).reduce(x[i]) { $0 - lower[i][$1] * x[$1] } / lower[i][i] }
    for i in x.indices.reversed() {
      x[i] = (i + 1..<x.count).reduce(x[i]) { $0 - lower[$1][i] * x[$1] } / lower[i][i]
    }
    return x
  }
}
