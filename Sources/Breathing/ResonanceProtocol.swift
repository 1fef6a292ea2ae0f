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
