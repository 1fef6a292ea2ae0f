import HeartRate

/// A simulated day of alternating resting and stressed periods with smooth transitions.
struct Day: Sendable {
  /// The resting tone at the start.
  let first: AutonomicTone
  private var random: SplitMix64
  private var before: AutonomicTone
  private var now: AutonomicTone
  private var isStressed = false
  private var begin: Int64 = 0
  private var end: Int64

  /// Duration of a transition: 40 s.
  private static let change = 40 * RRInterval.ticksPerSecond

  /// Creates a day that begins with at least two resting minutes.
  init(seed: UInt64) {
    random = SplitMix64(seed: seed, stream: 1)
    first = .resting(&random)
    now = first
    before = first
    end = random.integer(in: 120...180) * RRInterval.ticksPerSecond
  }

  /// Returns the tone at `time`; times must not decrease.
  mutating func tone(at time: SessionTime) -> (AutonomicTone, SimulatedBeat.State) {
    while time.ticks >= end { turn() }
    let progress = begin == 0 ? 1 : min(1, Double(time.ticks - begin) / Double(Self.change))
    let weight = progress * progress * (3 - 2 * progress)
    let state: SimulatedBeat.State = progress < 1 ? .changing : isStressed ? .stressed : .resting
    return (progress < 1 ? before.mixed(with: now, weight: weight) : now, state)
  }

  private mutating func turn() {
    isStressed.toggle()
    before = now
    now = isStressed ? .stressed(&random) : .resting(&random)
    begin = end
    end += random.integer(in: isStressed ? 160...300 : 200...480) * RRInterval.ticksPerSecond
  }
}
