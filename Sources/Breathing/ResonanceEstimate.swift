import HRV
import RealModule

/// Estimates the resonance frequency: the breathing rate with the largest heart rate oscillation, from
/// periods of breathing at several rates.
///
/// For each rate, the amplitude of respiratory sinus arrhythmia at the pacing frequency is estimated: the
/// first 20 s are omitted, each block of two cycles is fitted with a linear trend and the pacing frequency,
/// and the phasors of the blocks are averaged, which attenuates oscillations that are not synchronous with
/// the pacer. The amplitudes are fitted with the resonance curve c (0.2 + 0.8 / (1 + ((rate - peak) /
/// width)^2)) by weighted least squares; the constant 0.2 represents the response far from resonance. The 95
/// % interval of the peak is a profile likelihood interval with Student's t, limited to the tested rates.
package struct ResonanceEstimate: Equatable, Sendable {
  /// The result for one rate.
  package struct Step: Equatable, Sendable {
    /// Breaths per minute.
    package let rate: Double
    /// Amplitude of the intervals at that rate in ms: half of the peak-to-trough difference.
    package let amplitude: Double
    /// Standard error of the amplitude in ms.
    package let error: Double
    /// Number of blocks of two cycles.
    package let blocks: Int
  }

  /// The resonance with its 95 % interval, in breaths per minute.
  package struct Peak: Equatable, Sendable {
    package let value: Double
    /// Lower end of the interval; not below the slowest tested rate.
    package let low: Double
    /// Upper end of the interval; not above the fastest tested rate.
    package let high: Double
    /// Whether rates slower than the slowest tested rate fit the amplitudes too.
    package let reachesSlowest: Bool
    /// Whether rates faster than the fastest tested rate fit the amplitudes too.
    package let reachesFastest: Bool

    /// Limits the interval `low...high` of peaks that fit to the rates that were `tried`.
    init(_ value: Double, low: Double, high: Double, tried: ClosedRange<Double>) {
      self.value = value
      self.low = max(low, tried.lowerBound)
      self.high = min(high, tried.upperBound)
      reachesSlowest = low < tried.lowerBound
      reachesFastest = high > tried.upperBound
    }
  }

  /// The reason why no rate is given.
  package enum Reason: Error, Equatable, Sendable {
    /// Too few rates have enough normal beats.
    case tooFewSteps(found: Int, needed: Int)
    /// The maximum of the curve is outside the tested rates.
    case outside(ClosedRange<Double>)
    /// No clear maximum: the interval is wider than the range of the tested rates.
    case flat
  }

  /// One step for each rate with an amplitude.
  package let steps: [Step]
  /// Resonance frequency with its 95 % interval, or the reason why it is missing.
  package let rate: Result<Peak, Reason>

  /// Minimum number of rates.
  package static let fewestSteps = 4
  /// Standard deviation of the amplitude between periods at the same rate, as a fraction of the largest
  /// amplitude: attention and depth of breathing drift over minutes. Its accuracy corresponds to about eight
  /// periods.
  static let variation = 0.08
  static let variationFreedom = 8.0
  /// Seconds omitted at the start of each rate.
  static let settling = 20.0

  /// Estimates the resonance frequency.
  /// - Parameter stretches: one for each rate, in any order.
  package init(_ stretches: [PacedBeats]) {
    steps = Self.steps(stretches)
    rate = Result { [steps] () throws(Reason) in try Self.peak(steps) }
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

  /// Returns the variance of the phasor of one block in each direction, assumed to be equal in all stretches.
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

  private static func peak(_ steps: [Step]) throws(Reason) -> Peak {
    guard steps.count >= fewestSteps, let slowest = steps.map(\.rate).min(),
      let fastest = steps.map(\.rate).max(), let largest = steps.map(\.amplitude).max(), largest > 0
    else { throw .tooFewSteps(found: steps.count, needed: fewestSteps) }
    let curve = ResonanceCurve(
      steps.map { ($0.rate, $0.amplitude, $0.error * $0.error + variation * variation * largest * largest) })
    let peaks = Array(stride(from: slowest - 2, through: fastest + 2, by: 0.01))
    let misfits = peaks.map(curve.misfit)
    guard let best = misfits.indices.min(by: { misfits[$0] < misfits[$1] }) else { throw .flat }
    let freedom = Double(steps.count - 3) + variationFreedom
    let scale = (misfits[best] + variationFreedom) / freedom
    let t = StudentT.quantile95(degreesOfFreedom: freedom)
    let allowed = misfits.indices.filter { misfits[$0] <= misfits[best] + t * t * scale }
    let (low, high) = (peaks[allowed.first ?? best], peaks[allowed.last ?? best])
    guard low > slowest - 0.5 || high < fastest + 0.5 else { throw .flat }
    let tried = slowest...fastest
    guard tried.contains(peaks[best]) else { throw .outside(tried) }
    return Peak(peaks[best], low: low, high: high, tried: tried)
  }
}

/// Fits resonance curves to amplitudes at several rates.
private struct ResonanceCurve {
  private let points: [(rate: Double, amplitude: Double, variance: Double)]
  /// Candidate widths in breaths per minute, from narrower than a step to wider than the range.
  private static let widths = (0...20).map { Double.exp(-0.7 + 0.1 * Double($0)) }

  /// Response far from resonance, as a fraction of the maximum.
  private static let floor = 0.2

  init(_ points: [(rate: Double, amplitude: Double, variance: Double)]) { self.points = points }

  /// Returns the weighted residual sum of squares of the best curve with this peak.
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

/// The protocol for estimating the resonance frequency: two minutes of even breathing at each of six rates,
/// fastest first (after Lehrer et al. 2000; Shaffer & Meehan 2020).
package struct ResonanceProtocol: Equatable, Sendable {
  /// Rates in breaths per minute.
  package static let rates = [7.0, 6.5, 6.0, 5.5, 5.0, 4.5]
  /// Default duration of each rate.
  package static let stepLength = Duration.seconds(120)

  /// The breathing that the pacer guides.
  package let breathing: PacedBreathing

  /// Creates the protocol.
  /// - Parameter step: duration of each rate, rounded to complete cycles; callers validate 1 to 10 minutes.
  /// - Throws: ``PatternError`` if a rate is out of range, which does not apply to ``rates``.
  package init(step: Duration = Self.stepLength) throws(PatternError) {
    var stretches: [PacedBreathing.Stretch] = []
    for rate in Self.rates {
      let pattern = try BreathingPattern(even: rate)
      stretches.append(PacedBreathing.Stretch(pattern, cycles: pattern.cycles(nearest: step)))
    }
    breathing = PacedBreathing(stretches[0], Array(stretches.dropFirst()))
  }
}
