/// The latest intervals of a segment with their differences and running medians, all in seconds.
///
/// Indices count from the start of the segment. The values are contiguous, unlike in a ring buffer, to let the compiler
/// vectorise loops over neighbours. Medians are computed on demand, as many as possible at once.
///
/// - Complexity: O(1) amortised per interval; no allocation after initialisation.
struct SegmentSeries: Sendable {
  /// Number of neighbours on each side that a median includes; fewer at both ends of the segment.
  static let halfMedian = (MedianOf11.count - 1) / 2
  /// Number of intervals that are available at least. A full buffer drops all others.
  static let retained = 256

  /// Number of intervals in the segment.
  private(set) var count = 0
  /// Index of the first interval in the buffer.
  private var first = 0
  /// Number of intervals in the segment that have a median.
  private var medianCount = 0
  private var isComplete = false
  private var lengths = Array(repeating: 0.0, count: 2 * retained)
  private var differences = Array(repeating: 0.0, count: 2 * retained)
  private var medians = Array(repeating: 0.0, count: 2 * retained)
  /// The neighbours of an interval near an end of the segment.
  private var neighbours = SortedWindow(capacity: MedianOf11.count)

  /// Length of an interval.
  @inline(__always)
  func length(_ index: Int) -> Double { lengths[index - first] }

  /// Difference from the previous interval; zero for the first one.
  @inline(__always)
  func difference(_ index: Int) -> Double { differences[index - first] }

  /// Median of the 11 surrounding intervals; see ``prepareMedians(through:)``.
  @inline(__always)
  func median(_ index: Int) -> Double { medians[index - first] }

  /// Deviation from the median; doubled if negative.
  @inline(__always)
  func deviation(_ index: Int) -> Double {
    let deviation = length(index) - median(index)
    return deviation < 0 ? 2 * deviation : deviation
  }

  /// Returns how many differences in `range`, multiplied by `factor`, are less than `limit` in magnitude.
  ///
  /// Counts the sign bits of differences: a comparison would not be vectorised.
  @inline(__always)
  func countDifferences(in range: Range<Int>, times factor: Double, below limit: Double) -> Int {
    let places = range.lowerBound - first..<range.upperBound - first
    precondition(places.lowerBound >= 0 && places.upperBound <= differences.count)
    var count: UInt64 = 0
    unsafe differences.withUnsafeBufferPointer { differences in
      guard let base = differences.baseAddress else { return }
      for place in places { count &+= unsafe (factor * abs(base[place]) - limit).bitPattern >> 63 }
    }
    return Int(count)
  }
}

// Changes.
extension SegmentSeries {
  /// Appends an interval of `seconds`.
  @inline(__always)
  mutating func append(_ seconds: Double) {
    if count - first == lengths.count { dropOldest() }
    let place = count - first
    differences[place] = count > 0 ? seconds - lengths[place - 1] : 0
    lengths[place] = seconds
    count += 1
  }

  /// Marks the end of the segment: the last medians do not wait for further intervals.
  mutating func complete() { isComplete = true }

  /// Starts a new segment.
  mutating func removeAll() {
    count = 0
    first = 0
    medianCount = 0
    isComplete = false
  }

  /// Computes the medians up to `index`, inclusive, unless available. At least ``halfMedian`` intervals must
  /// follow `index`, except in a complete segment.
  @inline(__always)
  mutating func prepareMedians(through index: Int) {
    if index >= medianCount { computeMedians() }
  }

  /// Computes all missing medians.
  private mutating func computeMedians() {
    let half = Self.halfMedian
    let end = isComplete ? count : count - half
    let inner = max(medianCount, min(half, end))
    let innerEnd = max(inner, count - half)
    computeTruncatedMedians(of: medianCount..<inner)
    computeMedians(of: inner..<innerEnd)
    computeTruncatedMedians(of: innerEnd..<max(innerEnd, end))
    medianCount = end
  }

  /// Computes the medians of intervals with ``halfMedian`` neighbours on each side.
  private mutating func computeMedians(of range: Range<Int>) {
    guard !range.isEmpty else { return }
    let start = range.lowerBound - first
    precondition(start >= Self.halfMedian && range.upperBound - first <= medians.count - Self.halfMedian)
    unsafe lengths.withUnsafeBufferPointer { lengths in
      unsafe medians.withUnsafeMutableBufferPointer { medians in
        guard let source = lengths.baseAddress, let target = medians.baseAddress else { return }
        for place in start..<start + range.count {
          unsafe target[place] = MedianOf11.median(from: source + place - Self.halfMedian)
        }
      }
    }
  }

  /// Computes the medians of intervals near an end of the segment.
  private mutating func computeTruncatedMedians(of range: Range<Int>) {
    for index in range {
      neighbours.removeAll()
      for neighbour in max(0, index - Self.halfMedian)..<min(count, index + Self.halfMedian + 1) {
        neighbours.slide(in: length(neighbour), out: nil)
      }
      medians[index - first] = neighbours.quantile(quarters: 2)
    }
  }

  private mutating func dropOldest() {
    let dropped = lengths.count - Self.retained
    lengths.moveToStart(from: dropped)
    differences.moveToStart(from: dropped)
    medians.moveToStart(from: dropped)
    first += dropped
  }
}

extension [Double] {
  /// Moves the elements from `start` to the start.
  fileprivate mutating func moveToStart(from start: Int) {
    for place in start..<count { self[place - start] = self[place] }
  }
}
