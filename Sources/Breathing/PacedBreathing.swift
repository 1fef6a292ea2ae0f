import HeartRate

/// The sequence of patterns that a pacer guides, each repeated a number of times.
package struct PacedBreathing: Equatable, Sendable {
  /// A pattern and its number of repetitions.
  package struct Stretch: Equatable, Sendable {
    /// The pattern.
    package let pattern: BreathingPattern
    /// Number of cycles, at least 1.
    package let cycles: Int

    package init(_ pattern: BreathingPattern, cycles: Int) {
      self.pattern = pattern
      self.cycles = max(1, cycles)
    }

    /// Duration in ticks of 1/80,000 ms.
    package var ticks: Int64 { pattern.cycleTicks * Int64(cycles) }
  }

  /// The position of the pacer at a point in time.
  package struct Position: Equatable, Sendable {
    /// The current pattern.
    package let pattern: BreathingPattern
    /// The current phase.
    package let phase: BreathPhase
    /// Elapsed fraction of the phase, from 0 to below 1.
    package let progress: Double
    /// Seconds until the end of the phase, above 0.
    package let remaining: Double
    /// Index of the stretch.
    package let stretch: Int
    /// Index of the cycle within its stretch.
    package let cycle: Int
    /// Number of cycles of the stretch.
    package let cycles: Int
    /// Seconds until the end of all stretches.
    package let left: Double

    /// Lung volume, 0 to 1, with smooth transitions.
    package var fullness: Double {
      let eased = progress * progress * (3 - 2 * progress)
      return switch phase {
      case .inhale: eased
      case .hold: 1
      case .exhale: 1 - eased
      case .pause: 0
      }
    }

    /// Phase of the breath in cycles since the start of the stretch: inhaling takes half a cycle and exhaling
    /// the other half, regardless of their durations; constant during holds.
    package var breath: Double {
      let within =
        switch phase {
        case .inhale: progress / 2
        case .hold: 0.5
        case .exhale: 0.5 + progress / 2
        case .pause: 1.0
        }
      return Double(cycle) + within
    }
  }

  /// The stretches in order; at least one.
  package let stretches: [Stretch]

  /// Creates a sequence of at least one stretch.
  package init(_ first: Stretch, _ others: [Stretch] = []) { stretches = [first] + others }

  /// Creates one stretch: `pattern`, repeated `cycles` times, at least once.
  package init(_ pattern: BreathingPattern, cycles: Int) { self.init(Stretch(pattern, cycles: cycles)) }

  /// Total duration in ticks of 1/80,000 ms.
  package var ticks: Int64 { stretches.reduce(0) { $0 + $1.ticks } }

  /// Total duration.
  package var duration: Duration { Duration(ticks: ticks) }

  /// Start of each stretch in ticks since the start of the first.
  package var starts: [Int64] {
    var start: Int64 = 0
    return stretches.map { stretch in
      defer { start += stretch.ticks }
      return start
    }
  }

  /// Returns the position `elapsed` ticks after the start, or `nil` outside of the exercise.
  package func position(at elapsed: Int64) -> Position? {
    guard elapsed >= 0 else { return nil }
    for (place, start) in starts.enumerated() where elapsed < start + stretches[place].ticks {
      return position(at: elapsed - start, in: place, left: ticks - elapsed)
    }
    return nil
  }

  private func position(at elapsed: Int64, in place: Int, left: Int64) -> Position? {
    let stretch = stretches[place]
    let (cycle, within) = elapsed.quotientAndRemainder(dividingBy: stretch.pattern.cycleTicks)
    var start: Int64 = 0
    for part in stretch.pattern.parts {
      if within < start + part.ticks {
        let passed = within - start
        return Position(
          pattern: stretch.pattern, phase: part.phase, progress: Double(passed) / Double(part.ticks),
          remaining: Double(part.ticks - passed) / Double(RRInterval.ticksPerSecond), stretch: place,
          cycle: Int(cycle), cycles: stretch.cycles, left: Double(left) / Double(RRInterval.ticksPerSecond))
      }
      start += part.ticks
    }
    return nil
  }
}
