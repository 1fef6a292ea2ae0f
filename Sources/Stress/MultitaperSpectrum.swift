import RealModule

/// The spectrum of the newest successive differences by sine tapers (Riedel and Sidorenko 1995), at the frequencies at
/// which means of 2 to 8 neighbours have no power, and halfway between those.
///
/// One spectrum for each taper, because they see notches differently: the first one the deepest, the others wider
/// and with other noise.
struct MultitaperSpectrum: Sendable {
  /// Differences it was made from.
  let count: Int
  /// Logarithm of `count` / 64.
  let length: Float
  /// Logarithm of the mean interval, in ms.
  let interval: Float
  /// In ms^2: those of the first taper at each frequency, then those of the next.
  private var powers = InlineArray<144, Float>(repeating: 0)
  /// Logarithms of the mean over five tapers.
  private(set) var shape = InlineArray<24, Float>(repeating: 0)

  /// Looks differ by multiples of so many differences.
  static let step = 4

  private static let tapers = 6
  private static let shapeTapers = 5
  /// Of places for frequencies; a multiple of the eight that are done at a time.
  private static let width = 24
  /// In ms^2: about what rounding to 1/1024 s puts into differences.
  private static let noise: Float = 0.05

  /// - Parameter count: How many of `recent` to look at: a multiple of ``step``, and at most all that it keeps.
  init(_ recent: borrowing RecentDifferences, count: Int) {
    self.count = count
    length = .log(Float(count) / 64)
    interval = .log(max(1, recent.meanInterval(of: count)))
    for taper in 0..<Self.tapers { append(taper, of: recent) }
    for place in Self.frequencies.indices {
      let sum = (0..<Self.shapeTapers).reduce(Float(0)) { $0 + powers[$1 * Self.width + place] }
      shape[place] = .log(sum / Float(Self.shapeTapers) + Self.noise)
    }
  }

  /// Logarithm of the power that a taper has at a frequency; the first taper is 0.
  func logarithm(taper: Int, place: Int) -> Float {
    .log(powers[taper * Self.width + place] + Self.noise)
  }

  /// Whether no wave is taller than the fastest, as where beats alternate. No average is like that.
  var alternates: Bool {
    var (slower, fastest) = (-Float.infinity, -Float.infinity)
    for place in Self.frequencies.indices {
      if Self.frequencies[place] <= 0.375 {
        slower = max(slower, shape[place])
      } else {
        fastest = max(fastest, shape[place])
      }
    }
    return fastest >= slower
  }

  /// With the phase taken from the middle, the real part of an even taper is a matter of the sums of the two at each
  /// distance from there and the imaginary part one of their differences; that of an odd one the reverse.
  private mutating func append(_ taper: Int, of recent: borrowing RecentDifferences) {
    var real = InlineArray<64, Float>(repeating: 0)
    var imaginary = InlineArray<64, Float>(repeating: 0)
    let half = count / 2
    let weights = Self.weights[count / Self.step]
    for place in 0..<half {
      let (newer, older) = (recent[place], recent[count - 1 - place])
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
      for lane in power.indices { powers[taper * Self.width + block * 8 + lane] = power[lane] }
    }
  }

  /// In cycles per beat, ascending: all j / 2k up to 1/2 for k from 2 to 8, each once; 22 of them.
  static let frequencies: [Double] = {
    let all = (2...8).flatMap { k in (1...k).map { Double($0) / Double(2 * k) } }.sorted()
    return all.enumerated().filter { $0 == 0 || $1 - all[$0 - 1] > 1e-9 }.map(\.element)
  }()

  /// Where in ``frequencies`` a fraction is. Above 1/2 the spectrum is its own mirror image.
  static func place(_ numerator: Int, over denominator: Int) -> Int {
    let frequency = Double(min(numerator, denominator - numerator)) / Double(denominator)
    return frequencies.firstIndex { abs($0 - frequency) < 1e-9 } ?? 0
  }

  /// For each block of eight frequencies, their waves from the middle on.
  private static let waves: [[(cosine: SIMD8<Float>, sine: SIMD8<Float>)]] = (0..<width / 8).map { block in
    (0..<RecentDifferences.kept / 2).map { distance in
      var (cosine, sine) = (SIMD8<Float>(), SIMD8<Float>())
      for (lane, frequency) in frequencies.dropFirst(8 * block).prefix(8).enumerated() {
        let angle = 2 * .pi * frequency * (Double(distance) + 0.5)
        cosine[lane] = Float(Double.cos(angle))
        sine[lane] = Float(Double.sin(angle))
      }
      return (cosine, sine)
    }
  }

  /// For each number of differences, the newer half of one taper after the other; of unit energy.
  private static let weights: [[Float]] = (0...RecentDifferences.kept / step).map { steps in
    (1...tapers).flatMap { taper in
      (0..<steps * step / 2).map { place in
        let ends = Double(steps * step + 1)
        return Float((2 / ends).squareRoot() * Double.sin(.pi * Double(taper * (place + 1)) / ends))
      }
    }
  }
}
