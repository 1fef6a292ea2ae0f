package import HeartRate

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
