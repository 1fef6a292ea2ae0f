import TestSupport

/// How well a measure separates the minutes of two groups: the area under the ROC curve, which is the probability
/// that a value of the first group exceeds one of the second, with ties counted half (Hanley & McNeil 1982).
///
///     let separation = GroupSeparation([[4, 5], [7]], [[1], [6]])  // two people with their minutes
///     separation.area                                              // 4 of 6 pairs: 0.67
package struct GroupSeparation: Sendable {
  /// Number of won pairs, and of pairs, of each person of the first group with each of the second.
  private let won, pairs: [[Double]]

  /// Creates the comparison of the values of each person in both groups. The order of people is the same.
  package init(_ high: [[Double]], _ low: [[Double]]) {
    won = high.map { high in low.map { Self.wins(high, $0) } }
    pairs = high.map { high in low.map { Double(high.count * $0.count) } }
  }

  /// The area, 0.5 if the groups do not differ; not a number if a group is empty.
  package var area: Double { area(of: Array(won.indices)) }

  /// Returns the area of a sample of the people, who can occur several times.
  package func area(of people: [Int]) -> Double {
    var (sum, count) = (0.0, 0.0)
    for high in people {
      for low in people {
        sum += won[high][low]
        count += pairs[high][low]
      }
    }
    return sum / count
  }

  private static func wins(_ high: [Double], _ low: [Double]) -> Double {
    high.reduce(0) { sum, value in
      low.reduce(sum) { $0 + (value > $1 ? 1 : value == $1 ? 0.5 : 0) }
    }
  }
}

/// Samples of people with replacement, for percentile intervals (Efron & Tibshirani 1993). Minutes of one person are
/// dependent, so people are drawn and not minutes.
package struct PeopleBootstrap: Sendable {
  private let samples: [[Int]]

  /// Draws `replicates` samples. Equal seeds give equal samples.
  package init(people: Int, replicates: Int = 2000, seed: UInt64 = 1) {
    var random = SeededGenerator(seed: seed)
    samples = (0..<replicates).map { _ in
      (0..<people).map { _ in Int.random(in: 0..<people, using: &random) }
    }
  }

  /// Returns the interval that contains 95 % of the values of `statistic`; nil without a finite one.
  package func interval(_ statistic: ([Int]) -> Double) -> ClosedRange<Double>? {
    let values = samples.map(statistic).filter(\.isFinite).sorted()
    guard !values.isEmpty else { return nil }
    let tail = Int((0.025 * Double(values.count - 1)).rounded())
    return values[tail]...values[values.count - 1 - tail]
  }
}
