package import Time

/// Converts times of the strap's clock to session times.
///
/// A frame arrives some time after its last sample: the delay varies, but is never negative. The offset between the
/// clocks follows from the smallest delays: ``capacity`` minima, one per ``blockSeconds``, determine the drift by linear
/// regression, and the lowest line with that slope determines the offset. The smallest delay itself remains unknown (about
/// one connection interval). A strap restarts its clock when it is switched on; a jump of more than 10 s resets the
/// estimate.
package struct StrapClock: Sendable {
  private struct Point: Sendable {
    /// Strap time since the origin, in seconds.
    var strap: Double
    /// Arrival minus strap time, in seconds.
    var offset: Double
  }

  private static let capacity = 8
  private static let blockSeconds = 30.0
  /// Largest plausible drift.
  private static let maximumDrift = 0.02

  private var origin: (strap: UInt64, arrival: SessionTime)?
  private var points = InlineArray<8, Point>(repeating: Point(strap: 0, offset: 0))
  private var count = 0
  private var block = 0.0
  /// Seconds that the session clock gains on the strap's clock per second.
  package private(set) var drift = 0.0
  private var last = 0.0

  package init() {}

  /// Processes the arrival of a frame and returns the session time of the strap time `timestamp`, at most `arrival`.
  /// - Complexity: O(1); no allocation.
  package mutating func update(timestamp: UInt64, arrival: SessionTime) -> SessionTime {
    guard let origin else { return restart(timestamp, arrival) }
    let strap = Double(Int64(bitPattern: timestamp &- origin.strap)) * 1e-9
    let elapsed = Double(arrival.ticks - origin.arrival.ticks) / Double(RRInterval.ticksPerSecond)
    let offset = elapsed - strap
    guard strap >= last, (offset - estimate(at: strap)).magnitude < 10 else {
      return restart(timestamp, arrival)
    }
    last = strap
    add(Point(strap: strap, offset: offset))
    let seconds = min(strap + estimate(at: strap), elapsed)
    return SessionTime(
      ticks: origin.arrival.ticks + Int64((seconds * Double(RRInterval.ticksPerSecond)).rounded()))
  }

  private mutating func restart(_ timestamp: UInt64, _ arrival: SessionTime) -> SessionTime {
    origin = (timestamp, arrival)
    points[0] = Point(strap: 0, offset: 0)
    count = 1
    (block, drift, last) = (0, 0, 0)
    return arrival
  }

  /// Keeps the smallest offset of each block; the oldest block is dropped.
  private mutating func add(_ point: Point) {
    let current = (point.strap / Self.blockSeconds).rounded(.down)
    if current == block {
      let known = points[count - 1]
      if point.offset - drift * (point.strap - known.strap) < known.offset { points[count - 1] = point }
    } else {
      block = current
      if count == Self.capacity {
        for index in 1..<count { points[index - 1] = points[index] }
        count -= 1
      }
      points[count] = point
      count += 1
      drift = slope()
    }
  }

  /// The regression of the complete blocks; 0 until there are three.
  private func slope() -> Double {
    let complete = count - 1
    guard complete >= 3 else { return drift }
    var (meanStrap, meanOffset) = (0.0, 0.0)
    for index in 0..<complete {
      meanStrap += points[index].strap / Double(complete)
      meanOffset += points[index].offset / Double(complete)
    }
    var (products, squares) = (0.0, 0.0)
    for index in 0..<complete {
      let deviation = points[index].strap - meanStrap
      products += deviation * (points[index].offset - meanOffset)
      squares += deviation * deviation
    }
    return squares > 0 ? min(max(products / squares, -Self.maximumDrift), Self.maximumDrift) : 0
  }

  /// The offset at the strap time `strap`: the lowest line through the points.
  private func estimate(at strap: Double) -> Double {
    var lowest = Double.infinity
    for index in 0..<count {
      lowest = min(lowest, points[index].offset + drift * (strap - points[index].strap))
    }
    return lowest
  }
}
