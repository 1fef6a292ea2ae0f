public import HeartRate

/// Derives movement, posture and respiration from samples of acceleration.
///
/// It reduces the samples to about 25 Hz. All memory is inline: no allocation.
public struct MotionDetector: Sendable {
  private static let workingRate = 25.0

  /// Rate of the samples in Hz after the reduction.
  private let rate: Double
  /// Samples that are averaged to one.
  private let reduction: Int
  private var sum = Acceleration(x: 0, y: 0, z: 0)
  private var summed = 0
  private var norms = NormWindow()
  private var gravity: GravityFilter
  private var posture = PostureObserver()
  private var chest: ChestMovement
  /// Number of the current second since the start of the session, and its samples so far.
  private var second: Int64?
  private var samples = 0

  /// - Parameter rate: Sampling rate in Hz, 10 to 1000.
  public init(rate: Double) {
    let rate = min(max(rate, 10), 1000)
    reduction = max(1, Int((rate / Self.workingRate).rounded()))
    self.rate = rate / Double(reduction)
    gravity = GravityFilter(rate: self.rate, timeConstant: 0.6)
    chest = ChestMovement(rate: self.rate)
  }

  /// Processes a sample, and passes the features of the second before it to `emit` if it begins a new one.
  /// - Complexity: O(1) amortized; no allocation.
  public mutating func update(
    _ sample: Acceleration, at time: SessionTime, emit: (MotionSecond) throws -> Void
  ) rethrows {
    let current = time.ticks / RRInterval.ticksPerSecond
    if let second, current != second { try finish(second, emit) }
    second = max(current, second ?? current)
    sum = sum + sample
    summed += 1
    guard summed == reduction else { return }
    append(sum * (1 / Double(reduction)))
    (sum, summed) = (Acceleration(x: 0, y: 0, z: 0), 0)
  }

  private mutating func append(_ sample: Acceleration) {
    norms.append(sample.norm)
    gravity.update(sample)
    chest.update(sample)
    samples += 1
  }

  /// A second with less than half of its samples has no features.
  private mutating func finish(_ second: Int64, _ emit: (MotionSecond) throws -> Void) rethrows {
    let count = samples
    samples = 0
    guard Double(count) >= rate / 2 else { return }
    let (mad, enmo) = norms.intensity(of: count)
    let hasPostureChange = posture.update(gravity.gravity)
    let motion = motion(mad)
    if motion != .still { chest.reset() }
    try emit(
      MotionSecond(
        time: SessionTime(ticks: (second + 1) * RRInterval.ticksPerSecond), motion: motion, intensity: mad,
        enmo: enmo, posture: posture.posture, hasPostureChange: hasPostureChange,
        respirationRate: chest.respirationRate))
  }

  private func motion(_ mad: Double) -> MotionClass {
    guard mad >= MotionThresholds.still else { return posture.isTilting ? .fidget : .still }
    guard mad >= MotionThresholds.walk, let cadence else { return .fidget }
    if mad >= MotionThresholds.run { return .run }
    let isFast = cadence >= MotionThresholds.runningCadence && mad >= MotionThresholds.runWithCadence
    return isFast ? .run : .walk
  }

  /// Steps per second, if the last 3 s have a rhythm.
  private var cadence: Double? {
    let cadences = MotionThresholds.cadences
    let lags = Int(rate / cadences.upperBound)...Int((rate / cadences.lowerBound).rounded(.up))
    guard let best = norms.rhythm(of: Int(3 * rate), lags: lags), best.correlation >= MotionThresholds.rhythm
    else { return nil }
    return rate / Double(best.lag)
  }
}

/// The limits between the classes of movement.
enum MotionThresholds {
  /// MAD in mg above which a second is not still: the limit between sitting or standing still and light activity of
  /// Vähä-Ypyä et al. 2018 (doi:10.1371/journal.pone.0134813 for the method).
  static let still = 22.5
  /// MAD in mg from which rhythmic movement is walking. Half of the limit of moderate activity of Vähä-Ypyä et al. 2015,
  /// 91 mg, because slow walking is walking too.
  static let walk = 45.0
  /// MAD in mg from which rhythmic movement is running: the limit of vigorous activity of Vähä-Ypyä et al. 2015.
  static let run = 414.0
  /// The same for at least ``runningCadence`` steps per second.
  static let runWithCadence = 250.0
  static let runningCadence = 2.3
  /// Minimum autocorrelation of rhythmic movement.
  static let rhythm = 0.6
  /// Steps per second of walking and running.
  static let cadences = 1.1...4.0
  /// Cosine of the angle between two directions of gravity that is a change of posture (30°).
  static let postureCosine = 0.866
  /// Cosine of the change of gravity within a second that is not still (12°).
  static let tiltCosine = 0.978
  /// Sine of the largest inclination of an upright chest (35°), and of the smallest of a lying one (55°).
  static let uprightSine = 0.574
  static let lyingSine = 0.819
}

/// Derives the posture and its changes from the direction of gravity, once per second.
struct PostureObserver: Sendable {
  private(set) var posture = Posture.upright
  /// Gravity in the last stable posture.
  private var reference: Acceleration?
  private var previous: Acceleration?
  /// Whether gravity turned by more than 12° within the last second.
  private(set) var isTilting = false

  /// Processes the gravity at the end of a second.
  /// - Returns: whether the posture changed.
  mutating func update(_ gravity: Acceleration) -> Bool {
    isTilting = previous.map { gravity.cosine(to: $0) < MotionThresholds.tiltCosine } ?? false
    previous = gravity
    posture = Self.posture(gravity)
    guard let reference, gravity.cosine(to: reference) < MotionThresholds.postureCosine else {
      follow(gravity)
      return false
    }
    self.reference = gravity
    return true
  }

  /// Lets the reference follow slow changes, with a time constant of 30 s.
  private mutating func follow(_ gravity: Acceleration) {
    reference = reference.map { $0 + (gravity - $0) * (1 / 30.0) } ?? gravity
  }

  private static func posture(_ gravity: Acceleration) -> Posture {
    guard gravity.norm > 0 else { return .upright }
    let sine = gravity.z.magnitude / gravity.norm
    if sine >= MotionThresholds.lyingSine { return .lying }
    return sine > MotionThresholds.uprightSine ? .inclined : .upright
  }
}
