import HRV
import RealModule

/// The breathing rate at which the heart swings furthest, from stretches of breathing at several rates.
///
/// For each stretch the amplitude of respiratory sinus arrhythmia at the pacing frequency is taken: its first 20 s are
/// left out, blocks of two cycles are fitted with a line and the pacing frequency, and the blocks' phasors are averaged,
/// so that what does not keep step with the pacer averages out. The amplitudes are fitted with the curve of a resonance,
/// c (0.2 + 0.8 / (1 + ((rate - peak) / width)^2)), by weighted least squares: far from its resonance the heart still
/// follows the breath a little. The 95 % interval of the peak holds every peak whose
/// best curve fits no worse than chance allows (the profile of the squares, with Student's t).
public struct ResonanceEstimate: Equatable, Sendable {
  /// What one stretch came to.
  public struct Step: Equatable, Sendable {
    /// Breaths per minute.
    public let rate: Double
    /// Amplitude of the intervals at that rate in ms, half of the whole swing.
    public let amplitude: Double
    /// Standard error of the amplitude in ms.
    public let error: Double
    /// Blocks of two cycles that it comes from.
    public let blocks: Int
  }

  /// Why no rate is given.
  public enum Reason: Error, Equatable, Sendable {
    /// There are too few rates with enough normal beats.
    case tooFewSteps(found: Int, needed: Int)
    /// The curve is highest outside of the rates that were tried.
    case outside(ClosedRange<Double>)
    /// No peak stands out: the interval is as wide as the rates that were tried.
    case flat
  }

  /// One for each stretch from which an amplitude could be taken.
  public let steps: [Step]
  /// Breaths per minute, with its 95 % interval; or why there is none.
  public let rate: Result<(value: Double, low: Double, high: Double), Reason>

  /// Fewest rates from which a resonance is told.
  public static let fewestSteps = 4
  /// How much amplitudes vary from one stretch to another whatever the rate, as a share of the largest: attention and
  /// depth of breath drift over minutes. Known about as well as from eight stretches.
  static let wander = 0.08
  static let wanderFreedom = 8.0
  /// What is left out at the beginning of a stretch, in s.
  static let settling = 20.0

  /// - Parameter stretches: one for each rate, in any order.
  public init(_ stretches: [PacedBeats]) {
    steps = Self.steps(stretches)
    rate = Result { [steps] () throws(Reason) in try Self.peak(steps) }
  }

  public static func == (a: Self, b: Self) -> Bool {
    guard a.steps == b.steps else { return false }
    switch (a.rate, b.rate) {
    case (.success(let a), .success(let b)): return a == b
    case (.failure(let a), .failure(let b)): return a == b
    default: return false
    }
  }

  // MARK: Amplitudes

  private static func steps(_ stretches: [PacedBeats]) -> [Step] {
    let phasors = stretches.map(Self.phasors)
    let pooled = pooledVariance(phasors)
    return zip(stretches, phasors).compactMap { stretch, phasors in
      guard phasors.count >= 2, let pooled else { return nil }
      let mean = phasors.reduce(SIMD2.zero, +) / Double(phasors.count)
      return Step(
        rate: stretch.pattern.rate, amplitude: (mean * mean).sum().squareRoot(),
        error: (pooled / Double(phasors.count)).squareRoot(), blocks: phasors.count)
    }
  }

  private static func phasors(_ stretch: PacedBeats) -> [SIMD2<Double>] {
    let skipped = (settling / stretch.pattern.cycleSeconds).rounded(.up)
    return stretch.blocks(of: 2, after: skipped).compactMap { block in
      guard block.count >= 10, let fit = PacedFit(block, harmonics: 1, trendDegree: 1) else { return nil }
      return SIMD2(fit.cosine, fit.sine)
    }
  }

  /// Of one block, in each of its two directions; taken to be the same in all stretches.
  private static func pooledVariance(_ phasors: [[SIMD2<Double>]]) -> Double? {
    var (squares, freedom) = (0.0, 0)
    for stretch in phasors where stretch.count >= 2 {
      let mean = stretch.reduce(SIMD2.zero, +) / Double(stretch.count)
      squares += stretch.reduce(0) { $0 + (($1 - mean) * ($1 - mean)).sum() }
      freedom += 2 * (stretch.count - 1)
    }
    return freedom > 0 ? squares / Double(freedom) : nil
  }

  // MARK: Peak

  private static func peak(
    _ steps: [Step]
  ) throws(Reason) -> (value: Double, low: Double, high: Double) {
    guard steps.count >= fewestSteps, let slowest = steps.map(\.rate).min(),
      let fastest = steps.map(\.rate).max(), let largest = steps.map(\.amplitude).max(), largest > 0
    else { throw .tooFewSteps(found: steps.count, needed: fewestSteps) }
    let curve = ResonanceCurve(
      steps.map { ($0.rate, $0.amplitude, $0.error * $0.error + wander * wander * largest * largest) })
    let peaks = Array(stride(from: slowest - 2, through: fastest + 2, by: 0.01))
    let misfits = peaks.map(curve.misfit)
    guard let best = misfits.indices.min(by: { misfits[$0] < misfits[$1] }) else { throw .flat }
    let freedom = Double(steps.count - 3) + wanderFreedom
    let scale = (misfits[best] + wanderFreedom) / freedom
    let t = StudentT.quantile95(degreesOfFreedom: freedom)
    let allowed = misfits.indices.filter { misfits[$0] <= misfits[best] + t * t * scale }
    let (low, high) = (peaks[allowed.first ?? best], peaks[allowed.last ?? best])
    guard low > slowest - 0.5 || high < fastest + 0.5 else { throw .flat }
    guard (slowest...fastest).contains(peaks[best]) else { throw .outside(slowest...fastest) }
    return (peaks[best], low, high)
  }
}

/// Curves of a resonance against amplitudes at some rates.
private struct ResonanceCurve {
  private let points: [(rate: Double, amplitude: Double, variance: Double)]
  /// From narrower than any step to wider than all of them, in breaths per minute.
  private static let widths = (0...20).map { Double.exp(-0.7 + 0.1 * Double($0)) }

  /// What is left of the swing far from resonance.
  private static let floor = 0.2

  init(_ points: [(rate: Double, amplitude: Double, variance: Double)]) { self.points = points }

  /// The weighted squares that the best curve with its peak there leaves.
  func misfit(peak: Double) -> Double {
    Self.widths.lazy.map { misfit(peak, $0) }.min() ?? .infinity
  }

  private func misfit(_ peak: Double, _ width: Double) -> Double {
    var (gg, ga, aa) = (0.0, 0.0, 0.0)
    for point in points {
      let x = (point.rate - peak) / width
      let gain = Self.floor + (1 - Self.floor) / (1 + x * x)
      gg += gain * gain / point.variance
      ga += gain * point.amplitude / point.variance
      aa += point.amplitude * point.amplitude / point.variance
    }
    return max(0, aa - ga * ga / gg)
  }
}
