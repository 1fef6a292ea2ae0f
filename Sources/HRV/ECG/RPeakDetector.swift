/// Detects R peaks in an electrocardiogram with two moving averages (Elgendi, Jonkman and De Boer 2010, "Frequency bands
/// effects on QRS detection"; parameters of Elgendi 2013, PLoS ONE 8:e73557).
///
/// The signal is band-pass filtered and squared. Where the mean over the length of a QRS complex exceeds the mean over the
/// length of a beat, for at least the length of a QRS complex, there is a QRS complex. Its R peak is the largest value nearby in a
/// wider band, because the narrow one has its maximum at the steepest part of a wide complex; ``Vertex`` locates it between samples.
/// Inverted signals are detected equally.
package struct RPeakDetector: Sendable {
  private static let band = 8.0...20.0
  /// The band in which a complex keeps its shape, in Hz, and the reach of its R peak around the detected place, in seconds.
  static let (shape, reach) = (3.0...30.0, 0.08)
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
    return found.peaks.map { Vertex(near: $0, of: found.shape).position }
  }

  /// The indices of the R peaks, the squares of the samples in the band of the detection, and the samples in the wider band.
  func find(in samples: [Double]) -> (peaks: [Int], squared: [Double], shape: [Double]) {
    let filtered = BandPassFilter(Self.band, rate: rate)(samples)
    let squared = filtered.map { $0 * $0 }
    let length = max(1, Int((Self.complex * rate).rounded()))
    let short = Self.movingAverage(squared, length)
    let long = Self.movingAverage(squared, max(1, Int((Self.beat * rate).rounded())))
    let offset = Self.offset * squared.reduce(0, +) / Double(max(squared.count, 1))
    let blocks = Self.blocks(short, above: long, offset).filter { $0.count >= length }
    let detected = separated(blocks.compactMap { Self.maximum(squared, in: $0) }, squared)
    let shape = BandPassFilter(Self.shape, rate: rate)(samples)
    return (detected.map { highest(around: $0, shape) }, squared, shape)
  }

  /// The index of the largest magnitude within ``reach``, which is less than half of the refractory period.
  private func highest(around place: Int, _ values: [Double]) -> Int {
    let reach = Int(Self.reach * rate)
    let near = max(0, place - reach)...min(values.count - 1, place + reach)
    return near.max { values[$0].magnitude < values[$1].magnitude } ?? place
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
}
