/// The RR intervals of one notification, oldest first.
///
/// Intervals from the radio are read out of the payload when asked for, so that decoding allocates nothing.
public struct RRIntervals: RandomAccessCollection, Sendable {
  @usableFromInline
  enum Storage: Sendable {
    /// An interval that no payload can hold (0.1 ms of a text file).
    case exact(RRInterval)
    /// Pairs of bytes, little-endian, 1/1024 s each, from `start` on.
    case gatt(payload: [UInt8], start: Int, count: Int)
  }

  @usableFromInline let storage: Storage

  /// No interval: below 60 bpm some notifications carry none.
  public static let none = RRIntervals(payload: [], start: 0, count: 0)

  /// The one interval of a source that is not a strap.
  public init(_ interval: RRInterval) { storage = .exact(interval) }

  /// Intervals in units of 1/1024 s, as a strap sends them.
  public init(gattUnits: [UInt16]) {
    let bytes = gattUnits.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] }
    storage = .gatt(payload: bytes, start: 0, count: gattUnits.count)
  }

  init(payload: [UInt8], start: Int, count: Int) {
    storage = .gatt(payload: payload, start: start, count: count)
  }

  @inlinable public var startIndex: Int { 0 }

  @inlinable public var endIndex: Int {
    switch storage {
    case .exact: 1
    case .gatt(_, _, let count): count
    }
  }

  @inlinable public subscript(index: Int) -> RRInterval {
    precondition(index >= 0 && index < endIndex, "RR index out of range")
    switch storage {
    case .exact(let interval): return interval
    case .gatt(let payload, let start, _):
      let at = start + 2 * index
      return RRInterval(gattUnits: UInt16(payload[at]) | UInt16(payload[at + 1]) << 8)
    }
  }

  /// The sum of all intervals, in ticks of 1/80,000 ms.
  @inlinable public var totalTicks: Int64 {
    switch storage {
    case .exact(let interval): return interval.ticks
    case .gatt(let payload, let start, let count):
      var units: Int64 = 0
      for at in stride(from: start, to: start &+ 2 &* count, by: 2) {
        units &+= Int64(payload[at]) | Int64(payload[at &+ 1]) &<< 8
      }
      return units &* RRInterval.ticksPerGATTUnit
    }
  }
}

extension RRIntervals: Equatable {
  public static func == (a: RRIntervals, b: RRIntervals) -> Bool { a.elementsEqual(b) }
}
