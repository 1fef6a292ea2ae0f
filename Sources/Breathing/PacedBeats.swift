package import HRV
package import HeartRate

/// The normal beats of a period of paced breathing, with the phase of the pacer at each.
package struct PacedBeats: Equatable, Sendable {
  /// A normal beat.
  package struct Sample: Equatable, Sendable {
    /// Number of pacer cycles since the start of the period, linear in time (independent of the durations of
    /// the phases).
    package let cycles: Double
    /// NN interval in ms.
    package let milliseconds: Double
  }

  /// The pattern of the pacer.
  package let pattern: BreathingPattern
  /// The samples in order of time, without beats during pauses.
  package let samples: [Sample]

  /// Selects the beats of a period.
  /// - Parameters:
  ///   - beats: classified beats in order of time; those outside the period are ignored.
  ///   - pauses: pauses of the pacer in order of time.
  package init(_ beats: [Beat], in stretch: ExerciseTimes.Stretch, pauses: [Range<SessionTime>] = []) {
    pattern = stretch.pattern
    let (start, cycle) = (stretch.times.lowerBound, Double(stretch.pattern.cycleTicks))
    samples = beats.ended(after: start, through: stretch.times.upperBound).compactMap { beat in
      guard beat.verdict.isNormal, beat.rr.ticks > 0, !pauses.contains(where: { $0.contains(beat.end) })
      else {
        return nil
      }
      let paused = pauses.reduce(0) { $0 + Self.overlap($1, start..<beat.end) }
      // The time of an interval is its midpoint.
      let time = beat.end.ticks - start.ticks - paused - beat.rr.ticks / 2
      return Sample(cycles: Double(time) / cycle, milliseconds: beat.rr.milliseconds)
    }
  }

  init(pattern: BreathingPattern, samples: [Sample]) { (self.pattern, self.samples) = (pattern, samples) }

  private static func overlap(_ a: Range<SessionTime>, _ b: Range<SessionTime>) -> Int64 {
    max(0, min(a.upperBound, b.upperBound).ticks - max(a.lowerBound, b.lowerBound).ticks)
  }

  /// Returns the samples in blocks of `cycles` cycles after the first `skipped` cycles; the incomplete block
  /// at the end is omitted.
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
