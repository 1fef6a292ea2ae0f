package import HRV
package import HeartRate
package import Stress
import TestSupport

/// What a person of ECG-GUDB does during a recording of two minutes (Howell & Porr 2018, CC BY).
package enum Activity: String, CaseIterable, Sendable {
  case sitting
  case maths
  case handBike = "hand_bike"
  case walking
  case jogging

  package var name: String {
    switch self {
    case .sitting: "sitting"
    case .maths: "mental arithmetic"
    case .handBike: "hand bike"
    case .walking: "walking"
    case .jogging: "jogging"
    }
  }
}

/// The first or the last minute of a recording.
package struct TaskMinute: Sendable {
  /// The last measurement of the minute, relative to the person's own baseline.
  package let own: StressMeasurement
  /// The same measurement, relative to the population default.
  package let standard: StressMeasurement
  /// The beats of the minute.
  package let segments: NNSegments
}

/// A person with the minutes of each activity. The baseline is the first minute of sitting.
package struct TaskPerson: Sendable {
  package let baseline: Baseline
  /// The minute of the baseline.
  package let rest: TaskMinute
  private let minutes: [Activity: [TaskMinute]]

  /// Returns the minutes on which measures are tested: the last minute of sitting, both minutes of the others.
  package func minutes(of activity: Activity) -> [TaskMinute] {
    let all = minutes[activity] ?? []
    return activity == .sitting ? Array(all.dropFirst()) : all
  }

  /// Creates a person from the recordings of the chest strap, which must include sitting.
  package init?(_ recordings: [Activity: [RRInterval]]) {
    guard let sitting = recordings[.sitting], let first = Self.ends(of: sitting, .populationDefault).first,
      let rmssd = first.nn.rmssd, let sdnn = first.nn.sdnn, let rate = first.nn.meanHeartRate
    else { return nil }
    let baseline = Baseline(
      rmssd: rmssd, sdnn: sdnn, restingHeartRate: rate, days: Baseline.matureDays, origin: .learned)
    let minutes = recordings.mapValues { Self.minutes(of: $0, baseline) }
    guard let rest = minutes[.sitting]?.first else { return nil }
    (self.baseline, self.minutes, self.rest) = (baseline, minutes, rest)
  }

  /// The people of the folder `tasks` of STRESSMON_TEST_DATA.
  package static func all() throws -> [TaskPerson] {
    let names = try Set(SharedData.recordingNames(in: .tasks))
    return try (0..<100).compactMap { number in
      let prefix = number < 10 ? "s0\(number)" : "s\(number)"
      let present = Activity.allCases.filter { names.contains("\(prefix)_\($0.rawValue)_cs") }
      let recordings = try present.map { activity in
        try (activity, SharedData.intervals(of: "\(prefix)_\(activity.rawValue)_cs", in: .tasks))
      }
      return TaskPerson(Dictionary(uniqueKeysWithValues: recordings))
    }
  }

  private static func minutes(of intervals: [RRInterval], _ baseline: Baseline) -> [TaskMinute] {
    let beats = beats(of: intervals)
    return zip(ends(of: intervals, baseline), ends(of: intervals, .populationDefault)).map { own, standard in
      let start = SessionTime(ticks: own.time.ticks - 60 * RRInterval.ticksPerSecond)
      return TaskMinute(
        own: own, standard: standard, segments: NNSegments(beats.ended(after: start, through: own.time)))
    }
  }

  /// Returns the measurements that end the first and the last minute of a session with `intervals`.
  private static func ends(of intervals: [RRInterval], _ baseline: Baseline) -> [StressMeasurement] {
    var engine = StressEngine(baseline: baseline)
    var (first, last): (StressMeasurement?, StressMeasurement?)
    for event in events(intervals) {
      engine.update(event) { measurement in
        if measurement.time.seconds <= 60 { first = measurement }
        last = measurement
      }
    }
    return [first, last].compactMap(\.self)
  }

  /// The beats with the verdicts of a live session.
  private static func beats(of intervals: [RRInterval]) -> [Beat] {
    var stream = BeatStream(classification: StressEngine.Settings().classification)
    var beats: [Beat] = []
    for event in events(intervals) {
      stream.update(event) { part in
        if case .beat(let beat) = part { beats.append(beat) }
      }
    }
    return beats
  }

  static func events(_ intervals: [RRInterval]) -> [SessionEvent] {
    var end = SessionTime.zero
    return intervals.map { interval in
      end = end + interval
      return SessionEvent(at: end, .interval(interval))
    }
  }
}
