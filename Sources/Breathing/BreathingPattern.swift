import HeartRate

/// What the breath does: the four phases of a cycle.
public enum BreathPhase: String, Sendable, CaseIterable {
  case inhale
  /// With full lungs.
  case hold
  case exhale
  /// With empty lungs.
  case pause
}

/// One cycle of breath, which is repeated: how long each phase lasts.
public struct BreathingPattern: Equatable, Sendable {
  /// A phase and its length.
  public struct Part: Equatable, Sendable {
    /// What the breath does in it.
    public let phase: BreathPhase
    /// In ticks of 1/80,000 ms; more than 0.
    public let ticks: Int64

    /// Length in seconds.
    public var seconds: Double { Double(ticks) / Double(RRInterval.ticksPerSecond) }
  }

  /// The phases that there are, in their order; the first is a breath in.
  public let parts: [Part]

  /// Seconds of a breath in or out, to the millisecond.
  public static let breaths = 1.0...30
  /// Seconds of a hold or a pause.
  public static let holds = 0.0...60

  /// - Throws: ``PatternError`` when a phase is too short or too long; lengths are taken to the nearest millisecond.
  public init(inhale: Double, hold: Double, exhale: Double, pause: Double) throws(PatternError) {
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

  /// In for 4 s, hold for 7, out for 8, and a second before the next.
  public static let relaxing = BreathingPattern(
    milliseconds: [(.inhale, 4000), (.hold, 7000), (.exhale, 8000), (.pause, 1000)])
  /// Four times 4 s.
  public static let box = BreathingPattern(
    milliseconds: [(.inhale, 4000), (.hold, 4000), (.exhale, 4000), (.pause, 4000)])
  /// 5.5 s in and 5.5 s out.
  public static let coherent = BreathingPattern(milliseconds: [(.inhale, 5500), (.exhale, 5500)])
  /// In for 4 s and out for 6: nothing to hold, which is easier in distress.
  public static let calming = BreathingPattern(milliseconds: [(.inhale, 4000), (.exhale, 6000)])

  /// As long in as out, `rate` times a minute (1 to 30), to the nearest millisecond of half a breath.
  public init(even rate: Double) throws(PatternError) {
    let half = 30 / rate
    try self.init(inhale: half, hold: 0, exhale: half, pause: 0)
  }

  /// Length of a cycle in ticks.
  public var cycleTicks: Int64 { parts.reduce(0) { $0 + $1.ticks } }

  /// Length of a cycle in seconds.
  public var cycleSeconds: Double { Double(cycleTicks) / Double(RRInterval.ticksPerSecond) }

  /// Breaths per minute.
  public var rate: Double { 60 / cycleSeconds }

  /// Length in seconds of a phase; 0 where the pattern has none.
  public func seconds(of phase: BreathPhase) -> Double {
    parts.first { $0.phase == phase }?.seconds ?? 0
  }

  /// How many cycles come nearest to `length`, at least one.
  public func cycles(nearest length: Duration) -> Int {
    Int(max(1, (Double(length.ticks) / Double(cycleTicks)).rounded()))
  }
}
