/// How much the spectrum of successive differences looks like that of the mean of so many neighbours, and how little like a
/// heart's.
///
/// The logarithm of the odds that penalised logistic regression learns, less somewhat more than the highest that hearts
/// reach: of slow ones those that it was learned from, of fast ones, of which there are few, each in a model that does not
/// know it. Above 0 no heart was seen. Benchmarks/smoothing_weights.py makes them; docs/confidence.md says what they find.
struct SmoothingModel: Sendable {
  /// A frequency at which the mean has no power, those halfway to the next on either side, and what it counts.
  private struct Notch: Sendable {
    var place, before, after: Int
    var weight: Float
  }

  private let notches: [Notch]
  /// What a spectrum starts from, for each of ``stages``: what chance has to say differs with the number of differences.
  private let starts: [Float]
  /// Weights of the logarithms of the mean interval and of the number of differences.
  private let interval, length: Float
  /// Weights of the level in six bands, from the slowest waves to the fastest.
  private let bands: [Float]
  /// Weights of how deep each taper sees the notches, and what each grows by with the number of differences.
  private let depths, grown: [Float]

  /// The most differences of each stage but the last.
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

  /// Above 0 where no heart was seen.
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

  /// Logarithm of the power in the notches, relative to that beside them.
  private func depth(_ taper: Int, _ spectrum: borrowing MultitaperSpectrum) -> Float {
    var depth: Float = 0
    for notch in notches {
      let sides = (spectrum.shape[notch.before] + spectrum.shape[notch.after]) / 2
      depth += notch.weight * (spectrum.logarithm(taper: taper, place: notch.place) - sides)
    }
    return depth
  }

  /// The frequencies of each band.
  private static let places: [Range<Int>] = {
    let ends = [0.11, 0.19, 0.26, 0.34, 0.42, 0.51].map { end in
      MultitaperSpectrum.frequencies.count { $0 < end }
    }
    return zip([0] + ends, ends).map { $0..<$1 }
  }()
}
