import RealModule

/// How well the heart follows the breath: the share of the variation of NN intervals that repeats with the pacer.
///
/// In blocks of whole cycles, about a minute each, drift (a parabola) is taken off; the coherence is the share of the
/// variance that is left which the pacing frequency and its multiples up to three, below 0.4 Hz, explain: 1 where every
/// breath gives the same, 0 where nothing repeats. It is the R^2 of a regression on the pacer's cycle, adjusted for its
/// number of terms, so that noise comes to 0 and not to what chance explains. docs/breathing.md says how it relates to
/// the coherence ratio of spectra (McCraty & Shaffer 2015).
public struct BreathCoherence: Equatable, Sendable {
  /// 0 to 1.
  public let value: Double
  /// Amplitude of the intervals at the pacing frequency in ms: half of what lies between the longest and the shortest.
  public let amplitude: Double

  /// Fewest cycles of a block.
  public static let fewestCycles = 3
  /// Fewest seconds of a block.
  public static let shortest = 30.0
  /// Fewest normal beats of a block.
  public static let fewestBeats = 20

  /// Nil where the stretches hold no whole block.
  public init?(_ stretches: some Sequence<PacedBeats>) {
    var fits: [PacedFit] = []
    for stretch in stretches {
      let cycle = stretch.pattern.cycleSeconds
      // At the end of a stretch, or live, less than a minute is better than nothing.
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
    // A millionth of a ms^2 is rounding.
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
