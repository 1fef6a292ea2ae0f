/// Detects R peaks in an electrocardiogram with two moving averages (Elgendi, Jonkman and De Boer 2010, "Frequency bands
/// effects on QRS detection"; parameters of Elgendi 2013, PLoS ONE 8:e73557).
///
/// The signal is band-pass filtered and squared. Where the mean over the length of a QRS complex exceeds the mean over the
/// length of a beat, for at least the length of a QRS complex, there is an R peak at the largest filtered value. A parabola
/// through it and its neighbours determines the position between samples. Inverted signals are detected equally.
package struct RPeakDetector: Sendable {
  private static let band = 8.0...20.0
  /// Lengths of a QRS complex and of a beat, in seconds.
  private static let (complex, beat) = (0.097, 0.611)
  /// Fraction of the mean squared signal that is added to the threshold.
  private static let offset = 0.08
  /// Shortest time between two peaks in seconds, the refractory period (Pan and Tompkins 1985).
  private static let refractory = 0.2

  let rate: Double

  /// - Parameter rate: sampling rate in Hz; at least 50.
  package init(rate: Double) { self.rate = rate }

  /// The positions of the R peaks in `samples`, in samples from the first, in ascending order.
  /// - Complexity: O(n).
  package func peaks(in samples: [Double]) -> [Double] {
    let found = find(in: samples)
    return found.peaks.map { Self.refined($0, found.filtered) }
  }

  /// The indices of the R peaks, the filtered samples and their squares.
  func find(in samples: [Double]) -> (peaks: [Int], filtered: [Double], squared: [Double]) {
    let filtered = BandPassFilter(Self.band, rate: rate)(samples)
    let squared = filtered.map { $0 * $0 }
    let length = max(1, Int((Self.complex * rate).rounded()))
    let short = Self.movingAverage(squared, length)
    let long = Self.movingAverage(squared, max(1, Int((Self.beat * rate).rounded())))
    let offset = Self.offset * squared.reduce(0, +) / Double(max(squared.count, 1))
    let blocks = Self.blocks(short, above: long, offset).filter { $0.count >= length }
    return (separated(blocks.compactMap { Self.maximum(squared, in: $0) }, squared), filtered, squared)
  }

  /// The mean of the `length` values around each value, fewer at the ends.
  private static func movingAverage(_ values: [Double], _ length: Int) -> [Double] {
    var sums = [0.0]
    for value in values { sums.append(sums[sums.count - 1] + value) }
    return values.indices.map { index in
      let first = max(0, index - length / 2)
      let end = min(values.count, index - length / 2 + length)
      return (sums[end] - sums[first]) / Double(end - first)
    }
  }

  /// The ranges in which `short` exceeds `long` plus `offset`.
  private static func blocks(_ short: [Double], above long: [Double], _ offset: Double) -> [Range<Int>] {
    var blocks: [Range<Int>] = []
    var start: Int?
    for index in 0...short.count {
      let isAbove = index < short.count && short[index] > long[index] + offset
      if isAbove, start == nil { start = index }
      if !isAbove, let first = start {
        blocks.append(first..<index)
        start = nil
      }
    }
    return blocks
  }

  private static func maximum(_ values: [Double], in range: Range<Int>) -> Int? {
    range.max { values[$0] < values[$1] }
  }

  /// Omits the smaller of two peaks within the refractory period.
  private func separated(_ peaks: [Int], _ squared: [Double]) -> [Int] {
    var kept: [Int] = []
    for peak in peaks {
      if let last = kept.last, Double(peak - last) < Self.refractory * rate {
        if squared[peak] > squared[last] { kept[kept.count - 1] = peak }
      } else {
        kept.append(peak)
      }
    }
    return kept
  }

  /// The vertex of the parabola through a value and its neighbours.
  static func refined(_ peak: Int, _ values: [Double]) -> Double {
    guard peak > 0, peak + 1 < values.count else { return Double(peak) }
    let (before, at, after) = (values[peak - 1], values[peak], values[peak + 1])
    let curvature = before - 2 * at + after
    guard curvature != 0 else { return Double(peak) }
    return Double(peak) + min(max((before - after) / (2 * curvature), -0.5), 0.5)
  }
}
