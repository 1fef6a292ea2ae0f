/// A queue that grows to its working size and then allocates no more.
///
/// Its size is a power of two, so an index wraps by masking, and a masked index lies inside: no access is checked again.
@usableFromInline
struct RingBuffer<Element>: Sendable where Element: Sendable {
  @usableFromInline var storage: [Element]
  /// Both only grow; what they point at is found by masking.
  @usableFromInline var head = 0
  @usableFromInline var end = 0

  /// Empty, with `filler` where there is nothing yet.
  @usableFromInline
  init(filler: Element) { storage = Array(repeating: filler, count: 256) }

  @inlinable var count: Int { end &- head }

  @inlinable var isFull: Bool { count == storage.count }

  /// The element `offset` places after the first.
  @inlinable
  subscript(offset: Int) -> Element {
    @inline(__always) get { storage.withUnsafeBufferPointer { $0[(head &+ offset) & ($0.count &- 1)] } }
  }

  /// The newest element, or the filler of a new buffer.
  @inlinable
  var last: Element { @inline(__always) get { self[count &- 1] } }

  /// There must be room: see ``isFull``.
  @inlinable @inline(__always)
  mutating func append(_ element: Element) {
    let place = end
    storage.withUnsafeMutableBufferPointer { $0[place & ($0.count &- 1)] = element }
    end &+= 1
  }

  @inlinable @inline(__always)
  mutating func removeFirst() { head &+= 1 }

  /// Doubles its size.
  @usableFromInline @inline(never)
  mutating func grow() {
    let elements = (0..<count).map { self[$0] }
    // The upper half is filled with what will be overwritten before it is read.
    storage = elements + elements
    (head, end) = (0, elements.count)
  }
}
