import RealModule

/// The multitaper spectrum of the newest successive differences with sine tapers (Riedel and Sidorenko 1995),
/// at the zeros of the frequency responses of moving averages of 2 to 8 intervals, and halfway between these.
///
/// Powers are those of the intervals, relative to the error of rounding them to 1/1024 s: the power of differences divided by
/// 4 sin(pi f)^2 and by that error.
struct MultitaperSpectrum: Sendable {
  /// Number of differences.
  let count: Int
  /// Logarithm of `count` / 64.
  let length: Float
  /// Logarithm of the mean interval in ms.
  let interval: Float
  /// Mean power of the tapers, and power of the first taper, which has the deepest notches, by ascending frequency.
  private(set) var powers = InlineArray<24, Float>(repeating: 0)
  private(set) var first = InlineArray<24, Float>(repeating: 0)
  /// The mean level in five bands, by ascending frequency.
  private(set) var bands = InlineArray<5, Float>(repeating: 0)

  /// The supported numbers of differences, and the unit of all of them.
  static let lengths = [48, 64, 96, 128]
  static let step = 16

  private static let tapers = 3
  /// Size of the frequency dimension: a multiple of the eight lanes of a vector.
  private static let width = 24

  /// Computes the spectrum.
  /// - Parameters:
  ///   - differences: Successive differences in ms, newest first. Their number is one of ``lengths``.
  ///   - meanInterval: The mean interval in ms.
  init(_ differences: Span<Float>, meanInterval: Float) {
    count = differences.count
    length = .log(Float(count) / 64)
    interval = .log(max(1, meanInterval))
    for taper in 0..<Self.tapers { append(taper, of: differences) }
    for place in Self.frequencies.indices { powers[place] /= Float(Self.tapers) }
    setBands()
  }

  /// The logarithm of a power. The constant limits the effect of chance in deep notches.
  static func level(_ power: Float) -> Float { .log(power + 0.3) }

  private mutating func setBands() {
    for (band, places) in Self.places.enumerated() {
      var sum: Float = 0
      for place in places { sum += Self.level(powers[place]) }
      bands[band] = sum / Float(places.count)
    }
  }

  /// Whether the highest frequency has the largest power of differences, as in alternating intervals. This excludes a
  /// moving average.
  var alternates: Bool {
    var (slower, fastest) = (-Float.infinity, -Float.infinity)
    for place in Self.frequencies.indices {
      let power = powers[place] * Self.scales[place]
      if Self.frequencies[place] <= 0.375 {
        slower = max(slower, power)
      } else {
        fastest = max(fastest, power)
      }
    }
    return fastest >= slower
  }

  /// Adds one taper. With the phase relative to the centre, the real part of an even taper depends only on
  /// the sums of values at equal distances from the centre, and the imaginary part only on their differences;
  /// for an odd taper the reverse holds.
  private mutating func append(_ taper: Int, of differences: Span<Float>) {
    var real = InlineArray<64, Float>(repeating: 0)
    var imaginary = InlineArray<64, Float>(repeating: 0)
    let half = count / 2
    let weights = Self.weights[count / Self.step]
    for place in 0..<half {
      let (newer, older) = (differences[place], differences[count - 1 - place])
      let weight = weights[taper * half + place]
      let (sum, difference) = (weight * (newer + older), weight * (newer - older))
      real[half - 1 - place] = taper % 2 == 0 ? sum : difference
      imaginary[half - 1 - place] = taper % 2 == 0 ? difference : sum
    }
    for block in 0..<Self.width / 8 {
      var (cosines, sines) = (SIMD8<Float>(), SIMD8<Float>())
      let waves = Self.waves[block]
      for distance in 0..<half {
        cosines += waves[distance].cosine * real[unchecked: distance]
        sines += waves[distance].sine * imaginary[unchecked: distance]
      }
      let power = cosines * cosines + sines * sines
      for lane in power.indices {
        let place = block * 8 + lane
        let value = power[lane] / Self.scales[place]
        powers[place] += value
        if taper == 0 { first[place] = value }
      }
    }
  }

  /// The frequencies in cycles per beat, ascending: all distinct j / 2k up to 1/2 for k from 2 to 8 (22
  /// values).
  static let frequencies: [Double] = {
    let all = (2...8).flatMap { k in (1...k).map { Double($0) / Double(2 * k) } }.sorted()
    return all.enumerated().filter { $0 == 0 || $1 - all[$0 - 1] > 1e-9 }.map(\.element)
  }()

  /// The power of differences in ms^2 at each frequency that the error of rounding intervals to 1/1024 s causes: its variance
  /// is a twelfth of the square of the unit. 1 where there is no frequency.
  private static let scales: [Float] = {
    let rounding = (1000.0 / 1024) * (1000.0 / 1024) / 12
    let found = frequencies.map { Float(4 * Double.sin(.pi * $0) * Double.sin(.pi * $0) * rounding) }
    return found + Array(repeating: 1, count: width - found.count)
  }()

  /// The indices of the frequencies of each band.
  private static let places: [Range<Int>] = {
    let ends = [0.12, 0.2, 0.3, 0.4, 0.51].map { end in frequencies.count { $0 < end - 1e-9 } }
    return zip([0] + ends, ends).map { $0..<$1 }
  }()

  /// Returns the index of a fraction in ``frequencies``. Above 1/2 the spectrum is symmetric.
  static func place(_ numerator: Int, over denominator: Int) -> Int {
    let frequency = Double(min(numerator, denominator - numerator)) / Double(denominator)
    return frequencies.firstIndex { abs($0 - frequency) < 1e-9 } ?? 0
  }

  /// For each block of eight frequencies, their cosines and sines from the centre.
  private static let waves: [[(cosine: SIMD8<Float>, sine: SIMD8<Float>)]] = (0..<width / 8).map { block in
    (0..<RecentDifferences.capacity / 2).map { distance in
      var (cosine, sine) = (SIMD8<Float>(), SIMD8<Float>())
      for (lane, frequency) in frequencies.dropFirst(8 * block).prefix(8).enumerated() {
        let angle = 2 * .pi * frequency * (Double(distance) + 0.5)
        cosine[lane] = Float(Double.cos(angle))
        sine[lane] = Float(Double.sin(angle))
      }
      return (cosine, sine)
    }
  }

  /// For each number of differences, the newer half of each taper, normalised to unit energy.
  private static let weights: [[Float]] = (0...RecentDifferences.capacity / step).map { steps in
    (1...tapers).flatMap { taper in
      (0..<steps * step / 2).map { place in
        let ends = Double(steps * step + 1)
        return Float((2 / ends).squareRoot() * Double.sin(.pi * Double(taper * (place + 1)) / ends))
      }
    }
  }
}
