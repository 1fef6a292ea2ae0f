import HeartRate

/// Stretches of breathing, each of a pattern that is repeated: what a pacer leads through.
public struct PacedBreathing: Equatable, Sendable {
  /// A pattern, again and again.
  public struct Stretch: Equatable, Sendable {
    /// What is repeated.
    public let pattern: BreathingPattern
    /// At least 1.
    public let cycles: Int

    public init(_ pattern: BreathingPattern, cycles: Int) {
      self.pattern = pattern
      self.cycles = max(1, cycles)
    }

    /// In ticks of 1/80,000 ms.
    public var ticks: Int64 { pattern.cycleTicks * Int64(cycles) }
  }

  /// Where the pacer is at some moment.
  public struct Position: Equatable, Sendable {
    /// The pattern of its stretch.
    public let pattern: BreathingPattern
    /// What the breath does.
    public let phase: BreathPhase
    /// How much of the phase is over, from 0 to below 1.
    public let progress: Double
    /// Seconds until the phase ends, more than 0.
    public let remaining: Double
    /// Which stretch, from 0.
    public let stretch: Int
    /// Which cycle of its stretch, from 0.
    public let cycle: Int
    /// How many cycles its stretch has.
    public let cycles: Int
    /// Seconds until all of it ends.
    public let left: Double

    /// How full the lungs are, 0 to 1; the change is slow at either end, as that of a breath is.
    public var fullness: Double {
      let eased = progress * progress * (3 - 2 * progress)
      return switch phase {
      case .inhale: eased
      case .hold: 1
      case .exhale: 1 - eased
      case .pause: 0
      }
    }

    /// The breath in cycles since the stretch began: half a cycle of breathing in, and half of breathing out, however
    /// long each lasts; it stands still where breath is held.
    public var breath: Double {
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

  /// In their order; at least one.
  public let stretches: [Stretch]

  /// At least one stretch.
  public init(_ first: Stretch, _ others: [Stretch] = []) { stretches = [first] + others }

  /// One stretch: `pattern`, `cycles` times, at least once.
  public init(_ pattern: BreathingPattern, cycles: Int) { self.init(Stretch(pattern, cycles: cycles)) }

  /// The whole length in ticks of 1/80,000 ms.
  public var ticks: Int64 { stretches.reduce(0) { $0 + $1.ticks } }

  /// The whole length.
  public var duration: Duration { Duration(ticks: ticks) }

  /// When each stretch begins, in ticks since the first did.
  public var starts: [Int64] {
    var start: Int64 = 0
    return stretches.map { stretch in
      defer { start += stretch.ticks }
      return start
    }
  }

  /// Where the pacer is `elapsed` ticks after it began; nil before that, and when it is over.
  public func position(at elapsed: Int64) -> Position? {
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
