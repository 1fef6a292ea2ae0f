import HeartRate
import Platform

/// Autonomic modulation of the simulated heart: the mean RR and the amplitudes of its oscillations.
///
/// With the chosen amplitudes, resting periods have 60 to 65 bpm and an RMSSD of 40 to 60 ms, and stressed periods 85 to 100
/// bpm and 10 to 18 ms. An oscillation of amplitude A and frequency f contributes sqrt(2) A sin(pi f RR) to RMSSD; white
/// noise of standard deviation s contributes sqrt(2) s.
struct AutonomicTone: Sendable {
  var meanRR: Double
  /// Amplitude of respiratory sinus arrhythmia in ms, at the breathing frequency.
  var respiratory: Double
  /// Amplitude of Mayer waves in ms, at 0.1 Hz.
  var mayer: Double
  /// Standard deviation of variations below 0.04 Hz in ms.
  var slow: Double
  /// Standard deviation of beat-to-beat noise in ms.
  var noise: Double
  /// Breathing frequency in Hz.
  var breathing: Double

  static func resting(_ random: inout SplitMix64) -> AutonomicTone {
    AutonomicTone(
      meanRR: 60_000 / random.uniform(in: 61.5...63.5), respiratory: random.uniform(in: 50...58), mayer: 20,
      slow: 14, noise: 8, breathing: random.uniform(in: 0.205...0.225))
  }

  static func stressed(_ random: inout SplitMix64) -> AutonomicTone {
    AutonomicTone(
      meanRR: 60_000 / random.uniform(in: 88...97), respiratory: random.uniform(in: 12...15), mayer: 17,
      slow: 8, noise: 5, breathing: random.uniform(in: 0.23...0.245))
  }

  /// Interpolates linearly between this tone (`weight` 0) and `other` (`weight` 1).
  func mixed(with other: AutonomicTone, weight: Double) -> AutonomicTone {
    func mix(_ from: Double, _ to: Double) -> Double { from + (to - from) * weight }
    return AutonomicTone(
      meanRR: mix(meanRR, other.meanRR), respiratory: mix(respiratory, other.respiratory),
      mayer: mix(mayer, other.mayer), slow: mix(slow, other.slow), noise: mix(noise, other.noise),
      breathing: mix(breathing, other.breathing))
  }
}

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
