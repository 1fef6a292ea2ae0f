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
