import RealModule
import Stress
import TestSupport

/// The tables of docs/design/range.md: how often the range of a minute contains the value of the next one.
package struct RangeTables: Sendable {
  private let people: [RangePerson]
  private let sensors: [TwoSensors]

  package init(_ people: [RangePerson], _ sensors: [TwoSensors]) {
    (self.people, self.sensors) = (people, sensors)
  }

  /// The tables by the name of their block.
  package var blocks: [(name: String, text: String)] {
    get throws {
      [
        ("fit", try fit), ("coverage", try coverage), ("people", try frequentPeople),
        ("movement", try movement),
      ]
    }
  }

  /// The baseline of a score.
  package enum Reference: CaseIterable, Sendable {
    case population
    case own

    /// Nil for a person with too few minutes for an own baseline.
    func baseline(_ person: RangePerson) -> Baseline? { self == .own ? person.own : .populationDefault }
    var name: String { self == .own ? "own medians" : "population default" }
    /// The spread of the program.
    var spread: StressRange.Spread { .rest(weight: self == .own ? 1 : 0) }
  }

  /// Whether a range contains the next value.
  struct Outcome: Sendable {
    let isCovered, isAbove, isPositive, isNextPositive: Bool
    let width: Double
  }

  static func outcomes(
    _ person: RangePerson, _ reference: Reference, _ spread: StressRange.Spread
  ) throws -> [Outcome] {
    guard let baseline = reference.baseline(person) else { return [] }
    return try person.pairs.map { pair in
      let score = try pair.first.score(baseline)
      let range = StressRange(score, pair.first.quality, spread)
      let next = try pair.second.score(baseline).value
      return Outcome(
        isCovered: (range.low...range.high).contains(next), isAbove: next > range.high,
        isPositive: score.value > 0, isNextPositive: next > 0, width: range.high - range.low)
    }
  }

  /// The mean over people of the fraction of `outcomes` that `condition` selects; nan without any.
  static func equal(
    _ outcomes: [[Outcome]], of condition: (Outcome) -> Bool, _ selected: (Outcome) -> Bool
  ) -> Double {
    let fractions = outcomes.map { $0.filter(condition) }.filter { !$0.isEmpty }.map { all in
      Double(all.count(where: selected)) / Double(all.count)
    }
    return fractions.reduce(0, +) / Double(fractions.count)
  }
}

// MARK: Fit

extension RangeTables {
  /// The spread of a group: the 90 % quantiles of the differences of adjacent minutes, with people weighted equally, multiplied by the
  /// common factor at which 9 of 10 ranges of values above 0 contain the next value.
  static func spread(of people: [RangePerson]) throws -> StressRange.Spread {
    let largest = (
      quantile(people) { .log($0.second.rmssd / $0.first.rmssd) },
      quantile(people) { .log($0.second.heartRate / $0.first.heartRate) }
    )
    let spread = StressRange.Spread(
      hrv: largest.0 / StressRange.quantile, heartRate: largest.1 / StressRange.quantile)
    return spread.scaled(by: try factor { try coverage(of: people, spread.scaled(by: $0)) })
  }

  /// The factor of `spread` at which 9 of 10 ranges relative to own medians contain the next value, as the mean of all
  /// values and those above 0.
  static func ownFactor(of people: [RangePerson], _ spread: StressRange.Spread) throws -> Double {
    try factor { factor in
      let own = try people.map { try outcomes($0, .own, spread.scaled(by: factor)) }
      return (equal(own, of: { _ in true }, \.isCovered) + equal(own, of: \.isPositive, \.isCovered)) / 2
    }
  }

  /// The smallest factor from 0 to 2 at which the coverage is 0.9.
  private static func factor(_ coverage: (Double) throws -> Double) rethrows -> Double {
    var (low, high) = (0.0, 2.0)
    for _ in 0..<10 {
      let factor = (low + high) / 2
      if try coverage(factor) < 0.9 { low = factor } else { high = factor }
    }
    return high
  }

  /// The mean of the two references, among values above 0.
  private static func coverage(of people: [RangePerson], _ spread: StressRange.Spread) throws -> Double {
    let all = try Reference.allCases.map { reference in
      equal(try people.map { try outcomes($0, reference, spread) }, of: \.isPositive, \.isCovered)
    }
    return all.reduce(0, +) / Double(all.count)
  }

  /// The 90 % quantile of the magnitude of `difference`.
  private static func quantile(
    _ people: [RangePerson], of difference: (RangePerson.Pair) -> Double
  ) -> Double {
    let weighted = people.flatMap { person in
      person.pairs.map { (size: abs(difference($0)), weight: 1 / Double(person.pairs.count)) }
    }.sorted { $0.size < $1.size }
    var rest = 0.9 * Double(people.count)
    for (size, weight) in weighted {
      rest -= weight
      if rest <= 0 { return size }
    }
    return weighted.last?.size ?? .nan
  }

  private var fit: String {
    get throws {
      let all = try Self.spread(of: people)
      let used = StressRange.Spread.rest
      return MarkdownTable(
        ["scale of Student's t", "fitted to \(people.count) people", "used"],
        [
          ["ln HRV", MarkdownTable.fixed(all.hrv, decimals: 3), MarkdownTable.fixed(used.hrv, decimals: 3)],
          [
            "ln heart rate", MarkdownTable.fixed(all.heartRate, decimals: 4),
            MarkdownTable.fixed(used.heartRate, decimals: 4),
          ],
          [
            "factor of both with own medians",
            MarkdownTable.fixed(try Self.ownFactor(of: people, used), decimals: 2),
            MarkdownTable.fixed(StressRange.Spread.ownFactor, decimals: 2),
          ],
        ]
      ).text
    }
  }
}

// MARK: Coverage

extension RangeTables {
  private var coverage: String {
    get throws {
      let spreads = try people.indices.map { left in
        let others = people.indices.filter { $0 != left }.map { people[$0] }
        let spread = try Self.spread(of: others)
        return (population: spread, own: spread.scaled(by: try Self.ownFactor(of: others, spread)))
      }
      let rows = try Reference.allCases.flatMap { reference in
        let leftOut = try zip(people, spreads).map {
          try Self.outcomes($0, reference, reference == .own ? $1.own : $1.population)
        }
        let program = try people.map { try Self.outcomes($0, reference, reference.spread) }
        return [
          row(reference.name + ", person left out", leftOut), row(reference.name + ", program", program),
        ]
      }
      return MarkdownTable(
        [
          "baseline, spread", "people", "all", "values above 0", "next value above 0",
          "next value above the range",
          "mean width",
        ], rows
      ).text
    }
  }

  /// The fractions of next values within the program's ranges, of all minutes and of those above 0; the mean over people.
  package func coverage(_ reference: Reference) throws -> (all: Double, positive: Double) {
    let outcomes = try people.map { try Self.outcomes($0, reference, reference.spread) }
    return (
      Self.equal(outcomes, of: { _ in true }, \.isCovered),
      Self.equal(outcomes, of: \.isPositive, \.isCovered)
    )
  }

  private func row(_ name: String, _ outcomes: [[Outcome]]) -> [String] {
    let outcomes = outcomes.filter { !$0.isEmpty }
    let widths = outcomes.map { $0.reduce(0) { $0 + $1.width } / Double($0.count) }
    let fractions = [
      Self.equal(outcomes, of: { _ in true }, \.isCovered),
      Self.equal(outcomes, of: \.isPositive, \.isCovered),
      Self.equal(outcomes, of: \.isNextPositive, \.isCovered),
      Self.equal(outcomes, of: { _ in true }, \.isAbove),
    ]
    return [name, "\(outcomes.count)"] + fractions.map { MarkdownTable.fixed($0, decimals: 3) }
      + [MarkdownTable.fixed(widths.reduce(0, +) / Double(widths.count), decimals: 1)]
  }

  /// For each person with at least 100 pairs and each reference, the upper bound of the interval of the coverage.
  package var upperBounds: [(name: String, upper: Double)] {
    get throws {
      try frequent.map {
        ("\($0.person.name), \($0.reference.name)", Self.blockInterval($0.covered)?.upperBound ?? .nan)
      }
    }
  }

  /// For the people with at least 100 pairs and each reference, 1 for each covered value and 0 for the others.
  private var frequent: [(person: RangePerson, reference: Reference, covered: [Double])] {
    get throws {
      try people.filter { $0.pairs.count >= 100 }.flatMap { person in
        try Reference.allCases.map { reference in
          let outcomes = try Self.outcomes(person, reference, reference.spread)
          return (person, reference, outcomes.map { $0.isCovered ? 1 : 0 })
        }
      }
    }
  }

  private var frequentPeople: String {
    get throws {
      let rows = try frequent.map { person, reference, covered in
        return [
          person.name, "\(covered.count)", reference.name,
          MarkdownTable.estimate(
            covered.reduce(0, +) / Double(covered.count), Self.blockInterval(covered)),
        ]
      }
      return MarkdownTable(["person", "pairs", "baseline", "coverage (95 % interval)"], rows).text
    }
  }

  /// The interval of the mean of `values` that contains 95 % of the replicates, each of which draws blocks of ten successive
  /// values (Kunsch 1989).
  static func blockInterval(_ values: [Double]) -> ClosedRange<Double>? {
    let blocks = stride(from: 0, to: values.count, by: 10).map {
      Array(values[$0..<min($0 + 10, values.count)])
    }
    return PeopleBootstrap(people: blocks.count).interval { sample in
      let drawn = sample.flatMap { blocks[$0] }
      return drawn.reduce(0, +) / Double(drawn.count)
    }
  }
}

// MARK: Movement

extension RangeTables {
  private var movement: String {
    get throws {
      let rows = try Activity.allCases.map { activity in
        let minutes = sensors.filter { $0.activity == activity }
        return try [activity.name, "\(minutes.count)", "\(minutes.count { $0.strap.isMoving })"]
          + Self.kinds.map { kind in
            MarkdownTable.percent(try minutes.count { try kind.contains($0) }, of: minutes.count)
          }
      }
      let moving = sensors.filter(\.strap.isMoving)
      let last =
        try ["all with movement detected", "\(moving.count)", "\(moving.count)"]
        + Self.kinds.map { kind in
          MarkdownTable.percent(try moving.count { try kind.contains($0) }, of: moving.count)
        }
      return MarkdownTable(
        ["activity", "minutes", "movement detected", "interval", "range of rest", "range"], rows + [last]
      ).text
    }
  }

  /// What may contain the value of the cables.
  private enum Kind: Sendable {
    case interval, restRange, range

    func contains(_ minute: TwoSensors) throws -> Bool {
      let score = try minute.strap.score(.populationDefault)
      let value = try minute.cables.score(.populationDefault).value
      let quality = minute.strap.quality
      switch self {
      case .interval:
        let interval = StressInterval(score, quality)
        return (interval.low...interval.high).contains(value)
      case .restRange:
        let range = StressRange(score, quality, isMoving: false, weight: 0)
        return (range.low...range.high).contains(value)
      case .range:
        let range = StressRange(score, quality, isMoving: minute.strap.isMoving, weight: 0)
        return (range.low...range.high).contains(value)
      }
    }
  }

  private static let kinds: [Kind] = [.interval, .restRange, .range]
}
