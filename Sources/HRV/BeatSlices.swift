public import HeartRate

extension [Beat] {
  /// Returns the beats with end times in (`start`, `end`] of a series ordered by time. Metrics of the slice
  /// do not include the difference between its first beat and the beat before it.
  /// - Complexity: O(log n), plus copying if the slice is converted to an array.
  public func ended(after start: SessionTime, through end: SessionTime) -> ArraySlice<Beat> {
    let lower = firstIndex(endingAfter: start)
    return self[lower..<Swift.max(lower, firstIndex(endingAfter: end))]
  }

  /// The first beat that ends after `time`.
  fileprivate func first(endingAfter time: SessionTime) -> Beat? {
    let index = firstIndex(endingAfter: time)
    return index < endIndex ? self[index] : nil
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
  private let first: Int64
  private let last: Int64
  private let length: Int64
  private let step: Int64
  private let beats: [Beat]?

  /// Creates the windows within `start` to `end`; `length` and `step` must be positive.
  /// - Parameter beats: The beats of a series ordered by time, to omit windows without beats. A gap of years then costs no
  ///   more than one of seconds. By default, no window is omitted.
  public init(
    from start: SessionTime, to end: SessionTime, length: Duration, step: Duration, with beats: [Beat]? = nil
  ) {
    self.length = Swift.max(length.ticks, 1)
    self.step = Swift.max(step.ticks, 1)
    (first, last) = (start.ticks, end.ticks - self.length)
    self.beats = beats
  }

  public struct Iterator: IteratorProtocol {
    fileprivate let windows: WindowTimes
    fileprivate var start: Int64

    /// Returns the next window, which contains the beats that ended in (`start`, `end`].
    /// - Complexity: O(1), or O(log n) for n beats.
    public mutating func next() -> (start: SessionTime, end: SessionTime)? {
      if let beats = windows.beats { skipEmptyTime(of: beats) }
      guard start <= windows.last else { return nil }
      defer { start += windows.step }
      return (SessionTime(ticks: start), SessionTime(ticks: start + windows.length))
    }

    private mutating func skipEmptyTime(of beats: [Beat]) {
      while start <= windows.last {
        guard let time = beats.first(endingAfter: SessionTime(ticks: start))?.end.ticks else {
          start = .max
          return
        }
        let missing = time - windows.length - start
        guard missing > 0 else { return }
        start += (missing + windows.step - 1) / windows.step * windows.step
      }
    }
  }

  public func makeIterator() -> Iterator { Iterator(windows: self, start: first) }
}
