/// The steps by which a person's resonance frequency is sought: two minutes of even breathing at each of six rates, the
/// fastest first (after Lehrer et al. 2000; Shaffer & Meehan 2020).
public struct ResonanceProtocol: Equatable, Sendable {
  /// Breaths per minute.
  public static let rates = [7.0, 6.5, 6.0, 5.5, 5.0, 4.5]
  /// How long each rate is breathed unless asked otherwise.
  public static let stepLength = Duration.seconds(120)

  /// What the pacer leads through.
  public let breathing: PacedBreathing

  /// - Parameter step: length of each step, 1 to 10 minutes; to whole cycles.
  public init(step: Duration = Self.stepLength) throws(PatternError) {
    var stretches: [PacedBreathing.Stretch] = []
    for rate in Self.rates {
      let pattern = try BreathingPattern(even: rate)
      stretches.append(PacedBreathing.Stretch(pattern, cycles: pattern.cycles(nearest: step)))
    }
    breathing = PacedBreathing(stretches[0], Array(stretches.dropFirst()))
  }
}
