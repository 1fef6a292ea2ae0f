package import HeartRate
import Platform

/// A simulated person who sits still for a breathing exercise.
///
/// At rest the heart resembles a resting period of the day, with realistic drift: its rate drifts, and the amplitudes of its
/// oscillations change over minutes. Two minutes of one rest therefore differ in ln RMSSD by about 0.27 (root mean square).
/// During paced breathing, respiratory sinus arrhythmia follows the pacer with an amplitude that increases towards the
/// person's resonance frequency. All other variability (drift, Mayer waves, beat-to-beat noise) is half of the arrhythmia at
/// resonance, and the drift of the amplitude is a tenth of that at rest.
package struct Sitting: Sendable {
  /// Paced breathing at a point in time.
  package struct Breath: Equatable, Sendable {
    /// Phase in cycles: inhaling begins at each integer and ends half a cycle later.
    package var phase: Double
    /// Breaths per minute.
    package var rate: Double

    package init(phase: Double, rate: Double) { (self.phase, self.rate) = (phase, rate) }
  }

  /// Returns the paced breathing, if any, at a session time. Breathing is spontaneous otherwise. Called with non-decreasing
  /// times.
  package var pacer: @Sendable (SessionTime) -> Breath?
  /// Factor applied to RMSSD after the end of paced breathing.
  package var afterEffect: Double
  /// The time, if any, at which the person stands up: the heart rate then rises by a quarter and the respiratory oscillation
  /// halves within about 30 s.
  package var standsUp: SessionTime?

  package init(
    afterEffect: Double = 1, standsUp: SessionTime? = nil, pacer: @escaping @Sendable (SessionTime) -> Breath?
  ) {
    self.afterEffect = afterEffect
    self.standsUp = standsUp
    self.pacer = pacer
  }

  /// Returns the resonance frequency for a seed, 4.8 to 6.6 breaths per minute.
  package static func resonance(seed: UInt64) -> Double {
    var random = SplitMix64(seed: seed, stream: 4)
    return random.uniform(in: 4.8...6.6)
  }
}

/// The NN intervals of a person who sits still.
struct SittingHeart: Sendable {
  private let sitting: Sitting
  private let resonance: Double
  private var random: SplitMix64
  private var tone: AutonomicTone
  private var last = SessionTime.zero
  private var breath: Double
  /// Drift of the mean RR in ms, and of the logarithm of the oscillation amplitudes.
  private var rateDrift = Drift(deviation: 12, seconds: 150)
  private var sizeDrift = Drift(deviation: 0.22, seconds: 90)
  private var wander = Drift(deviation: 1, seconds: 12)
  private var mayer: Double
  /// Weight of paced breathing, 0 to 1, for smooth transitions.
  private var pacedWeight = 0.0
  private var wasPaced = false

  /// Amplitude of the arrhythmia far from resonance, additional amplitude at resonance (both in ms), and
  /// width of the resonance in breaths per minute.
  private static let (far, added, width) = (24.0, 96.0, 1.0)
  /// Standard deviations in ms of non-respiratory variability during paced breathing: together half of the
  /// arrhythmia at resonance, 120 / sqrt(2) / 2.
  private static let pacedNoise = (wander: 28.0, mayer: 22.0, beat: 23.0)

  init(seed: UInt64, _ sitting: Sitting) {
    self.sitting = sitting
    resonance = Sitting.resonance(seed: seed)
    random = SplitMix64(seed: seed, stream: 5)
    tone = .resting(&random)
    breath = random.uniform(in: 0...1)
    mayer = random.uniform(in: 0...1)
  }

  /// Returns the interval that begins at `time`, in ms. Times must not decrease.
  mutating func next(at time: SessionTime) -> Double {
    let seconds = time.seconds - last.seconds
    last = time
    let breathing = sitting.pacer(time)
    wasPaced = wasPaced || breathing != nil
    pacedWeight += ((breathing == nil ? 0 : 1) - pacedWeight) * min(1, seconds / 4)
    breath += tone.breathing * seconds
    mayer += 0.1 * seconds + 0.02 * random.nearNormal()
    let size = size(after: seconds, isSpontaneous: breathing == nil)
    let standing = standing(at: time)
    let swing = breathing.map { size * gain($0.rate) } ?? size * tone.respiratory * (1 - 0.5 * standing)
    return tone.meanRR * (1 - 0.2 * standing) + rateDrift.next(after: seconds, &random)
      + swing * cosine(cycles: breathing?.phase ?? breath) + size * noise(after: seconds)
  }

  /// Returns the factor of all oscillations: the exponential of the drift, to the third power, multiplied by
  /// the after-effect.
  private mutating func size(after seconds: Double, isSpontaneous: Bool) -> Double {
    let x = max(-1, sizeDrift.next(after: seconds, &random)) * (1 - 0.9 * pacedWeight)
    return (1 + x * (1 + x / 2 * (1 + x / 3))) * (isSpontaneous && wasPaced ? sitting.afterEffect : 1)
  }

  /// Weight of the standing posture, 0 to 1.
  private func standing(at time: SessionTime) -> Double {
    guard let start = sitting.standsUp, time > start else { return 0 }
    return min(1, SessionTime(ticks: time.ticks - start.ticks).seconds / 30)
  }

  private func gain(_ rate: Double) -> Double {
    let x = (rate - resonance) / Self.width
    return Self.far + Self.added / (1 + x * x)
  }

  private mutating func noise(after seconds: Double) -> Double {
    func mix(_ free: Double, _ paced: Double) -> Double { free + (paced - free) * pacedWeight }
    return mix(tone.slow, Self.pacedNoise.wander) * wander.next(after: seconds, &random)
      + mix(tone.mayer, Self.pacedNoise.mayer * 2.0.squareRoot()) * cosine(cycles: mayer)
      + mix(tone.noise, Self.pacedNoise.beat) * random.nearNormal()
  }
}

/// A mean-reverting random process around zero (Ornstein-Uhlenbeck process).
private struct Drift: Sendable {
  let deviation: Double
  /// Time constant in seconds.
  let seconds: Double
  private var value: Double?

  init(deviation: Double, seconds: Double) { (self.deviation, self.seconds) = (deviation, seconds) }

  mutating func next(after passed: Double, _ random: inout SplitMix64) -> Double {
    guard let before = value else {
      value = deviation * random.nearNormal()
      return value ?? 0
    }
    let kept = max(0, 1 - passed / seconds)
    let now = before * kept + deviation * (1 - kept * kept).squareRoot() * random.nearNormal()
    value = now
    return now
  }
}
