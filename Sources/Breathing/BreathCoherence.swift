import RealModule

/// The coherence of heart rate with paced breathing: the fraction of the variance of NN intervals that is
/// periodic with the pacer.
///
/// The beats are divided into blocks of complete cycles, about a minute each, and a quadratic trend is
/// removed from each block. Coherence is the fraction of the remaining variance explained by the pacing
/// frequency and its harmonics up to the third, below 0.4 Hz: 1 if every breath has the same effect, 0
/// without periodicity. It is the adjusted R^2 of a regression on the pacer's phase; the adjustment for the
/// number of terms makes the expected value for noise 0. docs/design/breathing.md compares it with the spectral
/// coherence ratio (McCraty & Shaffer 2015).
package struct BreathCoherence: Equatable, Sendable {
  /// Coherence, 0 to 1.
  package let value: Double
  /// Amplitude of the intervals at the pacing frequency in ms: half of the peak-to-trough difference.
  package let amplitude: Double

  /// Minimum number of cycles per block.
  package static let fewestCycles = 3
  /// Minimum duration of a block in seconds.
  package static let shortest = 30.0
  /// Minimum number of normal beats per block.
  package static let fewestBeats = 20

  /// Computes the coherence. Fails if the stretches contain no complete block.
  package init?(_ stretches: some Sequence<PacedBeats>) {
    var fits: [PacedFit] = []
    for stretch in stretches {
      let cycle = stretch.pattern.cycleSeconds
      // Shorter blocks are accepted at the end of a stretch and in live use.
      let most = max(Self.fewestCycles, Int((60 / cycle).rounded()))
      let least = max(Self.fewestCycles, Int((Self.shortest / cycle).rounded(.up)))
      let there = Int((stretch.samples.last?.cycles ?? 0) + 0.1)
      let blocks = stretch.blocks(of: max(least, min(most, there)))
      fits += blocks.compactMap { Self.fit($0, cycle) }
    }
    guard !fits.isEmpty else { return nil }
    func variance(_ part: (PacedFit) -> (squares: Double, freedom: Int)) -> Double {
      let sums = fits.map(part).reduce((0.0, 0)) { ($0.0 + $1.squares, $0.1 + $1.freedom) }
      return sums.0 / Double(sums.1)
    }
    let (all, left) = (variance(\.trend), variance(\.rhythm))
    // A variance below 1e-6 ms^2 is rounding error.
    value = all > 1e-6 ? min(max(0, 1 - left / all), 1) : 0
    amplitude =
      fits.reduce(0) { $0 + ($1.cosine * $1.cosine + $1.sine * $1.sine).squareRoot() } / Double(fits.count)
  }

  private static func fit(_ block: ArraySlice<PacedBeats.Sample>, _ cycle: Double) -> PacedFit? {
    guard block.count >= fewestBeats else { return nil }
    let harmonics = min(3, max(1, Int(0.4 * cycle)))
    return PacedFit(block, harmonics: harmonics, trendDegree: 2)
  }
}
