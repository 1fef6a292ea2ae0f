import HRV
import Stress

/// The tables of docs/design/construct.md.
package struct ConstructTables: Sendable {
  private let people: [TaskPerson]
  private let bootstrap: PeopleBootstrap

  package init(_ people: [TaskPerson]) {
    self.people = people
    bootstrap = PeopleBootstrap(people: people.count)
  }

  /// The tables by the name of their block.
  package var blocks: [(name: String, text: String)] {
    [("values", values), ("separation", separations), ("weights", weights)]
  }

  // MARK: Values

  private var values: String {
    let rows = Activity.allCases.map { activity in
      let minutes = people.flatMap { $0.minutes(of: activity) }
      return [
        activity.name, "\(minutes.count)",
        MarkdownTable.quartiles(minutes.compactMap { $0.own.score?.value }), categories(minutes.map(\.own)),
        MarkdownTable.quartiles(minutes.compactMap { $0.standard.score?.value }),
        categories(minutes.map(\.standard)),
        MarkdownTable.quartiles(minutes.compactMap(\.own.nn.meanHeartRate)),
        MarkdownTable.quartiles(minutes.compactMap(\.own.nn.rmssd)),
      ]
    }
    return MarkdownTable(
      [
        "activity", "minutes", "stress, own baseline", "categories", "stress, population default",
        "categories", "heart rate, bpm", "RMSSD, ms",
      ], rows
    ).text
  }

  /// The numbers of minutes that are relaxed, mild, moderate and high.
  private func categories(_ measurements: [StressMeasurement]) -> String {
    let found = measurements.compactMap { $0.score?.category }
    return StressCategory.allCases.map { category in "\(found.count { $0 == category })" }.joined(
      separator: " / ")
  }

  // MARK: Separation

  private var separations: String {
    let rows = TaskMeasure.allCases.flatMap { measure in
      TaskMeasure.Reference.allCases.map { reference in
        [measure.name, referenceName(measure, reference), risingPeople(measure, reference)]
          + Self.comparisons.map { high, low in cell(measure, reference, high, low) }
      }
    }
    return MarkdownTable(
      ["measure", "relative to", "rises in arithmetic"]
        + Self.comparisons.map { high, low in low == .sitting ? high.name : "\(high.name) above \(low.name)" },
      rows
    ).text
  }

  private static let comparisons: [(Activity, Activity)] = [
    (.maths, .sitting), (.handBike, .sitting), (.walking, .sitting), (.jogging, .sitting), (.maths, .walking),
  ]

  private func referenceName(_ measure: TaskMeasure, _ reference: TaskMeasure.Reference) -> String {
    switch (measure, reference) {
    case (_, .own): "own sitting"
    case (.stress, .population), (.equalWeights, .population): "population default"
    case (_, .population): "-"
    }
  }

  /// The number of people whose mean during arithmetic is higher than during the last minute of sitting.
  private func risingPeople(_ measure: TaskMeasure, _ reference: TaskMeasure.Reference) -> String {
    let pairs = people.compactMap { person in
      mean(values(measure, reference, .maths, person)).flatMap { task in
        mean(values(measure, reference, .sitting, person)).map { (task, $0) }
      }
    }
    return "\(pairs.count { $0 > $1 }) of \(pairs.count)"
  }

  private func mean(_ values: [Double]) -> Double? {
    values.isEmpty ? nil : values.reduce(0, +) / Double(values.count)
  }

  private func cell(
    _ measure: TaskMeasure, _ reference: TaskMeasure.Reference, _ high: Activity, _ low: Activity
  ) -> String {
    let separation = separation(measure, reference, high, low)
    return MarkdownTable.estimate(separation.area, bootstrap.interval(separation.area(of:)))
  }

  private func separation(
    _ measure: TaskMeasure, _ reference: TaskMeasure.Reference, _ high: Activity, _ low: Activity
  ) -> GroupSeparation {
    GroupSeparation(
      people.map { values(measure, reference, high, $0) }, people.map { values(measure, reference, low, $0) })
  }

  private func values(
    _ measure: TaskMeasure, _ reference: TaskMeasure.Reference, _ activity: Activity, _ person: TaskPerson
  ) -> [Double] {
    person.minutes(of: activity).compactMap { measure.value($0, of: person, reference) }
  }

  // MARK: Weights

  /// The differences of the areas, with intervals from the same samples of people.
  private var weights: String {
    let rows = [TaskMeasure.equalWeights, .heartRate, .lnRMSSD].flatMap { measure in
      TaskMeasure.Reference.allCases.map { reference in
        [measure.name, referenceName(measure, reference)]
          + Self.comparisons.map { high, low in difference(measure, reference, high, low) }
      }
    }
    return MarkdownTable(
      ["measure", "relative to"]
        + Self.comparisons.map { high, low in low == .sitting ? high.name : "\(high.name) above \(low.name)" },
      rows
    ).text
  }

  private func difference(
    _ measure: TaskMeasure, _ reference: TaskMeasure.Reference, _ high: Activity, _ low: Activity
  ) -> String {
    let (other, formula) = (
      separation(measure, reference, high, low), separation(.stress, reference, high, low)
    )
    return MarkdownTable.estimate(
      other.area - formula.area, bootstrap.interval { other.area(of: $0) - formula.area(of: $0) },
      signed: true)
  }
}
