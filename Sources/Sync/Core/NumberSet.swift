/// A set of positive numbers as sorted ranges: the numbers of the files that a device wrote, saw or withdrew.
package struct NumberSet: Hashable, Sendable {
  package private(set) var ranges: [ClosedRange<Int>] = []

  package init() {}

  package init(_ numbers: some Sequence<Int>) {
    for number in numbers { insert(number) }
  }

  /// From ranges in any order, which may overlap.
  package init(ranges: some Sequence<ClosedRange<Int>>) {
    for range in ranges { insert(range) }
  }

  package var isEmpty: Bool { ranges.isEmpty }
  package var last: Int? { ranges.last?.upperBound }
  package var count: Int { ranges.reduce(0) { $0 + $1.count } }

  package func contains(_ number: Int) -> Bool {
    // Files are usually read in order, so the last range is the most likely one.
    for range in ranges.reversed() where range.lowerBound <= number { return number <= range.upperBound }
    return false
  }

  package mutating func insert(_ number: Int) { insert(number...number) }

  package mutating func insert(_ range: ClosedRange<Int>) {
    if let last = ranges.last, range.lowerBound >= last.lowerBound {
      if range.upperBound <= last.upperBound { return }
      if range.lowerBound <= last.upperBound.saturatingSuccessor {
        ranges[ranges.count - 1] = last.lowerBound...range.upperBound
      } else {
        ranges.append(range)
      }
      return
    }
    let first = ranges.firstIndex { $0.upperBound.saturatingSuccessor >= range.lowerBound } ?? ranges.count
    let end = ranges.firstIndex { $0.lowerBound > range.upperBound.saturatingSuccessor } ?? ranges.count
    guard first < end else { return ranges.insert(range, at: first) }
    let low = min(range.lowerBound, ranges[first].lowerBound)
    let high = max(range.upperBound, ranges[end - 1].upperBound)
    ranges.replaceSubrange(first..<end, with: [low...high])
  }

  package mutating func formUnion(_ other: NumberSet) {
    for range in other.ranges { insert(range) }
  }

  /// The numbers of this set that are not in `other`.
  package func subtracting(_ other: NumberSet) -> NumberSet {
    guard !other.isEmpty, !isEmpty else { return self }
    var result = NumberSet()
    for range in ranges {
      var low = range.lowerBound
      for hole in other.ranges where hole.upperBound >= low && hole.lowerBound <= range.upperBound {
        if hole.lowerBound > low { result.ranges.append(low...(hole.lowerBound - 1)) }
        low = hole.upperBound.saturatingSuccessor
        if low > range.upperBound { break }
      }
      if low <= range.upperBound { result.ranges.append(low...range.upperBound) }
    }
    return result
  }
}

extension Int {
  fileprivate var saturatingSuccessor: Int { self == .max ? .max : self + 1 }
}

extension NumberSet: CustomStringConvertible {
  /// Such as `3-5, 9`; at most five ranges.
  package var description: String {
    texts.prefix(5).joined(separator: ", ") + (ranges.count > 5 ? " and others" : "")
  }
}

// MARK: - Text

extension NumberSet {
  /// All ranges, such as `3-5,9`.
  package var text: String { texts.joined(separator: ",") }

  private var texts: [String] {
    ranges.map { $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound)-\($0.upperBound)" }
  }

  /// Parses ``text``. Fails for any other text, and if a number is not in 1 to ``VaultName/lastNumber``.
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
