public import HeartRate

extension [Beat] {
  /// The beats that ended in (`start`, `end`], of beats in the order of their times. The first of them has no
  /// neighbour before it: metrics count no difference into it.
  /// - Complexity: O(log n), and what the slice copies when it becomes an array.
  public func ended(after start: SessionTime, through end: SessionTime) -> ArraySlice<Beat> {
    let lower = firstIndex(endingAfter: start)
    return self[lower..<Swift.max(lower, firstIndex(endingAfter: end))]
  }

  private func firstIndex(endingAfter time: SessionTime) -> Int {
    var (low, high) = (startIndex, endIndex)
    while low < high {
      let middle = low + (high - low) / 2
      if self[middle].end > time { high = middle } else { low = middle + 1 }
    }
    return low
  }
}

/// The windows of a series: as long as `length`, one every `step`, all of them whole.
public struct WindowTimes: Sequence, Sendable {
  private let starts: StrideThrough<Int64>
  private let length: Int64

  /// Those within `start` to `end`; `length` and `step` are positive.
  public init(from start: SessionTime, to end: SessionTime, length: Duration, step: Duration) {
    self.length = Swift.max(length.ticks, 1)
    starts = stride(from: start.ticks, through: end.ticks - self.length, by: Int(Swift.max(step.ticks, 1)))
  }

  public struct Iterator: IteratorProtocol {
    fileprivate var starts: StrideThrough<Int64>.Iterator
    fileprivate let length: Int64

    /// A window holds the beats that ended in (`start`, `end`].
    public mutating func next() -> (start: SessionTime, end: SessionTime)? {
      starts.next().map { (SessionTime(ticks: $0), SessionTime(ticks: $0 + length)) }
    }
  }

  public func makeIterator() -> Iterator { Iterator(starts: starts.makeIterator(), length: length) }
}
