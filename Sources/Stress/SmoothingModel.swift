/// A logistic model that separates the spectrum of a moving average of k intervals from that of beat-to-beat
/// intervals.
///
/// The score is the log odds of a penalised logistic regression minus a threshold slightly above the highest
/// score of any beat-to-beat recording: of the training set for slow heart rates, and by cross-validation for
/// fast heart rates, of which there are few recordings. A score above 0 therefore indicates averaging.
/// Benchmarks/smoothing_weights.py fits the models; docs/design/confidence.md lists their accuracy.
struct SmoothingModel: Sendable {
  /// A frequency at which the moving average has no power, the frequencies halfway to the next notch on each
  /// side, and its weight.
  private struct Notch: Sendable {
    var place, before, after: Int
    var weight: Float
  }

  private let notches: [Notch]
  /// The intercept for each of ``stages``: chance variation depends on the number of differences.
  private let starts: [Float]
  /// Weights of the logarithms of the mean interval and of the number of differences.
  private let interval, length: Float
  /// Weights of the level in six bands, by ascending frequency.
  private let bands: [Float]
  /// Weights of the depth of the notches for each taper, and their increments with the number of differences.
  private let depths, grown: [Float]

  /// The maximum number of differences of each stage except the last.
  private static let stages = [40, 44, 48, 52, 56, 60, 64, 72, 80]

  init(
    meanOf k: Int, starts: [Float], interval: Float, length: Float,
    bands: [Float], depths: [Float], grown: [Float]
  ) {
    let weights = (1...k / 2).map { Float(2 * $0 == k ? 1 : 2) }
    let all = weights.reduce(0, +)
    notches = weights.enumerated().map { index, weight in
      let middle = 2 * (index + 1)
      func place(_ numerator: Int) -> Int { MultitaperSpectrum.place(numerator, over: 2 * k) }
      return Notch(
        place: place(middle), before: place(middle - 1), after: place(middle + 1), weight: weight / all)
    }
    (self.starts, self.interval, self.length) = (starts, interval, length)
    (self.bands, self.depths, self.grown) = (bands, depths, grown)
  }

  /// Returns the score; above 0 for a moving average.
  func score(_ spectrum: borrowing MultitaperSpectrum) -> Float {
    let count = spectrum.count
    var score = starts[Self.stages.count { count > $0 }]
    score += interval * spectrum.interval + length * spectrum.length
    for (weight, band) in zip(bands, Self.places) {
      var level: Float = 0
      for place in band { level += spectrum.shape[place] }
      score += weight * level / Float(band.count)
    }
    for taper in depths.indices {
      score += (depths[taper] + grown[taper] * spectrum.length) * depth(taper, spectrum)
    }
    return score
  }

  /// Returns the logarithm of the power in the notches relative to the power beside them.
  private func depth(_ taper: Int, _ spectrum: borrowing MultitaperSpectrum) -> Float {
    var depth: Float = 0
    for notch in notches {
      let sides = (spectrum.shape[notch.before] + spectrum.shape[notch.after]) / 2
      depth += notch.weight * (spectrum.logarithm(taper: taper, place: notch.place) - sides)
    }
    return depth
  }

  /// The indices of the frequencies of each band.
  private static let places: [Range<Int>] = {
    let ends = [0.11, 0.19, 0.26, 0.34, 0.42, 0.51].map { end in
      MultitaperSpectrum.frequencies.count { $0 < end }
    }
    return zip([0] + ends, ends).map { $0..<$1 }
  }()
}
