import HRV
import RealModule
import Stress

/// The tables of docs/design/exertion.md about light effort: what the present rule detects, and what a rule could
/// detect that uses the heart rate and HRV of a minute.
package struct MovementTables: Sendable {
  private let people: [TaskPerson]

  package init(_ people: [TaskPerson]) { self.people = people }

  /// The tables by the name of their block.
  package var blocks: [(name: String, text: String)] {
    [("rule", rule), ("rise", rises), ("models", models)]
  }

  // MARK: The present rule

  private var rule: String {
    let rows = Activity.allCases.map { activity in
      let minutes = people.flatMap { $0.minutes(of: activity) }
      return [activity.name, "\(minutes.count)"] + factors(minutes.map(\.own))
        + factors(minutes.map(\.standard))
    }
    return MarkdownTable(
      [
        "activity", "minutes", "own baseline: exertion", "factor below 1", "population default: exertion",
        "factor below 1",
      ], rows
    ).text
  }

  /// The percentages of measurements with clear exertion, and with a factor below 1.
  private func factors(_ measurements: [StressMeasurement]) -> [String] {
    [
      measurements.count(where: \.confidence.indicatesExertion),
      measurements.count { ($0.confidence[.exertion] ?? 1) < 1 },
    ].map { MarkdownTable.percent($0, of: measurements.count) }
  }

  // MARK: A threshold of the rise

  private static let thresholds = [0.05, 0.075, 0.1, 0.125, 0.15, 0.2, 0.25, 0.35]
  private static let columns = [Activity.walking, .handBike, .jogging, .maths, .sitting]

  private var rises: String {
    let rows = Self.thresholds.map { threshold in
      [MarkdownTable.fixed(100 * threshold, decimals: 1) + " %"]
        + Self.columns.map { activity in
          let minutes = minutes([activity])
          return MarkdownTable.percent(minutes.count { $0.rise >= threshold }, of: minutes.count)
        }
    }
    return MarkdownTable(["rise of at least"] + Self.columns.map(\.name), rows).text
  }

  // MARK: Fitted models

  private static let candidates: [(name: String, inputs: @Sendable (MovementMinute) -> [Double])] = [
    ("rise of the heart rate", { [$0.rise] }),
    ("rise, fall of ln RMSSD", { [$0.rise, $0.fall] }),
    ("these, ln SDNN/RMSSD, tail, noise", { [$0.rise, $0.fall, $0.slowness, $0.tail, $0.noise] }),
    ("rise, fall of ln RMSSD, ln LF/HF", { [$0.rise, $0.fall, $0.lfHF] }),
    ("all", { [$0.rise, $0.fall, $0.slowness, $0.tail, $0.noise, $0.lfHF] }),
  ]

  private var models: String {
    let tested = minutes([.walking, .handBike, .maths, .sitting])
    let rows = Self.candidates.map { name, inputs in
      [name] + DetectionCurve(tested, scores: Self.scores(tested, inputs)).cells
    }
    return MarkdownTable(
      [
        "inputs", "AUC", "AUC, arithmetic only", "walking at <= 5 %", "hand bike at <= 5 %",
        "arithmetic at 80 %",
        "sitting at 80 %",
      ], rows
    ).text
  }

  /// Scores each minute with a model that is fitted to the other people.
  private static func scores(
    _ minutes: [MovementMinute], _ inputs: (MovementMinute) -> [Double]
  ) -> [Double] {
    let models = Dictionary(
      uniqueKeysWithValues: Set(minutes.map(\.person)).map { person in
        let others = minutes.filter { $0.person != person }
        return (person, LogisticModel(others.map(inputs), others.map(\.isMoving)))
      })
    return minutes.map { models[$0.person]?.logOdds(inputs($0)) ?? .nan }
  }

  private func minutes(_ activities: [Activity]) -> [MovementMinute] {
    people.enumerated().flatMap { number, person in
      activities.flatMap { activity in
        person.minutes(of: activity).compactMap { MovementMinute($0, activity, of: person, number: number) }
      }
    }
  }
}

/// What a minute contains that could show movement, relative to the person's own baseline.
private struct MovementMinute {
  let person: Int
  let activity: Activity
  /// Rise of the heart rate above the baseline, as a fraction of the heart rate reserve up to 180 bpm.
  let rise: Double
  /// ln of the baseline's RMSSD relative to RMSSD.
  let fall: Double
  /// ln SDNN / RMSSD: slow variation relative to fast.
  let slowness: Double
  /// Shape of the distribution and correlation of successive differences (``WindowQuality``).
  let tail, noise: Double
  let lfHF: Double

  var isMoving: Bool { activity == .walking || activity == .handBike }

  init?(_ minute: TaskMinute, _ activity: Activity, of person: TaskPerson, number: Int) {
    let (nn, resting) = (minute.own.nn, person.baseline.restingHeartRate)
    guard let rate = nn.meanHeartRate, let rmssd = nn.rmssd, let sdnn = nn.sdnn,
      let lfHF = TaskMeasure.lfHF.value(minute, of: person, .population)
    else { return nil }
    self.person = number
    self.activity = activity
    rise = (rate - resting) / (180 - resting)
    fall = Double.log(person.baseline.rmssd / rmssd)
    slowness = Double.log(sdnn / rmssd)
    (tail, noise) = (minute.own.quality.tail, minute.own.quality.noise)
    self.lfHF = lfHF
  }
}

/// The detected and the falsely detected minutes of a score at two points of its ROC curve.
private struct DetectionCurve {
  private let scores: [Activity: [Double]]

  init(_ minutes: [MovementMinute], scores: [Double]) {
    self.scores = Dictionary(grouping: zip(minutes, scores), by: \.0.activity).mapValues { $0.map(\.1) }
  }

  private func values(_ activities: Activity...) -> [Double] { activities.flatMap { scores[$0] ?? [] } }

  /// The cells of a row of the table of models.
  var cells: [String] {
    let (moving, rest) = (values(.walking, .handBike), values(.maths, .sitting))
    // The smallest threshold that at most 5 % of the minutes at rest exceed, and the largest that 80 % of the
    // minutes in motion reach.
    let strict = rest.sorted(by: >)[rest.count / 20]
    let wide = moving.sorted(by: >)[(moving.count * 4 + 4) / 5 - 1]
    return [rest, values(.maths)].map {
      MarkdownTable.fixed(GroupSeparation([moving], [$0]).area, decimals: 2)
    }
      + [Activity.walking, .handBike].map { percent(values($0)) { $0 > strict } }
      + [Activity.maths, .sitting].map { percent(values($0)) { $0 >= wide } }
  }

  private func percent(_ scores: [Double], _ isDetected: (Double) -> Bool) -> String {
    MarkdownTable.percent(scores.count(where: isDetected), of: scores.count)
  }
}
