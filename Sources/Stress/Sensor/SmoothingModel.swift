import RealModule

/// A logistic model that separates the spectrum of averages from that of beat-to-beat intervals.
///
/// The features are those of Research/smoothing/features.py, in the same order; Research/smoothing/run fits the weights.
struct SmoothingModel: Sendable {
  /// A frequency at which the moving average has no power, the frequencies halfway to the next notch on each side, and its
  /// weight.
  private struct Notch: Sendable {
    var place, before, after: Int
    var weight: Float
  }

  private let notches: [Notch]
  /// For each length of a window in steps, the fraction of the power beside a notch that appears in it.
  private let leakage: [Float]
  private let start: Float
  private let weights: [Float]

  /// A model for the mean of k neighbours.
  init(meanOf k: Int, start: Float, weights: [Float]) {
    let all = (1...k / 2).map { Float(2 * $0 == k ? 1 : 2) }
    let total = all.reduce(0, +)
    notches = all.enumerated().map { index, weight in
      let middle = 2 * (index + 1)
      func place(_ numerator: Int) -> Int { MultitaperSpectrum.place(numerator, over: 2 * k) }
      return Notch(
        place: place(middle), before: place(middle - 1), after: place(middle + 1), weight: weight / total)
    }
    leakage = (0...RecentDifferences.capacity / MultitaperSpectrum.step).map { steps in
      let ratio = Float(RecentDifferences.capacity) / Float(max(1, steps) * MultitaperSpectrum.step)
      return Self.leakage[k] * .pow(ratio, 2.2)
    }
    (self.start, self.weights) = (start, weights)
  }

  /// The leakage of each k for 128 differences.
  private static let leakage: [Float] = [0, 0, 0.001, 0.004, 0.007, 0.008, 0.016, 0.020, 0.029]

  /// Returns the log odds that the intervals are averages.
  func logOdds(_ spectrum: borrowing MultitaperSpectrum) -> Float {
    var sum = Accumulator(start: start, weights: weights)
    addNotches(spectrum, to: &sum)
    sum.add(spectrum.interval)
    sum.add(spectrum.length)
    return sum.value
  }

  private func addNotches(_ spectrum: borrowing MultitaperSpectrum, to sum: inout Accumulator) {
    var (notch, first, side, least, highest) = (Float(), Float(), Float(), Float.infinity, Float())
    for one in notches {
      let power = spectrum.powers[one.place]
      let (before, after) = (spectrum.powers[one.before], spectrum.powers[one.after])
      notch += one.weight * power
      first += one.weight * spectrum.first[one.place]
      side += (before * after).squareRoot()
      least = min(least, before, after)
      highest = max(highest, power)
    }
    side /= Float(notches.count)
    let leakage = leakage[spectrum.count / MultitaperSpectrum.step]
    let (notchLevel, sideLevel) = (Self.level(notch), Self.level(side))
    let expected = Float.log(1 + leakage * side)
    let (depth, excess) = (notchLevel - sideLevel, notchLevel - expected)
    let above = max(excess, 0)
    sum.add(notchLevel)
    sum.add(Self.level(first))
    sum.add(sideLevel)
    sum.add(Self.level(least))
    sum.add(excess)
    sum.add(notchLevel - .log(1 + leakage * least))
    sum.add(Self.level(highest) - expected)
    sum.add(depth)
    sum.add(above * above)
    sum.add(max(excess - 1.5, 0))
    sum.add(depth * depth)
    sum.add(excess * depth)
    sum.add(notchLevel * notchLevel)
    sum.add(sideLevel * sideLevel)
    for band in spectrum.bands.indices { sum.add(spectrum.bands[band]) }
  }

  private static func level(_ power: Float) -> Float { MultitaperSpectrum.level(power) }
}

/// The sum of features, each multiplied by the next weight.
private struct Accumulator {
  private(set) var value: Float
  private let weights: [Float]
  private var place = 0

  init(start: Float, weights: [Float]) { (value, self.weights) = (start, weights) }

  mutating func add(_ feature: Float) {
    value += weights[place] * feature
    place += 1
  }
}
