import Breathing
import HeartRate
import Stress

/// The part of one session that is compared.
struct SessionPart {
  var events: [SessionEvent]
  var settings = StressEngine.Settings()
  /// The baseline that was in force.
  var baseline = Baseline.populationDefault
  /// Which part of it: beats that ended after the first and up to the second of these.
  var start = SessionTime(ticks: .min)
  var end = SessionTime(ticks: .max)
  /// Its time 0 by the wall clock, in ticks since that of the first part.
  var offset: Int64 = 0

  /// The whole of a session, or `span` of it.
  func narrowed(to span: SessionSpan?) throws(CommandFailure) -> SessionPart {
    var part = self
    switch span {
    case nil: break
    case .times(let times):
      part.start = times.from.map { SessionTime(ticks: $0.ticks) } ?? start
      part.end = times.to.map { SessionTime(ticks: $0.ticks) } ?? end
    case .exercise(let stage):
      guard let times = ExerciseTimes(events).flatMap(stage.times) else {
        throw CommandFailure(
          .badData,
          "'@\(stage.rawValue)': there is no \(stage.words) in it. See what there is with: stressmon history --breathing, "
            + "or name a part by its times, such as @0-1:00")
      }
      (part.start, part.end) = (times.lowerBound, times.upperBound)
    }
    return part
  }
}

/// A part of a session as it was typed behind an `@`.
enum SessionSpan: Equatable {
  case times(TimeSpan)
  case exercise(ExerciseStage)

  /// `before`, `during` or `after`, or a ``TimeSpan``.
  init?(_ text: Substring) {
    if let stage = ExerciseStage(rawValue: String(text)) {
      self = .exercise(stage)
    } else if let times = TimeSpan(text) {
      self = .times(times)
    } else {
      return nil
    }
  }
}

/// One of the three parts of a breathing exercise.
enum ExerciseStage: String {
  case before
  case during
  case after

  func times(_ exercise: ExerciseTimes) -> Range<SessionTime>? {
    switch self {
    case .before: exercise.before
    case .during: exercise.during
    case .after: exercise.after
    }
  }

  var words: String {
    switch self {
    case .before: "rest before a breathing exercise"
    case .during: "breathing exercise"
    case .after: "rest after a breathing exercise"
    }
  }
}
