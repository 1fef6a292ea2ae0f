package import HeartRate
import Platform

/// The acceleration of a chest strap during a script of activities. Equal arguments give equal samples.
///
/// Amplitudes are typical of a sensor on the chest: breathing 10 mg, heartbeat 4 mg, walking 1.8 steps per second with a
/// vertical amplitude of 0.25 g, running 2.7 steps per second with 0.9 g. The noise of the sensor is 3 mg.
package struct SimulatedMotion: Sendable {
  private let script: MotionScript
  private var random: SplitMix64
  private var activity = SimulatedActivity.still
  private var direction = Self.upright
  /// Phase of the steps in cycles.
  private var phase = 0.0
  private var cadence = 1.0
  private var gesture = Acceleration(x: 0, y: 0, z: 0)
  private var gestureLeft = 0.0

  private static let upright = Acceleration(x: -30, y: -960, z: 275)
  private static let lying = Acceleration(x: 20, y: -180, z: 983)
  private static let table = Acceleration(x: -9, y: -1, z: 999)

  package init(seed: UInt64, script: MotionScript) {
    self.script = script
    random = SplitMix64(seed: seed, stream: 7)
  }

  /// Returns the sample at `time`, `period` seconds after the previous one. Times must not decrease.
  package mutating func sample(at time: Double, period: Double) -> Acceleration {
    activity = script.activity(at: time).activity
    follow(Self.direction(of: activity), within: period)
    let movement = movement(at: time, period)
    let noise = activity == .removed ? 1.0 : 3.0
    return Acceleration(
      x: direction.x + movement.x + noise * random.nearNormal(),
      y: direction.y + movement.y + noise * random.nearNormal(),
      z: direction.z + movement.z + noise * random.nearNormal())
  }

  private static func direction(of activity: SimulatedActivity) -> Acceleration {
    switch activity {
    case .lying: lying
    case .removed: table
    case .still, .breathing, .fidgeting, .walking, .running: upright
    }
  }

  /// A change of posture takes about a second and a half.
  private mutating func follow(_ target: Acceleration, within period: Double) {
    let weight = min(1, period / 0.5)
    direction.x += weight * (target.x - direction.x)
    direction.y += weight * (target.y - direction.y)
    direction.z += weight * (target.z - direction.z)
  }

  private mutating func movement(at time: Double, _ period: Double) -> Acceleration {
    switch activity {
    case .removed: return Acceleration(x: 0, y: 0, z: 0)
    case .still: return body(at: time, breath: nil)
    case .breathing: return body(at: time, breath: 15)
    case .lying: return body(at: time, breath: 12)
    case .fidgeting: return gestures(period)
    case .walking: return steps(1.8, period, vertical: 250, forward: 140, sideways: 70)
    case .running: return steps(2.7, period, vertical: 900, forward: 320, sideways: 180)
    }
  }

  /// The heartbeat, and breathing at `breath` breaths per minute.
  private func body(at time: Double, breath: Double?) -> Acceleration {
    let beat = 4 * cosine(cycles: 6 * time) * max(0, cosine(cycles: 1.1 * time))
    let breathing = breath.map { 10 * cosine(cycles: time * $0 / 60) } ?? 0
    return Acceleration(x: beat / 2, y: beat + breathing / 2, z: beat + breathing)
  }

  /// Steps with a second harmonic; the duration of each varies by a few percent.
  private mutating func steps(
    _ perSecond: Double, _ period: Double, vertical: Double, forward: Double, sideways: Double
  ) -> Acceleration {
    let before = phase.rounded(.down)
    phase += cadence * perSecond * period
    if phase.rounded(.down) != before { cadence = 1 + 0.03 * random.nearNormal() }
    let lift = cosine(cycles: phase) + 0.35 * cosine(cycles: 2 * phase + 0.2)
    return Acceleration(
      x: sideways * cosine(cycles: phase / 2), y: -vertical * lift, z: forward * cosine(cycles: phase + 0.3))
  }

  /// Gestures of 0.1 to 0.5 s in random directions.
  private mutating func gestures(_ period: Double) -> Acceleration {
    gestureLeft -= period
    if gestureLeft <= 0 {
      gestureLeft = random.uniform(in: 0.1...0.5)
      gesture = Acceleration(
        x: 120 * random.nearNormal(), y: 120 * random.nearNormal(), z: 120 * random.nearNormal())
    }
    return gesture
  }
}

/// The acceleration stream of a simulated H10: frames of samples at 25 Hz with timestamps of the strap's clock, which
/// runs fast by 20 µs per second.
package struct SimulatedStream: Sendable {
  package static let rate = 25
  package static let settings = SensorSettings(rate: rate, resolution: 16, range: 8)
  /// 2019-01-01 in nanoseconds since 2000-01-01, where the clock of a strap begins when it is switched on.
  private static let clockStart: UInt64 = 599_616_000_000_000_000

  private let samplesPerFrame: Int
  private var motion: SimulatedMotion
  private var number = 0
  private var samples: [Acceleration] = []

  package init(seed: UInt64, script: MotionScript, samplesPerFrame: Int = 36) {
    motion = SimulatedMotion(seed: seed, script: script)
    self.samplesPerFrame = samplesPerFrame
  }

  /// Returns the payload of the next frame, and the time of its last sample in seconds.
  package mutating func next() -> (end: Double, payload: [UInt8]) {
    samples.removeAll(keepingCapacity: true)
    for _ in 0..<samplesPerFrame {
      number += 1
      samples.append(motion.sample(at: Double(number) / Double(Self.rate), period: 1 / Double(Self.rate)))
    }
    let end = Double(number) / Double(Self.rate)
    let timestamp = Self.clockStart + UInt64((end * 1.000_02 * 1e9).rounded())
    return (end, SensorFrame.encoded(acceleration: samples, timestamp: timestamp))
  }
}
