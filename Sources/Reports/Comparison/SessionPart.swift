import Breathing
package import HeartRate
import Localization
package import Stress

/// The part of one session that is compared.
package struct SessionPart {
  package var events: [SessionEvent]
  package var settings: StressEngine.Settings
  /// The baseline of the session.
  package var baseline: Baseline
  /// The part contains the beats that end after `start` and up to `end`.
  package var start: SessionTime
  package var end: SessionTime
  /// Wall-clock time of the session's time 0, in ticks since that of the first part.
  package var offset: Int64 = 0

  package init(
    events: [SessionEvent], settings: StressEngine.Settings = StressEngine.Settings(),
    baseline: Baseline = .populationDefault, start: SessionTime = SessionTime(ticks: .min),
    end: SessionTime = SessionTime(ticks: .max)
  ) {
    (self.events, self.settings, self.baseline) = (events, settings, baseline)
    (self.start, self.end) = (start, end)
  }

  /// The part that `span` selects. Without a span, the whole.
  func narrowed(to span: SessionSpan?) throws(ReportError) -> SessionPart {
    var part = self
    switch span {
    case nil: break
    case .times(let times):
      part.start = times.from.map { SessionTime(ticks: $0.ticks) } ?? start
      part.end = times.to.map { SessionTime(ticks: $0.ticks) } ?? end
    case .exercise(let stage):
      guard let times = ExerciseTimes(events).flatMap(stage.times) else {
        throw ReportError(.noStage(stage), "@\(stage.rawValue)")
      }
      (part.start, part.end) = (times.lowerBound, times.upperBound)
    }
    return part
  }
}

/// A selected part of a session.
package enum SessionSpan: Equatable, Sendable {
  case times(TimeSpan)
  case exercise(ExerciseStage)
}

/// A range of session time.
package struct TimeSpan: Equatable, Sendable {
  /// Start since the beginning of the session. The default is the beginning.
  package var from: Duration?
  /// End since the beginning of the session. The default is the end.
  package var to: Duration?

  package init(from: Duration?, to: Duration?) { (self.from, self.to) = (from, to) }
}

/// One of the three stages of a breathing exercise.
package enum ExerciseStage: String, Sendable {
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

  var name: Phrase {
    switch self {
    case .before: Phrase("rest before a breathing exercise")
    case .during: Phrase("breathing exercise")
    case .after: Phrase("rest after a breathing exercise")
    }
  }
}
