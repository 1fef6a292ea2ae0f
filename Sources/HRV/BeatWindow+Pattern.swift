/// Sums over pairs of successive differences, and the removal of a difference that a later beat shows to be wrong.
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

  /// Removes the difference that ends with the newest beat.
  @usableFromInline @inline(never)
  mutating func removeLastDifference() {
    let place = entries.count &- 1
    var last = entries[place]
    if place > 0 {
      if counted > place {
        count(differenceTo: last, -1)
        countProducts(at: place, -1)
      }
      differences.slide(in: .nothing, out: last.difference)
    }
    last.isDifference = false
    entries.replaceLast(last)
  }
}
