extension NumberSet {
  /// All ranges, such as `3-5,9`.
  package var text: String {
    ranges.map { $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound)-\($0.upperBound)" }.joined(
      separator: ",")
  }

  /// Parses ``text``. Nil for any other text, and for numbers outside of 1 to ``VaultName/lastNumber``.
  package init?(_ text: String) {
    self.init()
    for part in text.split(separator: ",", omittingEmptySubsequences: !text.isEmpty ? false : true) {
      let bounds = part.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
      guard (1...2).contains(bounds.count), let low = bounds[0], let high = bounds[bounds.count - 1],
        low >= 1,
        high >= low, high <= VaultName.lastNumber
      else { return nil }
      insert(low...high)
    }
  }
}
