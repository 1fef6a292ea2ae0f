package import Breathing
package import HRV
package import HeartRate
package import Reports

/// A breathing exercise and how it is measured: as a session, during one, or in a recording.
package struct GuidedExercise: Sendable {
  package let course: ExerciseCourse
  private let findsResonance: Bool
  private let variability: RestVariability

  /// - Parameter variability: the usual differences between rests of the person, which a change must exceed.
  package init(_ course: ExerciseCourse, findsResonance: Bool = false, variability: RestVariability) {
    (self.course, self.findsResonance, self.variability) = (course, findsResonance, variability)
  }

  /// The session that consists of the exercise. Its result is stored if `isComplete` returns true.
  package func session(
    _ setup: SessionSetup, _ guide: ExerciseGuide, _ recorder: ExerciseRecorder,
    if isComplete: @escaping @Sendable (BreathingResult) -> Bool = { _ in true }
  ) -> SessionSetup {
    var setup = setup
    setup.controller = SessionController(guiding: SessionController.Exercise(guide, recorder))
    setup.expectedLength = guide.expectedLength
    setup.result = { plan, isStored in
      let session = BreathingResult.Session(plan, isStored: isStored, recorder.strap)
      return result(recorder.events, of: session).flatMap { isComplete($0) ? .exercise($0) : nil }
    }
    return setup
  }

  /// Measures the exercise by its marks. An exercise that ended before the breathing began has no result.
  package func result(_ events: [SessionEvent], of session: BreathingResult.Session) -> BreathingResult? {
    BreathingResult(
      events, of: session, breathing: course.breathing, findsResonance: findsResonance,
      variability: variability)
  }

  /// Measures the exercise in events without marks, as if it had started at the first beat.
  package func result(unmarked events: [SessionEvent], of session: BreathingResult.Session)
    -> BreathingResult?
  {
    let guide = ExerciseGuide(course, speed: nil)
    var marked: [SessionEvent] = []
    for event in events {
      marked += guide.marks(before: event) + [event]
      if guide.isOver(at: event.at) { break }
    }
    return result(marked, of: session)
  }
}
