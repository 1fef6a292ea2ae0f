/// Detects QRS complexes in samples that arrive in frames, with ``RPeakDetector`` over the last seconds.
///
/// A complex is reported once, when the filters no longer depend on later samples: 0.75 s after it.
package struct LivePeakDetector: Sendable {
  /// Seconds of samples that are analysed at each frame, and seconds at their end without a result.
  private static let (length, margin) = (10.0, 0.75)
  /// Shortest time between two peaks in seconds.
  private static let refractory = 0.2

  private let rate: Double
  private var samples: [Double] = []
  /// Position of the first sample since the start of the stream.
  private var first = 0
  private var last = -Double.infinity
  /// The end of the samples in which every complex is reported.
  private var searched = 0.0

  /// - Parameter rate: sampling rate in Hz; at least 50.
  package init(rate: Double) { self.rate = rate }

  /// Number of samples so far.
  package var count: Int { first + samples.count }

  /// Adds the samples of a frame, and returns the complexes that became certain. Positions count from the first sample.
  /// - Complexity: O(samples in ten seconds).
  package mutating func append(_ frame: [Double]) -> [QRSComplex] {
    samples += frame
    let excess = samples.count - Int(Self.length * rate)
    if excess > 0 {
      samples.removeFirst(excess)
      first += excess
    }
    let end = Double(count) - Self.margin * rate
    guard Double(samples.count) >= 2 * rate, end > searched else { return [] }
    defer { searched = end }
    var found: [QRSComplex] = []
    for var complex in RPeakDetector(rate: rate).complexes(in: samples) {
      complex.position += Double(first)
      // The position of a complex at the border can differ a little between two searches.
      guard complex.position <= end, complex.position > searched - Self.refractory * rate,
        complex.position > last + Self.refractory * rate
      else { continue }
      last = complex.position
      found.append(complex)
    }
    return found
  }

  /// Difference between the largest and the smallest sample of the last two seconds in µV: 0 for a flat line.
  package var recentRange: Double {
    let recent = samples.suffix(Int(2 * rate))
    return (recent.max() ?? 0) - (recent.min() ?? 0)
  }
}
