import HeartRate

/// Batch addition of normal intervals without missing data in between. The result equals that of adding them
/// one by one and takes a third of the instructions.
extension NNSums {
  /// Number of intervals per block: the sum of the squares of as many intervals below `short` fits into 64
  /// bits.
  private static let block = 64
  /// 3.3 s in ticks; blocks with longer intervals are added one by one.
  private static let short: Int64 = 1 << 28

  /// Adds `intervals`; `previous` is the interval before the first one, in ticks.
  mutating func add(_ intervals: ArraySlice<RRInterval>, after previous: Int64) {
    unsafe intervals.withUnsafeBufferPointer { all in
      var (start, previous) = (0, previous)
      while start < all.count {
        let end = min(start &+ Self.block, all.count)
        let block = unsafe UnsafeBufferPointer(rebasing: all[start..<end])
        if unsafe !addShort(block, after: previous) { unsafe addAny(block, after: previous) }
        previous = unsafe block[block.count &- 1].ticks
        start = end
      }
    }
  }

  private mutating func addAny(_ block: UnsafeBufferPointer<RRInterval>, after previous: Int64) {
    var previous = previous
    for index in block.indices {
      let interval = unsafe block[index]
      add(interval.ticks)
      add(difference: interval.ticks &- previous)
      previous = interval.ticks
    }
  }

  /// Adds a block of short intervals. Returns false and adds nothing if one of them is not short.
  private mutating func addShort(_ block: UnsafeBufferPointer<RRInterval>, after first: Int64) -> Bool {
    var (previous, bits) = (first, first)
    var (sum, squares, differenceSquares): (Int64, Int64, Int64) = (0, 0, 0)
    var (changed, over50, over20): (Int, Int, Int) = (0, 0, 0)
    for index in block.indices {
      let ticks = unsafe block[index].ticks
      let difference = ticks &- previous
      let magnitude = Int64(truncatingIfNeeded: difference.magnitude)
      bits |= ticks
      sum &+= ticks
      squares &+= ticks &* ticks
      differenceSquares &+= difference &* difference
      changed &-= DifferenceKinds.isAbove(0, magnitude)
      over50 &-= DifferenceKinds.isAbove(DifferenceKinds.fifty, magnitude)
      over20 &-= DifferenceKinds.isAbove(DifferenceKinds.twenty, magnitude)
      previous = ticks
    }
    guard bits < Self.short else { return false }
    count &+= block.count
    self.sum &+= Int128(sum)
    self.squares &+= Int128(squares)
    differences &+= block.count
    differenceSum &+= previous &- first
    self.differenceSquares &+= Int128(differenceSquares)
    kinds.unchanged &+= block.count &- changed
    kinds.over50 &+= over50
    kinds.over20 &+= over20
    return true
  }
}
