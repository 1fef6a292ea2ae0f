/// The last 128 successive differences of a stretch without a jump.
///
/// - Complexity: O(1) per difference; allocates nothing.
struct RecentDifferences: Sendable {
  /// Differences since the stretch began.
  private(set) var count = 0
  /// The newest interval, in ms.
  private var newest: Float = 0
  /// In ms, newest first from `head` on; held twice, so that they lie in one stretch.
  private var differences = InlineArray<256, Float>(repeating: 0)
  private var head = 0

  /// As many as count.
  static let kept = 128

  /// Takes an interval and its difference from the one before it, in ms.
  mutating func append(_ interval: Float, difference: Float) {
    head = (head &- 1) & (Self.kept - 1)
    differences[unchecked: head] = difference
    differences[unchecked: head + Self.kept] = difference
    newest = interval
    count += 1
  }

  /// Forgets what came before: the next difference is the first.
  mutating func startAnew() { count = 0 }

  /// A difference in ms; 0 is the newest, `kept` - 1 the oldest. `head` is below `kept`, so that the sum is below twice that.
  subscript(place: Int) -> Float { differences[unchecked: head &+ place & (2 * Self.kept - 1)] }

  /// Mean of the last `count` intervals, in ms: each is the one after it less their difference.
  func meanInterval(of count: Int) -> Float {
    var sum: Float = 0
    for place in 0..<count - 1 { sum += self[place] * Float(count - 1 - place) }
    return newest - sum / Float(count)
  }
}
