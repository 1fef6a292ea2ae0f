import HRV
import HeartRate
import Stress
import TestSupport

/// What the range of the next minute is computed from, of a minute of a real recording.
package struct MinuteReading: Sendable {
  let rmssd, heartRate: Double
  let quality: WindowQuality
  let isMoving: Bool

  /// Nil for a minute without a stress value that counts.
  init?(_ measurement: StressMeasurement) {
    guard let inputs = measurement.score?.inputs, inputs.hrv > 0,
      measurement.confidence.value >= 0.3 || measurement.confidence.indicatesExertion
    else { return nil }
    (rmssd, heartRate, quality) = (inputs.hrv, inputs.heartRate, measurement.quality)
    isMoving = measurement.isMoving || measurement.confidence.indicatesExertion
  }

  func score(_ baseline: Baseline) throws -> StressScore {
    try StressScore(
      .init(
        hrv: rmssd, heartRate: heartRate, baselineHRV: baseline.rmssd,
        restingHeartRate: baseline.restingHeartRate))
  }

  /// Returns the readings that end the minutes of `events`, relative to the population default; nil for minutes without one.
  /// - Parameter start: The start of the first minute.
  static func minutes(of events: [SessionEvent], from start: SessionTime = .zero) -> [MinuteReading?] {
    var engine = StressEngine()
    var last: [StressMeasurement?] = []
    for event in events {
      engine.update(event) { measurement in
        let place = Int((measurement.time.ticks - start.ticks - 1) / (60 * RRInterval.ticksPerSecond))
        while last.count <= place { last.append(nil) }
        last[place] = measurement
      }
    }
    return last.map { $0.flatMap(MinuteReading.init) }
  }
}

/// The adjacent minutes of the undisturbed rests of one person.
package struct RangePerson: Sendable {
  /// A minute and the next one.
  typealias Pair = (first: MinuteReading, second: MinuteReading)

  package let name: String
  let pairs: [Pair]
  /// The medians of the person's minutes; nil below ``fewestPairs``, where the minutes determine their own baseline.
  let own: Baseline?

  private static let fewestPairs = 5

  /// The people of ``RestingPerson`` with a pair of minutes.
  package static func all() throws -> [RangePerson] { try RestingPerson.all().compactMap(RangePerson.init) }

  init?(_ person: RestingPerson) {
    let pairs = person.rests.flatMap { rest -> [Pair] in
      let start = SessionTime(ticks: Int64(rest.times.lowerBound) * RRInterval.ticksPerSecond)
      let minutes = MinuteReading.minutes(of: rest.events, from: start)
      return zip(minutes, minutes.dropFirst()).compactMap { first, second in
        if let first, let second { (first, second) } else { nil }
      }
    }
    guard !pairs.isEmpty else { return nil }
    func median(_ value: (MinuteReading) -> Double) -> Double {
      let sorted = pairs.flatMap { [value($0.first), value($0.second)] }.sorted()
      return (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
    }
    (name, self.pairs) = (person.name, pairs)
    guard pairs.count >= Self.fewestPairs else {
      own = nil
      return
    }
    own = Baseline(
      rmssd: median(\.rmssd), sdnn: 50, restingHeartRate: median(\.heartRate), days: Baseline.matureDays,
      origin: .learned)
  }
}

/// The same minute of an activity at the chest strap and at cables on the same heart.
package struct TwoSensors: Sendable {
  let activity: Activity
  let strap, cables: MinuteReading

  /// The minutes of the folder `tasks` of STRESSMON_TEST_DATA that were recorded by both.
  package static func all() throws -> [TwoSensors] {
    let names = try SharedData.recordingNames(in: .tasks)
    return try Activity.allCases.flatMap { activity in
      try names.filter { $0.hasSuffix("_\(activity.rawValue)_cables") }.flatMap { cables in
        try pairs(activity, strap: cables.dropLast("cables".count) + "cs", cables: cables, of: names)
      }
    }
  }

  private static func pairs(
    _ activity: Activity, strap: String, cables: String, of names: [String]
  ) throws -> [TwoSensors] {
    guard names.contains(strap) else { return [] }
    let both = try [strap, cables].map { name in
      MinuteReading.minutes(of: TaskPerson.events(try SharedData.intervals(of: name, in: .tasks)))
    }
    // The last beats of a recording can end in a third minute.
    return zip(both[0].prefix(2), both[1].prefix(2)).compactMap { strap, cables in
      if let strap, let cables { TwoSensors(activity: activity, strap: strap, cables: cables) } else { nil }
    }
  }
}
