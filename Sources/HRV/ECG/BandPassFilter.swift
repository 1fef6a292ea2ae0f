import RealModule

/// A band-pass filter without phase shift: Butterworth high-pass and low-pass filters of order 2, applied forwards and
/// backwards, which gives order 4 each.
struct BandPassFilter: Sendable {
  private let sections: [Biquad]

  /// - Parameters:
  ///   - band: the frequencies at which the gain is one half (-6 dB), in Hz; below `rate` / 2.
  ///   - rate: the sampling rate in Hz.
  init(_ band: ClosedRange<Double>, rate: Double) {
    sections = [
      Biquad(highPass: band.lowerBound / rate), Biquad(lowPass: min(band.upperBound / rate, 0.49)),
    ]
  }

  /// Returns the filtered samples. A constant before the first and after the last sample is assumed.
  /// - Complexity: O(n).
  func callAsFunction(_ samples: [Double]) -> [Double] {
    guard let first = samples.first else { return [] }
    var values = samples.map { $0 - first }
    for section in sections {
      section.filter(&values)
      values.reverse()
      section.filter(&values)
      values.reverse()
    }
    return values
  }
}

/// A recursive filter of order 2 (bilinear transform; Bristow-Johnson, "Audio EQ Cookbook", 1994).
struct Biquad: Sendable {
  private let b: (Double, Double, Double)
  private let a: (Double, Double)

  /// A Butterworth low-pass filter; `frequency` is the cut-off in cycles per sample.
  init(lowPass frequency: Double) {
    let (cosine, alpha) = Self.angles(frequency)
    self.init(numerator: ((1 - cosine) / 2, 1 - cosine, (1 - cosine) / 2), cosine, alpha)
  }

  /// A Butterworth high-pass filter; `frequency` is the cut-off in cycles per sample.
  init(highPass frequency: Double) {
    let (cosine, alpha) = Self.angles(frequency)
    self.init(numerator: ((1 + cosine) / 2, -(1 + cosine), (1 + cosine) / 2), cosine, alpha)
  }

  private init(numerator: (Double, Double, Double), _ cosine: Double, _ alpha: Double) {
    let scale = 1 / (1 + alpha)
    b = (numerator.0 * scale, numerator.1 * scale, numerator.2 * scale)
    a = (-2 * cosine * scale, (1 - alpha) * scale)
  }

  /// The cosine of the angular frequency, and half its sine divided by the quality of a Butterworth filter, 1/√2.
  private static func angles(_ frequency: Double) -> (cosine: Double, alpha: Double) {
    let angle = 2 * Double.pi * frequency
    return (.cos(angle), .sin(angle) / 2 * 2.0.squareRoot())
  }

  /// Filters in place (transposed direct form II), starting with zeros.
  func filter(_ values: inout [Double]) {
    var (first, second) = (0.0, 0.0)
    for index in values.indices {
      let input = values[index]
      let output = b.0 * input + first
      first = b.1 * input - a.0 * output + second
      second = b.2 * input - a.1 * output
      values[index] = output
    }
  }
}
