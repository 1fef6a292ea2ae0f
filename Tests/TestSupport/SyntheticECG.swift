import Glibc

/// A synthetic electrocardiogram with known R peaks: each beat is a sum of Gaussians for the waves P, Q, R, S and T (McSharry
/// et al. 2003, IEEE Trans Biomed Eng 50:289), with baseline wander, mains hum and muscle noise.
package struct SyntheticECG: Sendable {
  private struct Wave {
    /// Seconds after the R peak.
    var time: Double
    /// In µV.
    var amplitude: Double
    /// Standard deviation in seconds.
    var width: Double
  }

  private static let waves = [
    Wave(time: -0.17, amplitude: 120, width: 0.025), Wave(time: -0.03, amplitude: -120, width: 0.010),
    Wave(time: 0, amplitude: 1100, width: 0.011), Wave(time: 0.03, amplitude: -230, width: 0.010),
    Wave(time: 0.25, amplitude: 280, width: 0.045),
  ]

  /// Standard deviation of the muscle noise in µV.
  package var noise = 0.0
  /// Amplitude of the mains hum of 50 Hz in µV.
  package var hum = 0.0
  /// Amplitude of the baseline wander of 0.3 Hz in µV.
  package var wander = 0.0
  package var isInverted = false
  /// Breaths per minute with which the amplitudes change by 15 %; 0 leaves them equal.
  package var breathing = 0.0

  /// The numbers of the peaks whose QRS complex is three times as long and has no Q and S waves, as of ventricular beats.
  package var wide: Set<Int> = []

  package init() {}

  /// The samples at `rate` Hz of `seconds` seconds with R peaks at `peaks`, in seconds.
  package func samples(peaks: [Double], seconds: Double, rate: Double = 130, seed: UInt64 = 1) -> [Double] {
    var random = SeededGenerator(seed: seed)
    var values = (0..<Int(seconds * rate)).map { index in
      let time = Double(index) / rate
      return wander * sin(2 * .pi * 0.3 * time) + hum * sin(2 * .pi * 50 * time)
        + noise * normal(using: &random)
    }
    for (number, peak) in peaks.enumerated() { add(peak, isWide: wide.contains(number), to: &values, rate) }
    return isInverted ? values.map { -$0 } : values
  }

  private func add(_ peak: Double, isWide: Bool, to values: inout [Double], _ rate: Double) {
    let first = max(0, Int((peak - 0.4) * rate))
    let last = min(values.count - 1, Int((peak + 0.5) * rate))
    guard first <= last else { return }
    let scale = 1 + 0.15 * sin(2 * .pi * breathing / 60 * peak)
    for index in first...last {
      let time = Double(index) / rate - peak
      for wave in Self.waves where !isWide || wave.amplitude > 0 {
        let distance = (time - wave.time) / (isWide && wave.time == 0 ? 3 * wave.width : wave.width)
        values[index] += scale * wave.amplitude * exp(-distance * distance / 2)
      }
    }
  }

  /// The sum of twelve uniform values, which is nearly normal.
  private func normal(using random: inout SeededGenerator) -> Double {
    (0..<12).reduce(-6.0) { sum, _ in sum + .random(in: 0...1, using: &random) }
  }
}
