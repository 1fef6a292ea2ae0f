package import Breathing
package import HRV
package import HeartRate
package import Simulator

/// A simulated person who follows an exercise that begins with the session.
package struct GuidedPerson {
  package let course: ExerciseCourse
  package let beats: [Beat]
  package let times: ExerciseTimes

  package init(
    seed: UInt64, before: Int = 60, _ breathing: PacedBreathing, after: Int = 60, faults: Faults = .typical,
    afterEffect: Double = 1
  ) throws {
    var course = ExerciseCourse(before: .seconds(before), breathing: breathing, after: .seconds(after))
    course.begin(at: SessionTime(ticks: 3 * RRInterval.ticksPerSecond))
    let started = course
    let sitting = Sitting(afterEffect: afterEffect) { time in
      guard case .breathing(let position) = started.stage(at: time) else { return nil }
      return Sitting.Breath(phase: position.breath, rate: position.pattern.rate)
    }
    let length = Duration.seconds(before + after + 5) + breathing.duration
    let strap = SimulatedStrap(seed: seed, duration: length, faults: faults, sitting: sitting)
    self.course = course
    let end = SessionTime(ticks: length.ticks)
    let marks = course.marks(through: end).map { SessionEvent(at: $0.at, .mark($0.mark.text)) }
    guard let times = ExerciseTimes(marks + [SessionEvent(at: end, .end)]) else { throw NoExercise() }
    self.times = times
    beats = Self.judged(strap)
  }

  struct NoExercise: Error {}

  /// Returns beats with final verdicts, as used for the outcome of an exercise.
  package static func judged(_ events: some Sequence<SessionEvent>) -> [Beat] {
    var stream = BeatStream(classification: .none)
    var beats: [Beat] = []
    for event in events { stream.update(event) { if case .beat(let beat) = $0 { beats.append(beat) } } }
    return ArtefactClassifier.classify(beats)
  }

  package var paced: [PacedBeats] { times.stretches.map { PacedBeats(beats, in: $0, pauses: times.pauses) } }

  package func sums(_ times: Range<SessionTime>) -> NNSums {
    var series = NNSeries()
    for beat in beats.ended(after: times.lowerBound, through: times.upperBound) { series.append(beat) }
    return series.sums
  }

  /// The change of RMSSD from the rest before to the rest after; nil if it cannot be compared.
  package var change: RMSSDChange? {
    guard let before = times.before, let after = times.after else { return nil }
    let extent = after.upperBound.seconds - before.lowerBound.seconds
    return try? RMSSDChange(from: side(before), to: side(after), extent: extent)
  }

  private func side(_ times: Range<SessionTime>) -> RMSSDChange.Side {
    .init(beats: beats.ended(after: times.lowerBound, through: times.upperBound), trust: 1)
  }
}
