/// Sums over pairs of successive differences, and the exclusion of an interval that the next beat shows to be premature.
extension BeatWindow {
  /// Adds or removes the products of the difference at `place` with the four before it. The difference of the
  /// oldest beat is not in the window.
  @inline(__always)
  mutating func countProducts(at place: Int, _ sign: Int) {
    guard place > 1 else { return }
    let newest = entries[place]
    guard newest.isDifference, entries[place &- 1].isDifference else { return }
    products.lag1.count(newest.change, entries[place &- 1].change, sign)
    guard place > 2, entries[place &- 2].isDifference else { return }
    products.lag2.count(newest.change, entries[place &- 2].change, sign)
    guard place > 3, entries[place &- 3].isDifference else { return }
    products.lag3.count(newest.change, entries[place &- 3].change, sign)
    guard place > 4, entries[place &- 4].isDifference else { return }
    products.lag4.count(newest.change, entries[place &- 4].change, sign)
  }

  /// Removes the products with the difference between the oldest beat and the next one.
  @inline(__always)
  mutating func uncountOldestProducts() {
    guard counted > 2 else { return }
    let first = entries[1]
    guard first.isDifference, entries[2].isDifference else { return }
    products.lag1.count(entries[2].change, first.change, -1)
    guard counted > 3, entries[3].isDifference else { return }
    products.lag2.count(entries[3].change, first.change, -1)
    guard counted > 4, entries[4].isDifference else { return }
    products.lag3.count(entries[4].change, first.change, -1)
    guard counted > 5, entries[5].isDifference else { return }
    products.lag4.count(entries[5].change, first.change, -1)
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
