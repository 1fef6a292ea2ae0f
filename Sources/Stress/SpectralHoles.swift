import HeartRate
import RealModule

/// Holes in the spectrum of successive differences at the frequencies at which the mean of k neighbours has no power,
/// j / k cycles per beat, whatever the power beside them: they betray the averages of a heart with much HRV.
///
/// - depth is the logarithm of the power at the holes of the k that fits best (3 to 8), relative to the weaker of both
///   sides of each, over the last 256 differences;
/// - it counts only where there is less noise than at rest: the white noise that would give the fourth differences is
///   1.3 % of the mean interval and more there, in recordings of straps and Holters.
///
/// Above 65 bpm both are small while walking, and chance makes holes: nothing is decided there.
struct SpectralHoles: Sendable {
  private var count = 0
  /// The last 256 differences in ms, newest first from `head` on; held twice, so that they lie in one stretch.
  private var history = InlineArray<512, Float>(repeating: 0)
  private var head = 0
  /// The last four differences, newest first, and decayed sums of their products with the newest of then.
  private var recent = SIMD4<Float>()
  private var products = SIMD4<Float>()
  /// Decayed sums of 1 and of intervals in ms.
  private var sums = SIMD2<Float>()

  private static let kept = 256
  private static let lags = 48
  private static let fewest = 40
  private static let memory: Float = 1 - 1 / 128
  private static let millisecondsPerTick = 1 / Float(RRInterval.ticksPerMillisecond)

  /// Takes an interval and the one before it, in ticks. A jump of more than a fifth is an artefact, and passes
  /// for no change.
  mutating func append(_ rr: Int64, after previous: Int64) {
    let milliseconds = Float(rr) * Self.millisecondsPerTick
    let isJump = 5 * abs(rr - previous) > min(rr, previous)
    let difference = isJump ? 0 : Float(rr - previous) * Self.millisecondsPerTick
    recent = SIMD4(difference, recent.x, recent.y, recent.z)
    products = products * Self.memory + recent * difference
    sums = sums * Self.memory + SIMD2(1, milliseconds)
    head = (head &- 1) & (Self.kept - 1)
    history[unchecked: head] = difference
    history[unchecked: head + Self.kept] = difference
    count += 1
  }

  /// Whether there are such holes. What was found before holds on until the opposite is plain.
  func areThere(before: Bool) -> Bool {
    guard count >= Self.fewest else { return false }
    let mean = sums.y / sums.x
    guard mean > 920, products[0] > 0 else { return false }
    guard whiteNoise < 0.0085 * mean else { return false }
    return depth < (before ? -1 : requiredDepth)
  }

  /// 40 differences show holes by chance, the more so beside the tall peak of slow breathing: only deep ones count.
  /// From 150 on shallower ones do.
  private var requiredDepth: Float {
    let evidence = min(1, Float(count - Self.fewest) / 110)
    return isSlow ? -3.5 + 1.7 * evidence : -2.2 + 0.7 * evidence
  }

  /// Whether slow waves prevail in the differences, as in breathing six times a minute.
  private var isSlow: Bool { products[1] > 0.5 * products[0] }

  /// Standard deviation in ms of the white noise that gives the fourth differences of the intervals.
  private var whiteNoise: Float {
    let power = 20 * products[0] - 30 * products[1] + 12 * products[2] - 2 * products[3]
    return (max(0, power) / sums.x / 70).squareRoot()
  }

  /// Of the deepest comb of holes. Some microseconds of work.
  private var depth: Float {
    var power = SIMD32<Float>()
    let products = laggedProducts
    for lag in 0..<Self.lags { power += Comb.weights[lag] * products[lag] }
    var deepest = Float.infinity
    for comb in Comb.all {
      var holes: Float = 0
      var sides: Float = 0
      for hole in comb.holes {
        holes += max(0, power[hole.place])
        sides += max(0, min(power[hole.before], power[hole.after]))
      }
      deepest = min(deepest, (holes + 0.001) / (sides + 0.001))
    }
    return Float.log(deepest)
  }

  /// Sums of products of differences that are 0 to 47 beats apart. Unchecked, so that they are done four at a time:
  /// `head` is below 256, and so is what is added to it.
  private var laggedProducts: InlineArray<48, Float> {
    var products = InlineArray<48, Float>(repeating: 0)
    for newer in 0..<min(count, Self.kept - Self.lags) {
      let difference = history[unchecked: head &+ newer]
      for lag in 0..<Self.lags {
        products[unchecked: lag] += difference * history[unchecked: head &+ newer &+ lag]
      }
    }
    return products
  }
}

/// The frequencies at which the mean of k neighbours has no power, with those halfway to the next on either side.
private struct Comb {
  /// Places of a hole and of its sides in ``frequencies``.
  struct Hole {
    var place, before, after: Int
  }

  var holes: [Hole]

  static let all = (3...8).map { Comb(mean: $0) }

  /// Weights of 48 products for the power at each of the frequencies: what the mean of the periodograms of 48 differences
  /// under a Hann window amounts to, up to a constant.
  static let weights: [SIMD32<Float>] = (0..<48).map { lag in
    var row = SIMD32<Float>()
    for (place, frequency) in frequencies.enumerated() {
      let cosine = Double.cos(
        2 * .pi * Double(lag) * Double(frequency.numerator) / Double(frequency.denominator))
      row[place] = Float((lag == 0 ? 1 : 2) * window(lag) * cosine)
    }
    return row
  }

  private struct Frequency: Equatable {
    var numerator, denominator: Int

    static func == (a: Frequency, b: Frequency) -> Bool {
      a.numerator * b.denominator == b.numerator * a.denominator
    }
  }

  /// All n / 2k up to 1/2 for k from 3 to 8, each once: 22 of them.
  private static let frequencies: [Frequency] = {
    var all: [Frequency] = []
    for k in 3...8 {
      for numerator in 1...k where !all.contains(Frequency(numerator: numerator, denominator: 2 * k)) {
        all.append(Frequency(numerator: numerator, denominator: 2 * k))
      }
    }
    return all
  }()

  private init(mean k: Int) {
    holes = (1...k / 2).map { j in
      // Above 1/2 the spectrum is its own mirror image.
      let after = 2 * j + 1 > k ? 2 * k - 2 * j - 1 : 2 * j + 1
      return Hole(place: Self.place(2 * j, k), before: Self.place(2 * j - 1, k), after: Self.place(after, k))
    }
  }

  private static func place(_ numerator: Int, _ k: Int) -> Int {
    frequencies.firstIndex(of: Frequency(numerator: numerator, denominator: 2 * k)) ?? 0
  }

  /// The Hann window's correlation with itself.
  private static func window(_ lag: Int) -> Double {
    let hann = (1...48).map { 0.5 - 0.5 * Double.cos(2 * .pi * Double($0) / 49) }
    return zip(hann, hann.dropFirst(lag)).reduce(0) { $0 + $1.0 * $1.1 }
  }
}
