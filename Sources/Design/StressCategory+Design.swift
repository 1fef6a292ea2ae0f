public import Stress

extension StressCategory {
  /// The design tokens of the category.
  public var token: Tokens.Category { Tokens.category(self) }
}
