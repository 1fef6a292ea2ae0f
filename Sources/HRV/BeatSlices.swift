public import HeartRate

extension [Beat] {
  /// Returns the beats with end times in (`start`, `end`] of a series ordered by time. Metrics of the slice
  /// do not include the difference between its first beat and the beat before it.
  /// - Complexity: O(log n), plus copying if the slice is converted to an array.
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

/// The sliding windows of a time range: all complete windows of `length`, one every `step`.
public struct WindowTimes: Sequence, Sendable {
  private let starts: StrideThrough<Int64>
  private let length: Int64

  /// Creates the windows within `start` to `end`; `length` and `step` must be positive.
  public init(from start: SessionTime, to end: SessionTime, length: Duration, step: Duration) {
    self.length = Swift.max(length.ticks, 1)
    starts = stride(from: start.ticks, through: end.ticks - self.length, by: Int(Swift.max(step.ticks, 1)))
  }

  public struct Iterator: IteratorProtocol {
    fileprivate var starts: StrideThrough<Int64>.Iterator
    fileprivate let length: Int64

    /// Returns the next window, which contains the beats that ended in (`start`, `end`].
    public mutating func next() -> (start: SessionTime, end: SessionTime)? {
      starts.next().map { (SessionTime(ticks: $0), SessionTime(ticks: $0 + length)) }
    }
  }

  public func makeIterator() -> Iterator { Iterator(starts: starts.makeIterator(), length: length) }
}
