package import HeartRate

/// A heart that breathes at six breaths a minute with little other variation, as older people do in paced breathing.
package struct PacedHeart: Sendable {
  /// Standard deviation of the independent variation of each interval in ms.
  private let noise: Double
  /// Amplitude of the respiratory variation in ms.
  private static let swing = 50.0
  /// Mean interval in ms.
  private static let mean = 900.0
  private static let period = 10.0

  package init(noise: Double) { self.noise = noise }

  /// Returns intervals in units of 1/1024 s.
  package func intervals(_ count: Int, seed: Int) -> [RRInterval] {
    var random = SeededGenerator(seed: UInt64(seed + 1))
    var seconds = Double.random(in: 0..<Self.period, using: &random)
    return (0..<count).map { _ in
      let phase = (seconds / Self.period).truncatingRemainder(dividingBy: 1)
      let wave = Self.sine(phase)
      let normal = (0..<12).reduce(-6.0) { sum, _ in sum + Double.random(in: 0..<1, using: &random) }
      let milliseconds = Self.mean + Self.swing * wave + noise * normal
      seconds += milliseconds / 1000
      return RRInterval(gattUnits: UInt16((milliseconds * 1.024).rounded()))
    }
  }

  /// The sine of 2 pi `phase`, for a phase from 0 to 1, by the approximation of Bhaskara I (error below 0.002).
  private static func sine(_ phase: Double) -> Double {
    let half = phase < 0.5 ? phase : phase - 0.5
    let (x, sign) = (2 * half, phase < 0.5 ? 1.0 : -1.0)
    return sign * 16 * x * (1 - x) / (5 - 4 * x * (1 - x))
  }
}
