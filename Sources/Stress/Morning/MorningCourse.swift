package import HeartRate

/// The parts of a morning reading and their times since the first beat.
///
/// An orthostatic reading has two parts of equal length, lying and standing. The ``change`` between them belongs to
/// neither: the heart rate overshoots after standing up and settles within about 30 s (Borst et al. 1982).
package struct MorningCourse: Equatable, Sendable {
  /// What the person does at one moment.
  package enum Stage: Equatable, Sendable {
    /// Before the first beat.
    case waiting
    /// In a part; `left` is its remaining time in seconds.
    case reading(MorningPosture, left: Double)
    /// Standing up; `left` is the remaining time in seconds.
    case standingUp(left: Double)
    case over
  }

  package let postures: [MorningPosture]
  /// Length of each part.
  package let length: Duration
  /// Time between two parts.
  package static let change = Duration.seconds(30)
  /// The valid lengths of a part.
  package static let lengths: ClosedRange<Duration> = .seconds(60)...(.seconds(300))

  package init(posture: MorningPosture, length: Duration) { (postures, self.length) = ([posture], length) }

  /// Lying, then standing.
  package init(orthostatic length: Duration) { (postures, self.length) = ([.lying, .standing], length) }

  package var isOrthostatic: Bool { postures.count > 1 }

  /// From the first beat to the end of the last part.
  package var total: Duration { start(of: postures.count - 1) + length }

  private func start(of part: Int) -> Duration { (length + Self.change) * part }

  /// The times of a part in a session whose first beat ends at `first`.
  package func times(of part: Int, from first: SessionTime) -> Range<SessionTime> {
    let start = first.ticks + start(of: part).ticks
    return SessionTime(ticks: start)..<SessionTime(ticks: start + length.ticks)
  }

  /// The stage at `time`; `first` is the end of the first beat, if there was one.
  package func stage(at time: SessionTime, from first: SessionTime?) -> Stage {
    guard let first else { return .waiting }
    for part in postures.indices {
      let times = times(of: part, from: first)
      if time < times.lowerBound { return .standingUp(left: Self.seconds(time, times.lowerBound)) }
      if time < times.upperBound {
        return .reading(postures[part], left: Self.seconds(time, times.upperBound))
      }
    }
    return .over
  }

  private static func seconds(_ from: SessionTime, _ to: SessionTime) -> Double {
    SessionTime(ticks: to.ticks - from.ticks).seconds
  }
}
