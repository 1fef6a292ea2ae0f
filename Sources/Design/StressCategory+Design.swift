public import Stress

extension StressCategory {
  /// How it looks.
  public var token: Tokens.Category { Tokens.category(self) }
}
