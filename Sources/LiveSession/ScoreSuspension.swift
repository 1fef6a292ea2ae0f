package import Localization
package import Stress

/// Why a stress value is computed and stored, but not stated as a level.
package enum ScoreSuspension: Sendable {
  /// Acceleration shows walking or running.
  case moving
  /// The heart rate is that of exertion or of recovery from it.
  case exertion
  /// HRV in an irregular rhythm is no measure of stress.
  case irregularRhythm

  /// In place of the word of a category.
  package var word: Phrase {
    switch self {
    case .moving: Phrase("moving")
    case .exertion: Phrase("moving?")
    case .irregularRhythm: Phrase("irregular rhythm")
    }
  }
}

extension Confidence {
  /// Why the value of this confidence is not stated, if anything prevents it.
  package var suspension: ScoreSuspension? {
    if indicatesLocomotion { return .moving }
    if indicatesExertion { return .exertion }
    return indicatesIrregularRhythm ? .irregularRhythm : nil
  }
}

extension StressMeasurement {
  /// Why the score is not stated. A stated score has no reason.
  package var suspension: ScoreSuspension? { isMoving ? .moving : confidence.suspension }
}
