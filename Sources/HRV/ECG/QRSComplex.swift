/// A QRS complex of an electrocardiogram.
package struct QRSComplex: Equatable, Sendable {
  /// Position of the R peak in samples.
  package var position: Double
  /// Four standard deviations of the energy of the slope around the peak, in seconds: about its duration.
  package var width: Double
  /// The filtered value at the peak in µV.
  package var amplitude: Double
  /// The energy of the peak relative to the mean over a beat. Noise has a value below ``leastProminence``.
  package var prominence: Double

  /// Band-limited noise reaches 8 in fewer than 1 of 1,000 beats, an electrocardiogram with contact has 15 to 40.
  package static let leastProminence = 8.0
}

extension RPeakDetector {
  /// The band and the reach of the measurement of the width, in Hz and in seconds.
  private static let (slopes, reach) = (2.0...30.0, 0.12)

  /// The QRS complexes in `samples`, in ascending order.
  /// - Complexity: O(n).
  package func complexes(in samples: [Double]) -> [QRSComplex] {
    let found = find(in: samples)
    guard !found.peaks.isEmpty else { return [] }
    let energy = slopeEnergy(samples)
    let beat = Int(rate * 0.4)
    return found.peaks.map { peak in
      let around = max(0, peak - beat)...min(samples.count - 1, peak + beat)
      let mean = found.squared[around].reduce(0, +) / Double(around.count)
      return QRSComplex(
        position: Self.refined(peak, found.filtered), width: width(energy, peak),
        amplitude: found.filtered[peak], prominence: mean > 0 ? found.squared[peak] / mean : 0)
    }
  }

  private func slopeEnergy(_ samples: [Double]) -> [Double] {
    let filtered = BandPassFilter(Self.slopes, rate: rate)(samples)
    return filtered.indices.map { index in
      guard index > 0, index + 1 < filtered.count else { return 0 }
      let slope = filtered[index + 1] - filtered[index - 1]
      return slope * slope
    }
  }

  private func width(_ energy: [Double], _ peak: Int) -> Double {
    let reach = Int(Self.reach * rate)
    let (first, last) = (max(0, peak - reach), min(energy.count - 1, peak + reach))
    var (sum, moment, square) = (0.0, 0.0, 0.0)
    for index in first...last {
      let offset = Double(index - peak) / rate
      sum += energy[index]
      moment += energy[index] * offset
      square += energy[index] * offset * offset
    }
    guard sum > 0 else { return 0 }
    let mean = moment / sum
    return 4 * max(0, square / sum - mean * mean).squareRoot()
  }
}
