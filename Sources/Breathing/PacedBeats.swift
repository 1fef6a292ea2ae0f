public import HRV
public import HeartRate

/// The normal beats of a stretch of paced breathing, each with where the pacer was.
public struct PacedBeats: Equatable, Sendable {
  /// A normal beat.
  public struct Sample: Equatable, Sendable {
    /// Cycles of the pacer since the stretch began, in time alone: a cycle is a whole number, however its phases lie.
    public let cycles: Double
    /// NN interval in ms.
    public let milliseconds: Double
  }

  /// What the pacer led through.
  public let pattern: BreathingPattern
  /// In the order of their times; beats while the pacer paused are left out.
  public let samples: [Sample]

  /// - Parameters:
  ///   - beats: judged, in the order of their times; those outside of the stretch do not count.
  ///   - pauses: of the pacer, in the order of their times.
  public init(_ beats: [Beat], in stretch: ExerciseTimes.Stretch, pauses: [Range<SessionTime>] = []) {
    pattern = stretch.pattern
    let (start, cycle) = (stretch.times.lowerBound, Double(stretch.pattern.cycleTicks))
    samples = beats.ended(after: start, through: stretch.times.upperBound).compactMap { beat in
      guard beat.verdict.isNormal, beat.rr.ticks > 0, !pauses.contains(where: { $0.contains(beat.end) })
      else {
        return nil
      }
      let paused = pauses.reduce(0) { $0 + Self.overlap($1, start..<beat.end) }
      // An interval belongs to its middle.
      let time = beat.end.ticks - start.ticks - paused - beat.rr.ticks / 2
      return Sample(cycles: Double(time) / cycle, milliseconds: beat.rr.milliseconds)
    }
  }

  init(pattern: BreathingPattern, samples: [Sample]) { (self.pattern, self.samples) = (pattern, samples) }

  private static func overlap(_ a: Range<SessionTime>, _ b: Range<SessionTime>) -> Int64 {
    max(0, min(a.upperBound, b.upperBound).ticks - max(a.lowerBound, b.lowerBound).ticks)
  }

  /// The samples cut into blocks of `cycles` cycles, from `skipped` cycles on; what is left over at the end is dropped.
  func blocks(of cycles: Int, after skipped: Double = 0) -> [ArraySlice<Sample>] {
    guard let last = samples.last else { return [] }
    let length = Double(cycles)
    return stride(from: skipped, through: last.cycles - length + 0.1, by: length).map { start in
      let lower = samples.firstIndex { $0.cycles >= start } ?? samples.endIndex
      let upper = samples[lower...].firstIndex { $0.cycles >= start + length } ?? samples.endIndex
      return samples[lower..<upper]
    }
  }
}
