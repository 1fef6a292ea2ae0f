extension Confidence {
  /// Whether the heart rate is that of exertion or of recovery from it, so that the stress value does not indicate
  /// stress.
  ///
  /// Such measurements do not count as rest, have no category on the screen, and are omitted from trends. False
  /// without the factor.
  public var indicatesExertion: Bool { (self[.exertion] ?? 1) < ExertionEstimator.clear }
}

extension Confidence {
  /// The largest factor `motion` of a window of which at least half is walking or running, and the rest is still.
  private static let locomotion = 0.6

  /// Whether acceleration shows that walking or running, with other movement, took half of the window, so that the stress
  /// value does not indicate stress. False without acceleration.
  public var indicatesLocomotion: Bool { (self[.motion] ?? 1) <= Self.locomotion }
}

extension Confidence {
  /// Whether the rhythm is irregular, as in atrial fibrillation, so that HRV is no measure of stress: such a stress value has no
  /// category. False without the factor, which is below 0.5 if more than 37.5 % of the successive differences exceed a
  /// tenth (``ConfidenceCurves/rhythm(_:)``).
  public var indicatesIrregularRhythm: Bool { (self[.rhythm] ?? 1) < 0.5 }
}
