/// The quartiles of the magnitudes of values around a place of a series, which increases from call to call.
///
/// - Complexity: O(log n) comparisons and one memory move per place by which the window advances, at most n.
struct CentredQuartiles: Sendable {
  /// The indices of the values in the window.
  private var range = 0..<0
  private var magnitudes: SortedWindow

  /// Creates the quartiles of windows of at most `capacity` values.
  init(capacity: Int) { magnitudes = SortedWindow(capacity: capacity) }

  mutating func removeAll() {
    magnitudes.removeAll()
    range = 0..<0
  }

  /// Moves the window to the indices `new` and returns its quartiles. `new` must not be empty, and neither
  /// bound may be less than in the previous call.
  @inline(__always)
  mutating func move(to new: Range<Int>, value: (Int) -> Double) -> (lower: Double, upper: Double) {
    if new.lowerBound >= range.upperBound {
      magnitudes.removeAll()
      range = new.lowerBound..<new.lowerBound
    }
    let leaving = range.lowerBound..<new.lowerBound
    let coming = range.upperBound..<new.upperBound
    for step in 0..<max(leaving.count, coming.count) {
      magnitudes.slide(
        in: step < coming.count ? abs(value(coming.lowerBound + step)) : nil,
        out: step < leaving.count ? abs(value(leaving.lowerBound + step)) : nil)
    }
    range = new
    return (magnitudes.quantile(quarters: 1), magnitudes.quantile(quarters: 3))
  }
}
