/// The RR intervals of one notification, oldest first.
///
/// One interval is decoded at once, several on access: decoding a notification does not allocate.
public struct RRIntervals: RandomAccessCollection, Sendable {
  @usableFromInline
  enum Storage: Sendable {
    /// A single interval: of a notification, or of a text file, whose 0.1 ms a payload cannot represent.
    case single(RRInterval)
    /// Byte pairs, little-endian, in units of 1/1024 s, beginning at `start`.
    case gatt(payload: [UInt8], start: Int, count: Int)
    /// The pulse intervals of a PPI frame in ms.
    case pulse(payload: [UInt8], count: Int)
  }

  @usableFromInline let storage: Storage

  /// The empty collection, as in some notifications below 60 bpm.
  public static let none = RRIntervals(payload: [], start: 0, count: 0)

  /// Creates a collection of one interval, for sources other than straps.
  @inlinable public init(_ interval: RRInterval) { storage = .single(interval) }

  /// Creates a collection of intervals in units of 1/1024 s, as sent by straps.
  public init(gattUnits: [UInt16]) {
    let bytes = gattUnits.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] }
    storage = .gatt(payload: bytes, start: 0, count: gattUnits.count)
  }

  /// Creates a collection of the pulse intervals of a PPI frame; empty for other frames.
  public init(pulsesOf frame: SensorFrame) {
    storage = .pulse(payload: frame.payload, count: frame.stream == .ppi ? frame.count : 0)
  }

  @inlinable @inline(__always)
  init(payload: [UInt8], start: Int, count: Int) {
    let intervals = RRIntervals(.gatt(payload: payload, start: start, count: count))
    self = count == 1 ? RRIntervals(intervals[0]) : intervals
  }

  @inlinable
  init(_ storage: Storage) { self.storage = storage }

  /// Whether the intervals are those between pulses, measured by an optical sensor (PPI).
  public var arePulses: Bool { if case .pulse = storage { true } else { false } }

  @inlinable public var startIndex: Int { 0 }

  @inlinable public var endIndex: Int {
    switch storage {
    case .single: 1
    case .gatt(_, _, let count): count
    case .pulse(_, let count): count
    }
  }

  @inlinable public subscript(index: Int) -> RRInterval {
    precondition(index >= 0 && index < endIndex, "RR index out of range")
    switch storage {
    case .single(let interval): return interval
    case .gatt(let payload, let start, _):
      let at = start + 2 * index
      return RRInterval(gattUnits: UInt16(payload[at]) | UInt16(payload[at + 1]) << 8)
    case .pulse(let payload, _):
      return PulseInterval(payload: payload, index: index).rr
    }
  }

  /// The sum of all intervals, in ticks of 1/80,000 ms.
  @inlinable public var totalTicks: Int64 {
    switch storage {
    case .single(let interval): return interval.ticks
    case .gatt(let payload, let start, let count):
      var units: Int64 = 0
      for at in stride(from: start, to: start &+ 2 &* count, by: 2) {
        units &+= Int64(payload[at]) | Int64(payload[at &+ 1]) &<< 8
      }
      return units &* RRInterval.ticksPerGATTUnit
    case .pulse: return reduce(0) { $0 + $1.ticks }
    }
  }
}

extension RRIntervals: Equatable {
  public static func == (a: RRIntervals, b: RRIntervals) -> Bool { a.elementsEqual(b) }
}
