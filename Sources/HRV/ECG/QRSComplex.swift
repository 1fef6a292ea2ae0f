/// A QRS complex of an electrocardiogram.
package struct QRSComplex: Equatable, Sendable {
  /// Position of the R peak in samples.
  package var position: Double
  /// Four standard deviations of the energy of the slope around the peak, in seconds: about its duration.
  package var width: Double
  /// The width in seconds of a rectangle with the height of the peak and the area of the samples within 0.12 s. It distinguishes
  /// ventricular beats better than ``width`` in some people, and worse in others (Research/ECG).
  package var area: Double
  /// The difference between the largest and the smallest value of the complex in µV, such as from R to S.
  package var amplitude: Double
  /// The energy of the peak relative to the mean over a beat. Noise has a value below ``leastProminence``.
  package var prominence: Double

  /// Band-limited noise reaches 8 in fewer than 1 of 1,000 beats, an electrocardiogram with contact has 15 to 40.
  package static let leastProminence = 8.0
}

extension RPeakDetector {
  /// The reach of the measurement of the width in seconds.
  private static let widthReach = 0.12

  /// The QRS complexes in `samples`, in ascending order.
  /// - Complexity: O(n).
  package func complexes(in samples: [Double]) -> [QRSComplex] {
    let found = find(in: samples)
    guard !found.peaks.isEmpty else { return [] }
    let energy = Self.slopeEnergy(found.shape)
    let (beat, reach) = (Int(rate * 0.4), Int(rate * Self.reach))
    return found.peaks.map { peak in
      let around = max(0, peak - beat)...min(samples.count - 1, peak + beat)
      let near = max(0, peak - reach)...min(samples.count - 1, peak + reach)
      let mean = found.squared[around].reduce(0, +) / Double(around.count)
      return QRSComplex(
        position: Vertex(near: peak, of: found.shape).position, width: width(energy, peak),
        area: area(found.shape, peak),
        amplitude: Self.extent(of: found.shape, in: near),
        prominence: mean > 0 ? (found.squared[near].max() ?? 0) / mean : 0)
    }
  }

  private static func extent(of values: [Double], in range: ClosedRange<Int>) -> Double {
    guard let highest = range.max(by: { values[$0] < values[$1] }),
      let lowest = range.min(by: { values[$0] < values[$1] })
    else { return 0 }
    return Vertex(near: highest, of: values).value - Vertex(near: lowest, of: values).value
  }

  private static func slopeEnergy(_ filtered: [Double]) -> [Double] {
    filtered.indices.map { index in
      guard index > 0, index + 1 < filtered.count else { return 0 }
      let slope = filtered[index + 1] - filtered[index - 1]
      return slope * slope
    }
  }

  private func area(_ values: [Double], _ peak: Int) -> Double {
    let reach = Int(Self.widthReach * rate)
    let sum = values[max(0, peak - reach)...min(values.count - 1, peak + reach)].reduce(0) {
      $0 + $1.magnitude
    }
    return values[peak] == 0 ? 0 : sum / values[peak].magnitude / rate
  }

  private func width(_ energy: [Double], _ peak: Int) -> Double {
    let reach = Int(Self.widthReach * rate)
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
