/// Sums over pairs of successive differences, and the exclusion of an interval that the next beat shows to be premature.
extension BeatWindow {
  /// Adds or removes the products of the difference at `place` with the two before it. The difference of the
  /// oldest beat is not in the window.
  @inline(__always)
  mutating func countProducts(at place: Int, _ sign: Int) {
    guard place > 1 else { return }
    let (newest, middle) = (entries[place], entries[place &- 1])
    guard newest.isDifference, middle.isDifference else { return }
    products.lag1.count(newest.change, middle.change, sign)
    guard place > 2 else { return }
    let first = entries[place &- 2]
    if first.isDifference { products.lag2.count(newest.change, first.change, sign) }
  }

  /// Removes the products with the difference between the oldest beat and the next one.
  @inline(__always)
  mutating func uncountOldestProducts() {
    guard counted > 2 else { return }
    let (first, middle) = (entries[1], entries[2])
    guard first.isDifference, middle.isDifference else { return }
    products.lag1.count(middle.change, first.change, -1)
    guard counted > 3 else { return }
    let last = entries[3]
    if last.isDifference { products.lag2.count(last.change, first.change, -1) }
  }

  /// Excludes the newest beat, unless the window is empty: it is no longer normal, and its difference does not count.
  @usableFromInline @inline(never)
  mutating func excludeLast() {
    let place = entries.count &- 1
    guard place >= 0 else { return }
    var last = entries[place]
    if place > 0 {
      if counted > place {
        count(differenceTo: last, -1)
        countProducts(at: place, -1)
      }
      differences.slide(in: .nothing, out: last.difference)
    }
    intervals.slide(in: .nothing, out: last.interval)
    (last.isNormal, last.isDifference) = (false, false)
    entries.replaceLast(last)
  }
}
