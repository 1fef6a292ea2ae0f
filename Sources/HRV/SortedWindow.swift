/// The numbers of a sliding window in ascending order, for quantiles. Numbers must be neither negative nor
/// NaN.
///
/// The bit patterns of such numbers have the same order as the numbers, and integers can be searched without
/// unpredictable branches.
///
/// - Complexity: O(log n) comparisons and one memory move per change; no allocation.
struct SortedWindow: Sendable {
  private var patterns: [Int64]
  private(set) var count = 0

  /// Creates an empty window with room for `capacity` numbers.
  init(capacity: Int) { patterns = Array(repeating: 0, count: capacity) }

  mutating func removeAll() { count = 0 }

  /// Inserts `new` and removes `old`; either can be omitted. `old` must be in the window, and there must be room for `new`.
  @inline(__always)
  mutating func slide(in new: Double?, out old: Double?) {
    switch (new, old) {
    case (let new?, let old?): replace(Self.pattern(old), with: Self.pattern(new))
    case (let new?, nil): insert(Self.pattern(new))
    case (nil, let old?): remove(Self.pattern(old))
    case (nil, nil): break
    }
  }

  /// Returns the quantile `quarters` / 4 by linear interpolation between two ranks (type 7 of Hyndman & Fan
  /// 1996). The window must not be empty.
  @inline(__always)
  func quantile(quarters: Int) -> Double {
    let position = (count - 1) * quarters
    let rank = Self.lowerRank(quarters: quarters, count: count)
    let low = self[rank]
    let part = position & 3
    return part == 0 ? low : low + (self[rank + 1] - low) * (Double(part) / 4)
  }

  /// Returns the lower of the two ranks, from 0, between which a quantile of `count` numbers is interpolated.
  @inline(__always)
  static func lowerRank(quarters: Int, count: Int) -> Int { ((count - 1) * quarters) >> 2 }

  private subscript(rank: Int) -> Double { Double(bitPattern: UInt64(bitPattern: patterns[rank])) }

  @inline(__always)
  private static func pattern(_ number: Double) -> Int64 { Int64(bitPattern: number.bitPattern) }

  private mutating func insert(_ new: Int64) {
    precondition(count < patterns.count)
    let place = ranks(new, new).0
    move(count, to: place)
    patterns[place] = new
    count += 1
  }

  private mutating func remove(_ old: Int64) {
    let place = ranks(old, old).0
    precondition(place < count)
    move(place, to: count - 1)
    count -= 1
  }

  /// Replaces a number; only the elements between both positions move.
  @inline(__always)
  private mutating func replace(_ old: Int64, with new: Int64) {
    let (from, place) = ranks(old, new)
    precondition(from < count)
    let to = place > from ? place - 1 : place
    move(from, to: to)
    patterns[to] = new
  }

  /// Moves the elements between the positions `from` and `to` by one: `from` closes and `to` opens.
  @inline(__always)
  private mutating func move(_ from: Int, to: Int) {
    unsafe patterns.withUnsafeMutableBufferPointer { patterns in
      guard let base = patterns.baseAddress else { return }
      let moves = from < to ? (from &+ 1, from, to &- from) : (to, to &+ 1, from &- to)
      unsafe (base + moves.1).update(from: base + moves.0, count: moves.2)
    }
  }

  /// Returns the number of elements below `a` and below `b`, with two interleaved searches, to use
  /// instruction-level parallelism.
  @inline(__always)
  private func ranks(_ a: Int64, _ b: Int64) -> (Int, Int) {
    unsafe patterns.withUnsafeBufferPointer { patterns in
      guard let base = patterns.baseAddress, count > 0 else { return (0, 0) }
      var (first, second) = (0, 0)
      var length = count
      while length > 1 {
        let half = length >> 1
        unsafe first &+= half & Int((base[first &+ half &- 1] &- a) >> 63)
        unsafe second &+= half & Int((base[second &+ half &- 1] &- b) >> 63)
        length &-= half
      }
      return unsafe (first &- Int((base[first] &- a) >> 63), second &- Int((base[second] &- b) >> 63))
    }
  }
}

extension Sequence<Double> {
  /// The median: the middle value, or the mean of the two middle values of an even number. An empty sequence has none.
  /// - Complexity: O(n log n).
  public var median: Double? {
    let sorted = sorted()
    guard !sorted.isEmpty else { return nil }
    let half = sorted.count / 2
    return sorted.count.isMultiple(of: 2) ? (sorted[half - 1] + sorted[half]) / 2 : sorted[half]
  }
}
