/// The last 128 successive differences since the last jump.
///
/// - Complexity: O(1) per difference; no allocation.
struct RecentDifferences: Sendable {
  /// Number of differences since the last jump.
  private(set) var count = 0
  /// The newest interval in ms.
  private var newest: Float = 0
  /// Differences in ms, newest first from `head`; stored twice, so that they are always contiguous.
  private var differences = InlineArray<256, Float>(repeating: 0)
  private var head = 0

  /// Maximum number of differences.
  static let capacity = 128

  /// Appends an interval and its difference from the previous one, in ms.
  mutating func append(_ interval: Float, difference: Float) {
    head = (head &- 1) & (Self.capacity - 1)
    differences[unchecked: head] = difference
    differences[unchecked: head + Self.capacity] = difference
    newest = interval
    count += 1
  }

  /// Resets the series: the next difference is the first.
  mutating func startAnew() { count = 0 }

  /// The difference in ms at `place`: 0 is the newest, `capacity` - 1 the oldest. `head` is below `capacity`, so that
  /// the sum is below twice `capacity`.
  subscript(place: Int) -> Float { differences[unchecked: head &+ place & (2 * Self.capacity - 1)] }

  /// Returns the mean of the last `count` intervals in ms, reconstructed from their differences.
  func meanInterval(of count: Int) -> Float {
    var sum: Float = 0
    for place in 0..<count - 1 { sum += self[place] * Float(count - 1 - place) }
    return newest - sum / Float(count)
  }
}
