import RealModule

extension RespirationRate {
  /// The band of breathing that the amplitude of R peaks can show, 5 to 36 breaths per minute, and the band that its power is
  /// compared with, in Hz.
  private static let (amplitudeBand, amplitudeWhole) = (5.0 / 60..<36.0 / 60, 3.0 / 60..<36.0 / 60)

  /// Estimates the rate from the amplitude of R peaks, which changes with the position of the heart in the chest (Moody et al.
  /// 1985, Computers in Cardiology 12:113). It does not depend on respiratory sinus arrhythmia, which is weak in old age, and
  /// outside of 9 to 24 breaths per minute cannot be separated from other rhythms.
  ///
  /// Amplitudes are limited to four median absolute deviations around their median: those of ectopic beats differ by more.
  /// - Parameter peaks: times in seconds, ascending, and amplitudes in any unit. At least a minute of 30 peaks is required.
  package init(amplitudes peaks: [(time: Double, amplitude: Double)]) {
    guard let first = peaks.first?.time, let last = peaks.last?.time, peaks.count >= 30,
      last - first >= SpectralBands.leastLength(for: LombScargle.shortestWindow)
    else {
      self.init(rate: .absent(.tooShort(found: 0, needed: LombScargle.shortestWindow)), reliability: nil)
      return
    }
    let values = Self.limited(peaks.map(\.amplitude))
    let (times, length) = (peaks.map { $0.time - first }, last - first)
    let tapered = times.map { Taper.hann.weight(at: $0 / length) }
    let total = tapered.reduce(0, +)
    let grid = FrequencyGrid(first: 0, perHertz: length, count: 1 + Int(0.7 * length))
    let power = Periodogram(grid)(times: times, values: values, weights: tapered.map { $0 / total })
    let spectrum = PowerSpectrum(frequencies: grid, density: power, windowLength: length, windows: 1)
    self.init(spectrum, highestIn: Self.amplitudeBand, of: Self.amplitudeWhole)
  }

  private static func limited(_ values: [Double]) -> [Double] {
    let middle = median(values)
    let reach = 4 * median(values.map { ($0 - middle).magnitude })
    return reach > 0 ? values.map { min(max($0, middle - reach), middle + reach) } : values
  }

  private static func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }
}
