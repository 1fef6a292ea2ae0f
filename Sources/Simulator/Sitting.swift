public import HeartRate

/// How a simulated person sits through a breathing exercise.
///
/// At rest the heart is that of a resting stretch of the day, and drifts as real ones do: its rate wanders, and the size
/// of all that modulates it goes through states that last for minutes, so that two minutes of one rest differ in ln RMSSD
/// by about 0.27 (root mean square). While a pacer leads, respiratory sinus arrhythmia follows it, the larger the nearer
/// its rate is to the person's resonance, and what else moves the heart (wander, Mayer waves, noise from beat to beat) is
/// half as strong as the arrhythmia at resonance; a led breath is steadier, so its size drifts by a tenth of that.
public struct Sitting: Sendable {
  /// A breath that is led.
  public struct Breath: Equatable, Sendable {
    /// In cycles: a breath in begins at each whole number and ends half a cycle later.
    public var phase: Double
    /// Breaths per minute.
    public var rate: Double

    public init(phase: Double, rate: Double) { (self.phase, self.rate) = (phase, rate) }
  }

  /// How the breath is led at a time of the session; nil where it is free. Called with times that never go backwards.
  public var pacer: @Sendable (SessionTime) -> Breath?
  /// What RMSSD is multiplied by from the end of the led breathing on.
  public var afterEffect: Double

  public init(afterEffect: Double = 1, pacer: @escaping @Sendable (SessionTime) -> Breath?) {
    self.afterEffect = afterEffect
    self.pacer = pacer
  }

  /// The rate at which the heart of a seed swings furthest, in breaths per minute: 4.8 to 6.6.
  public static func resonance(seed: UInt64) -> Double {
    var random = SplitMix64(seed: seed, stream: 4)
    return random.uniform(in: 4.8...6.6)
  }
}

/// The NN intervals of a person who sits.
struct Sitter: Sendable {
  private let sitting: Sitting
  private let resonance: Double
  private var random: SplitMix64
  private var tone: AutonomicTone
  private var last = SessionTime.zero
  private var breath: Double
  /// Drift of the rate in ms, and of the logarithm of the size of the modulation.
  private var rateDrift = Drift(deviation: 12, seconds: 150)
  private var sizeDrift = Drift(deviation: 0.22, seconds: 90)
  private var wander = Drift(deviation: 1, seconds: 12)
  private var mayer: Double
  /// How far the pacer has taken over, 0 to 1.
  private var led = 0.0
  private var wasLed = false

  /// Amplitudes in ms of the arrhythmia far from resonance and of what resonance adds, and the width of the resonance
  /// in breaths per minute.
  private static let (far, added, width) = (24.0, 96.0, 1.0)
  /// Deviations in ms of what is not breath while a pacer leads: together half of the arrhythmia at resonance,
  /// 120 / sqrt(2) / 2.
  private static let ledNoise = (wander: 28.0, mayer: 22.0, beat: 23.0)

  init(seed: UInt64, _ sitting: Sitting) {
    self.sitting = sitting
    resonance = Sitting.resonance(seed: seed)
    random = SplitMix64(seed: seed, stream: 5)
    tone = .resting(&random)
    breath = random.uniform(in: 0...1)
    mayer = random.uniform(in: 0...1)
  }

  /// The interval that begins at `time`, in ms. Times never go backwards.
  mutating func next(at time: SessionTime) -> Double {
    let seconds = time.seconds - last.seconds
    last = time
    let lead = sitting.pacer(time)
    wasLed = wasLed || lead != nil
    led += ((lead == nil ? 0 : 1) - led) * min(1, seconds / 4)
    breath += tone.breathing * seconds
    mayer += 0.1 * seconds + 0.02 * random.nearNormal()
    let size = size(after: seconds, isFree: lead == nil)
    let swing = lead.map { size * gain($0.rate) } ?? size * tone.respiratory
    return tone.meanRR + rateDrift.next(after: seconds, &random)
      + swing * cosine(cycles: lead?.phase ?? breath) + size * noise(after: seconds)
  }

  /// What all modulation is multiplied by: the exponential of its drift, to its third power, and the after-effect.
  private mutating func size(after seconds: Double, isFree: Bool) -> Double {
    let x = max(-1, sizeDrift.next(after: seconds, &random)) * (1 - 0.9 * led)
    return (1 + x * (1 + x / 2 * (1 + x / 3))) * (isFree && wasLed ? sitting.afterEffect : 1)
  }

  private func gain(_ rate: Double) -> Double {
    let x = (rate - resonance) / Self.width
    return Self.far + Self.added / (1 + x * x)
  }

  private mutating func noise(after seconds: Double) -> Double {
    func mix(_ free: Double, _ paced: Double) -> Double { free + (paced - free) * led }
    return mix(tone.slow, Self.ledNoise.wander) * wander.next(after: seconds, &random)
      + mix(tone.mayer, Self.ledNoise.mayer * 2.0.squareRoot()) * cosine(cycles: mayer)
      + mix(tone.noise, Self.ledNoise.beat) * random.nearNormal()
  }
}

/// A value that wanders around zero and forgets where it was (an Ornstein-Uhlenbeck process).
private struct Drift: Sendable {
  let deviation: Double
  /// How long it remembers.
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
