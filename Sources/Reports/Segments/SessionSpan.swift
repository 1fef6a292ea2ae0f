import Breathing
import HeartRate
import Localization

/// A selected part of a session.
package enum SessionSpan: Equatable, Sendable {
  case times(TimeSpan)
  case exercise(ExerciseStage)
}

/// A range of a session between two points.
package struct TimeSpan: Equatable, Sendable {
  /// The default is the beginning of the session.
  package var begin: SpanPoint?
  /// The default is the end of the session.
  package var end: SpanPoint?

  package init(begin: SpanPoint?, end: SpanPoint?) { (self.begin, self.end) = (begin, end) }

  /// A range of times since the beginning of the session.
  package init(from: Duration?, to: Duration?) {
    self.init(begin: from.map(SpanPoint.time), end: to.map(SpanPoint.time))
  }
}

/// A point of a session: a time, or a mark.
package enum SpanPoint: Equatable, Sendable {
  /// Since the beginning of the session.
  case time(Duration)
  /// `offset` after the mark with the name. Without an occurrence, the first one (of the end of a range: the first one after its
  /// beginning).
  case mark(String, occurrence: Int? = nil, offset: Duration = .zero)
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
