/// A queue that grows to its working size and then allocates no more.
struct RingBuffer<Element>: Sendable where Element: Sendable {
  private var storage: [Element] = []
  private var head = 0
  private(set) var count = 0

  var first: Element? { count > 0 ? storage[head] : nil }
  var last: Element? { count > 0 ? self[count &- 1] : nil }

  /// The element `offset` places after the first.
  @inline(__always)
  subscript(offset: Int) -> Element { storage[(head &+ offset) & (storage.count &- 1)] }

  @inline(__always)
  mutating func append(_ element: Element) {
    if count == storage.count { grow(filledWith: element) }
    storage[(head &+ count) & (storage.count &- 1)] = element
    count &+= 1
  }

  @inline(__always)
  mutating func removeFirst() {
    head = (head &+ 1) & (storage.count &- 1)
    count &-= 1
  }

  /// Doubles, so that the size stays a power of two and an index wraps by masking.
  @inline(never)
  private mutating func grow(filledWith filler: Element) {
    var larger: [Element] = []
    larger.reserveCapacity(max(256, 2 * storage.count))
    for offset in 0..<count { larger.append(self[offset]) }
    while larger.count < max(256, 2 * storage.count) { larger.append(filler) }
    storage = larger
    head = 0
  }
}
