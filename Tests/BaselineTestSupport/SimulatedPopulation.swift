import HeartRate
import RealModule
package import Stress
import TestSupport

/// The spreads of a simulated population: usual values of people, days about the usual value, minutes about their day.
package struct PopulationSpread: Sendable {
  /// Mean and standard deviation between people of ln RMSSD and of the resting heart rate in bpm.
  package var lnRMSSD = (mean: 3.6, people: 0.45)
  package var heartRate = (mean: 71.0, people: 10.0)
  /// Correlation of the two between people.
  package var correlation = -0.4
  /// Standard deviations between the days of one person.
  package var dailyLnRMSSD = 0.25
  package var dailyHeartRate = 4.5
  /// Standard deviations between the resting minutes of one day.
  package var minuteLnRMSSD = 0.22
  package var minuteHeartRate = 2.1
  /// Resting minutes per day.
  package var minutes = 3

  package init() {}
}

/// A person of a simulated population who rests every day.
package struct SimulatedPerson: Sendable {
  package let spread: PopulationSpread
  /// The usual values of the person.
  package let usual: Baseline
  private var random: SeededGenerator
  private var estimator = BaselineEstimator()
  private var day = 0

  package init(_ spread: PopulationSpread, seed: UInt64) {
    self.spread = spread
    random = SeededGenerator(seed: seed)
    let (a, b) = (random.normal(), random.normal())
    let r = spread.correlation
    let rmssd = Double.exp(spread.lnRMSSD.mean + spread.lnRMSSD.people * a)
    let rate = spread.heartRate.mean + spread.heartRate.people * (r * a + (1 - r * r).squareRoot() * b)
    usual = Baseline(
      rmssd: rmssd, sdnn: rmssd, restingHeartRate: max(40, rate), days: 30, origin: .learned, weight: 1)
  }

  /// The data learned so far; nil before the first day.
  package var evidence: BaselineEvidence? { estimator.evidence }

  /// A further day: its resting minutes are learned.
  /// - Returns: the inputs of `count` resting minutes of the day that are not learned, relative to the usual values.
  package mutating func live(_ count: Int = 0) -> [StressScore.Inputs] {
    let level = Double.log(usual.rmssd) + spread.dailyLnRMSSD * random.normal()
    let rate = usual.restingHeartRate + spread.dailyHeartRate * random.normal()
    for _ in 0..<spread.minutes {
      let minute = minute(level, rate)
      estimator.append(
        RestingWindow(time: .zero, heartRate: minute.heartRate, rmssd: minute.hrv, sdnn: minute.hrv), day: day
      )
    }
    day += 1
    return (0..<count).map { _ in minute(level, rate) }
  }

  private mutating func minute(_ level: Double, _ rate: Double) -> StressScore.Inputs {
    StressScore.Inputs(
      hrv: .exp(level + spread.minuteLnRMSSD * random.normal()),
      heartRate: max(35, rate + spread.minuteHeartRate * random.normal()),
      baselineHRV: usual.rmssd, restingHeartRate: usual.restingHeartRate)
  }
}

/// How often resting minutes of a simulated population are called relaxed after some days with rest.
package struct RelaxedFractions: Sendable {
  /// With the baseline in force after the days.
  package private(set) var learned = 0.0
  /// With the usual values of each person.
  package private(set) var usual = 0.0
  /// With the weight of the days divided by 30, as up to engine version 3.
  package private(set) var linear = 0.0
  /// Fraction of the minutes with a range of the level.
  package private(set) var ranged = 0.0
  /// Of these, fraction with the level relative to the usual values within the range.
  package private(set) var covered = 0.0

  /// Resting minutes of each person that are evaluated.
  private static let minutes = 5

  /// - Parameter days: number of days with rest before the minutes.
  package init(people: Int = 500, days: Int, _ spread: PopulationSpread = PopulationSpread()) throws {
    for seed in 0..<people {
      var person = SimulatedPerson(spread, seed: UInt64(seed))
      for _ in 0..<days { _ = person.live() }
      let evidence = person.evidence
      for minute in person.live(Self.minutes) { try count(minute, evidence) }
    }
    covered /= max(1, ranged)
    for field in [\Self.learned, \.usual, \.linear, \.ranged] {
      self[keyPath: field] /= Double(people * Self.minutes)
    }
  }

  private mutating func count(_ minute: StressScore.Inputs, _ evidence: BaselineEvidence?) throws {
    let baseline = evidence?.blended ?? .populationDefault
    let truth = try StressScore(minute)
    let score = try StressScore(minute.relative(to: baseline))
    let linear = try StressScore(minute.relative(to: evidence?.linear ?? .populationDefault))
    if score.category == .relaxed { learned += 1 }
    if truth.category == .relaxed { usual += 1 }
    if linear.category == .relaxed { self.linear += 1 }
    guard let range = LevelRange(score, metric: .rmssd, weight: baseline.weight) else { return }
    ranged += 1
    // The level is displayed as a whole number.
    if (range.low - 0.5...range.high + 0.5).contains(truth.value) { covered += 1 }
  }
}

/// How often later minutes at rest of a simulated population lie within the normal range of each person.
///
/// The standard deviations within a person differ between people, as those of athletes do (Plews et al. 2012): by a factor
/// whose logarithm has a standard deviation of ``difference``, a choice.
package struct RestingFigures: Sendable {
  /// Number of people with a normal range. A day with a high heart rate does not count, so that a few people have no range
  /// after five days.
  package private(set) var people = 0
  /// Fraction of the later minutes within the range.
  package private(set) var coverage = 0.0

  /// Later days of each person, and minutes on each of them.
  private static let later = (days: 20, minutes: 2)
  private static let difference = 0.3

  /// - Parameter days: number of days with rest before the later ones.
  package init(people count: Int = 200, days: Int, _ spread: PopulationSpread = PopulationSpread()) {
    var (inside, all) = (0, 0)
    for seed in 0..<UInt64(count) {
      var person = SimulatedPerson(Self.varied(spread, seed), seed: seed)
      for _ in 0..<days { _ = person.live() }
      guard let range = person.evidence.flatMap({ NormalRange($0) }) else { continue }
      people += 1
      let minutes = (0..<Self.later.days).flatMap { _ in person.live(Self.later.minutes) }
      all += minutes.count
      inside += minutes.count { range.rmssd.contains($0.hrv) }
    }
    coverage = Double(inside) / Double(max(1, all))
  }

  private static func varied(_ spread: PopulationSpread, _ seed: UInt64) -> PopulationSpread {
    var random = SeededGenerator(seed: seed ^ 0x5350_5245_4144)
    var spread = spread
    spread.dailyLnRMSSD *= .exp(difference * random.normal())
    spread.minuteLnRMSSD *= .exp(difference * random.normal())
    return spread
  }
}

extension BaselineEvidence {
  /// The blend up to engine version 3.
  fileprivate var linear: Baseline {
    let prior = Baseline.populationDefault
    func blend(_ own: Double, _ prior: Double) -> Double { prior + maturity * (own - prior) }
    return Baseline(
      rmssd: blend(rmssd.value, prior.rmssd), sdnn: blend(sdnn.value, prior.sdnn),
      restingHeartRate: blend(restingHeartRate, prior.restingHeartRate), days: Double(days), origin: .learned)
  }
}

extension StressScore.Inputs {
  fileprivate func relative(to baseline: Baseline) -> StressScore.Inputs {
    StressScore.Inputs(
      hrv: hrv, heartRate: heartRate, baselineHRV: baseline.rmssd, restingHeartRate: baseline.restingHeartRate
    )
  }
}
