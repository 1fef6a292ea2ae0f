import Breathing
import HeartRate
import History
import LiveFeed
import LiveSession
import Reports

/// The components of the page Breathe.
struct DesignExercises: Sendable {
  typealias Group = DesignPage.Group
  typealias Specimen = DesignPage.Specimen

  let context: PageContext

  var groups: [Group] {
    [
      Group("Exercise", [Specimen("followed", BreathingGuide(.relaxing).html(context))]),
      Group("Measured exercise", MeasuredStage.Kind.allCases.map(stage)),
      Group(
        "Result of an exercise",
        [
          Specimen("clearly higher", result(DesignSamples.exercise(.yes, from: 31, to: 44))),
          Specimen("no clear change", result(DesignSamples.exercise(.no, from: 38, to: 41))),
          Specimen("cannot be told", result(DesignSamples.exercise(.cannotTell, from: 38, to: 41))),
        ]),
      Group(
        "Exercises to choose from", isWide: true, [Specimen("cards", ExerciseCards(context: context).html)]),
    ]
  }

  private func stage(_ kind: MeasuredStage.Kind) -> Specimen {
    let now = DesignSamples.time(12, 1)
    let mark = MeasuredStage.mark(kind).map { FeedMark(text: $0.text, time: now.moved(seconds: -17).rfc3339) }
    var guide = BreathingGuide(.coherent, minutes: 3)
    guide.stage = MeasuredStage(
      [mark].compactMap(\.self), since: DesignSamples.time(12), breathing: 180, now: now)
    guide.pulse = BreathingPulse(snapshot: nil, now: 0)
    return Specimen(kind.rawValue, guide.html(context))
  }

  private func result(_ exercise: StoredBreathing) -> HTML {
    BreathingResultCard(exercise: exercise, context: context).html
  }
}
