extension Confidence {
  /// Whether the heart rate is that of exertion or of recovery from it, so that the stress value does not indicate
  /// stress.
  ///
  /// Such measurements do not count as rest, have no category on the screen, and are omitted from trends. False
  /// without the factor.
  public var indicatesExertion: Bool { (self[.exertion] ?? 1) < ExertionEstimator.clear }
}
