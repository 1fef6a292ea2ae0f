/// The four stress categories, each a half-open range of the score.
public enum StressCategory: String, Sendable, CaseIterable {
  /// [0, 25)
  case relaxed
  /// [25, 50)
  case mild
  /// [50, 75)
  case moderate
  /// [75, 100]
  case high

  /// Selects the category for a score from 0 to 100.
  public init(score: Double) {
    self = score < 25 ? .relaxed : score < 50 ? .mild : score < 75 ? .moderate : .high
  }
}

/// The mood of the buddy figure that represents a stress score.
public enum BuddyMood: String, Sendable, CaseIterable {
  /// [0, 10)
  case sleeping
  /// [10, 25)
  case calm
  /// [25, 50)
  case concerned
  /// [50, 75)
  case worried
  /// [75, 100]
  case overwhelmed

  /// Selects the mood for a score from 0 to 100.
  public init(score: Double) {
    self =
      score < 10
      ? .sleeping : score < 25 ? .calm : score < 50 ? .concerned : score < 75 ? .worried : .overwhelmed
  }
}
