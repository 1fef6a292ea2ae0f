import HRV
import RealModule

/// The differences of ln RMSSD between two windows of one undisturbed rest, relative to the smallest detectable change, for
/// pairs of one kind.
package struct WindowPairs: Sendable {
  /// Two windows of one rest by their length and the time between them, in seconds.
  package struct Kind: Sendable {
    package let name: String
    package let seconds: Int
    package let gap: Int

    package static let all = [
      Kind(name: "adjacent minutes", seconds: 60, gap: 0),
      Kind(name: "minutes, 4 minutes between them", seconds: 60, gap: 240),
      Kind(name: "minutes, 5 minutes between them", seconds: 60, gap: 300),
      Kind(name: "adjacent five minutes", seconds: 300, gap: 0),
    ]

    /// Seconds from the start of the first window to the end of the second.
    var extent: Double { Double(2 * seconds + gap) }

    /// Multiplies the smallest detectable change to that of a standard deviation of 0.265 for pairs of all kinds.
    package var constantScale: Double { 1 / RestVariability.scale(extent: extent) }
  }

  /// A pair: the difference, and the smallest detectable change.
  package struct Pair: Sendable {
    package let difference: Double
    package let smallest: Double

    func isChanged(times factor: Double, scale: Double) -> Bool {
      abs(difference + Double.log(factor)) > scale * smallest
    }
  }

  package let kind: Kind
  package let people: [(name: String, pairs: [Pair])]

  package init(_ kind: Kind, of people: [RestingPerson]) {
    self.kind = kind
    self.people = people.map { person in
      (
        name: person.name,
        pairs: person.pairs(seconds: kind.seconds, gap: kind.gap).compactMap { Self.pair($0, kind) }
      )
    }
    .filter { !$0.pairs.isEmpty }
  }

  private static func pair(_ sides: RestingPerson.Pair, _ kind: Kind) -> Pair? {
    guard let change = try? RMSSDChange(from: sides.0, to: sides.1, extent: kind.extent) else { return nil }
    return Pair(difference: change.difference, smallest: change.smallestDetectable)
  }

  package var count: Int { people.reduce(0) { $0 + $1.pairs.count } }

  /// The fraction of all pairs that is called changed.
  package var rate: Double { rate(times: 1) }

  /// The fraction of all pairs that is called changed if RMSSD of the second window is multiplied by `factor`.
  /// - Parameter scale: multiplies the smallest detectable change.
  package func rate(times factor: Double, scale: Double = 1) -> Double {
    let changed = people.flatMap(\.pairs).count { $0.isChanged(times: factor, scale: scale) }
    return Double(changed) / Double(max(1, count))
  }

  /// The mean over people of the fraction that is called changed.
  package var equalRate: Double {
    people.reduce(0) { $0 + Self.rate($1.pairs) } / Double(max(1, people.count))
  }

  private static func rate(_ pairs: [Pair], scale: Double = 1) -> Double {
    Double(pairs.count { $0.isChanged(times: 1, scale: scale) }) / Double(max(1, pairs.count))
  }

  /// The fraction that is called changed, if the scale for the pairs of each person is the one that calls 5 % of the pairs of all
  /// other people changed.
  package var leftOutRate: Double {
    let changed = people.indices.reduce(0.0) { sum, index in
      let others = people.indices.filter { $0 != index }.flatMap { people[$0].pairs }
      let sizes = others.map { abs($0.difference) / $0.smallest }.sorted()
      guard !sizes.isEmpty else { return sum }
      let pairs = people[index].pairs
      return sum + Double(pairs.count) * Self.rate(pairs, scale: sizes[sizes.count * 95 / 100])
    }
    return changed / Double(max(1, count))
  }

  /// The highest lower 95 % bound of the rate of one person (Wilson 1927).
  package var highestLowerBound: (bound: Double, name: String) {
    people.map { (Self.lowerBound(Self.rate($0.pairs), Double($0.pairs.count)), $0.name) }
      .max { $0.0 < $1.0 } ?? (0, "")
  }

  private static func lowerBound(_ rate: Double, _ count: Double) -> Double {
    let z = 1.96
    let spread = z * (rate * (1 - rate) / count + z * z / (4 * count * count)).squareRoot()
    return (rate + z * z / (2 * count) - spread) / (1 + z * z / count)
  }
}
