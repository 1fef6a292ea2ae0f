package import History
package import Localization

/// Whether HRV changed in a stored breathing exercise, in plain words.
package struct BreathingSentence {
  private let exercise: StoredBreathing

  package init(_ exercise: StoredBreathing) { self.exercise = exercise }

  package var lines: [Phrase] {
    change ?? [Phrase("It cannot be told whether your HRV changed: \(missing).")]
  }

  /// The comparison of both rests, if there is one.
  private var change: [Phrase]? {
    guard let isChanged = exercise.changed.isChange, exercise.ratio != nil,
      let before = exercise.before.rmssd, let after = exercise.after.rmssd,
      let detectable = exercise.smallestDetectableRatio, detectable > 0
    else { return nil }
    return ChangeSentence.plain(isChanged: isChanged, from: before, to: after, detectable: detectable)
  }

  private var missing: Phrase {
    let nothing = StoredBreathing.Part()
    if exercise.before == nothing { return Phrase("the rest before was not measured") }
    if exercise.after == nothing { return Phrase("the rest after was not measured") }
    return Phrase("the data of a rest are too few, or their quality is too low")
  }
}
