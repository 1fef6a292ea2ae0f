/// A first-in, first-out queue that grows to its working size and then does not allocate.
///
/// Its capacity is a power of two: indices wrap by masking, and a masked index is always in bounds, so
/// accesses are unchecked.
@usableFromInline
struct RingBuffer<Element>: Sendable where Element: Sendable {
  @usableFromInline var storage: [Element]
  /// Both only increase; the position in the storage is found by masking.
  @usableFromInline var head = 0
  @usableFromInline var end = 0

  /// Creates an empty queue; unused positions contain `filler`.
  @usableFromInline
  init(filler: Element) { storage = Array(repeating: filler, count: 256) }

  @inlinable var count: Int { end &- head }

  @inlinable var isFull: Bool { count == storage.count }

  /// The element at `offset` from the oldest.
  @inlinable
  subscript(offset: Int) -> Element {
    @inline(__always) get {
      unsafe storage.withUnsafeBufferPointer { unsafe $0[(head &+ offset) & ($0.count &- 1)] }
    }
  }

  /// The newest element; the filler in a new buffer.
  @inlinable
  var last: Element { @inline(__always) get { self[count &- 1] } }

  /// Replaces the newest element; the queue must not be empty.
  @inlinable @inline(__always)
  mutating func replaceLast(_ element: Element) {
    let place = end &- 1
    unsafe storage.withUnsafeMutableBufferPointer { unsafe $0[place & ($0.count &- 1)] = element }
  }

  /// Appends an element; the queue must not be full, see ``isFull``.
  @inlinable @inline(__always)
  mutating func append(_ element: Element) {
    let place = end
    unsafe storage.withUnsafeMutableBufferPointer { unsafe $0[place & ($0.count &- 1)] = element }
    end &+= 1
  }

  @inlinable @inline(__always)
  mutating func removeFirst() { head &+= 1 }

  /// Doubles the capacity.
  @usableFromInline @inline(never)
  mutating func grow() {
    let elements = (0..<count).map { self[$0] }
    // The upper half is overwritten before it is read.
    storage = elements + elements
    (head, end) = (0, elements.count)
  }
}
