import HeartRate

/// The four phases of a breathing cycle.
package enum BreathPhase: String, Sendable, CaseIterable {
  case inhale
  /// Hold after inhaling.
  case hold
  case exhale
  /// Hold after exhaling.
  case pause
}

/// A breathing cycle: the duration of each phase.
package struct BreathingPattern: Equatable, Sendable {
  /// A phase and its duration.
  package struct Part: Equatable, Sendable {
    /// The phase.
    package let phase: BreathPhase
    /// Duration in ticks of 1/80,000 ms; above 0.
    package let ticks: Int64

    /// Duration in seconds.
    package var seconds: Double { Double(ticks) / Double(RRInterval.ticksPerSecond) }
  }

  /// The phases with a non-zero duration, in order; the first is `inhale`.
  package let parts: [Part]

  /// Valid durations of inhaling and exhaling in seconds; the resolution is 1 ms.
  package static let breaths = 1.0...30
  /// Valid durations of a hold or a pause in seconds.
  package static let holds = 0.0...60

  /// Creates a pattern from seconds, rounded to 1 ms.
  /// - Throws: ``PatternError`` if a phase is out of range.
  package init(inhale: Double, hold: Double, exhale: Double, pause: Double) throws(PatternError) {
    let lengths: [(BreathPhase, Double)] = [
      (.inhale, inhale), (.hold, hold), (.exhale, exhale), (.pause, pause),
    ]
    var parts: [Part] = []
    for (phase, seconds) in lengths {
      let range = phase == .inhale || phase == .exhale ? Self.breaths : Self.holds
      guard range.contains(seconds) else { throw .outOfRange(phase, seconds: seconds, range) }
      let milliseconds = Int64((seconds * 1000).rounded())
      guard milliseconds > 0 else { continue }
      parts.append(Part(phase: phase, ticks: milliseconds * RRInterval.ticksPerMillisecond))
    }
    self.parts = parts
  }

  private init(milliseconds: [(BreathPhase, Int64)]) {
    parts = milliseconds.map { Part(phase: $0, ticks: $1 * RRInterval.ticksPerMillisecond) }
  }

  /// 4-7-8 breathing: inhale 4 s, hold 7 s, exhale 8 s, pause 1 s.
  package static let relaxing = BreathingPattern(
    milliseconds: [(.inhale, 4000), (.hold, 7000), (.exhale, 8000), (.pause, 1000)])
  /// Box breathing: four phases of 4 s.
  package static let box = BreathingPattern(
    milliseconds: [(.inhale, 4000), (.hold, 4000), (.exhale, 4000), (.pause, 4000)])
  /// Coherent breathing: inhale 5.5 s, exhale 5.5 s.
  package static let coherent = BreathingPattern(milliseconds: [(.inhale, 5500), (.exhale, 5500)])
  /// Calming breathing: inhale 4 s, exhale 6 s, without a hold, which is easier in distress.
  package static let calming = BreathingPattern(milliseconds: [(.inhale, 4000), (.exhale, 6000)])

  /// Creates a pattern with equal inhale and exhale at `rate` breaths per minute (1 to 30); each is rounded
  /// to 1 ms.
  /// - Throws: ``PatternError`` if the rate is out of range.
  package init(even rate: Double) throws(PatternError) {
    let half = 30 / rate
    try self.init(inhale: half, hold: 0, exhale: half, pause: 0)
  }

  /// Duration of a cycle in ticks.
  package var cycleTicks: Int64 { parts.reduce(0) { $0 + $1.ticks } }

  /// Duration of a cycle in seconds.
  package var cycleSeconds: Double { Double(cycleTicks) / Double(RRInterval.ticksPerSecond) }

  /// Breaths per minute.
  package var rate: Double { 60 / cycleSeconds }

  /// Returns the duration of a phase in seconds; 0 if the pattern does not have it.
  package func seconds(of phase: BreathPhase) -> Double {
    parts.first { $0.phase == phase }?.seconds ?? 0
  }

  /// Returns the number of cycles whose duration is nearest to `length`, at least one.
  package func cycles(nearest length: Duration) -> Int {
    Int(max(1, (Double(length.ticks) / Double(cycleTicks)).rounded()))
  }
}
