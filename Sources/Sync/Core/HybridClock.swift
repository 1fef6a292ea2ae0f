/// The time of a change in a total order: milliseconds since 1970, a counter, and the device as tie-break.
package struct Stamp: Hashable, Comparable, Sendable {
  package var milliseconds: Int64
  package var counter: UInt32
  package var device: SharedID

  package init(milliseconds: Int64, counter: UInt32, device: SharedID) {
    (self.milliseconds, self.counter, self.device) = (milliseconds, counter, device)
  }

  package static func < (a: Stamp, b: Stamp) -> Bool {
    if a.milliseconds != b.milliseconds { return a.milliseconds < b.milliseconds }
    if a.counter != b.counter { return a.counter < b.counter }
    return a.device < b.device
  }
}

/// A hybrid logical clock (Kulkarni, Demirbas et al. 2014, "Logical Physical Clocks").
///
/// Each stamp is later than the previous ones of the device. The clock adopts received stamps: later changes of this device
/// are then ordered after changes that it has read. It does not adopt stamps more than ``maximumLead`` ahead of the machine's
/// clock, because one device whose clock is years off must not move the clocks of the others.
package struct HybridClock: Equatable, Sendable {
  /// The longest time in ms by which an adopted stamp may be ahead of the machine's clock: 24 hours.
  package static let maximumLead: Int64 = 86_400_000

  private var milliseconds: Int64 = 0
  private var counter: UInt32 = 0

  package init() {}

  /// The latest time of the clock, for storage.
  package var last: (milliseconds: Int64, counter: UInt32) { (milliseconds, counter) }

  package init(milliseconds: Int64, counter: UInt32) {
    (self.milliseconds, self.counter) = (milliseconds, counter)
  }

  /// The stamp of a change made now.
  /// - Parameters:
  ///   - wall: The machine's clock in ms since 1970. It may be wrong and may step.
  ///   - existing: The stamp of the value that is changed. The result is later, even if that stamp is years ahead.
  package mutating func stamp(_ device: SharedID, wall: Int64, after existing: Stamp? = nil) -> Stamp {
    advance(to: wall)
    let next = Stamp(milliseconds: milliseconds, counter: counter, device: device)
    guard let existing, existing >= next else { return next }
    let (time, count) = Self.successor(existing.milliseconds, existing.counter)
    return Stamp(milliseconds: time, counter: count, device: device)
  }

  /// Adopts a received stamp.
  /// - Returns: The lead over the machine's clock in ms if it exceeds ``maximumLead``; the clock is then unchanged.
  package mutating func observe(_ stamp: Stamp, wall: Int64) -> Int64? {
    let (lead, overflows) = stamp.milliseconds.subtractingReportingOverflow(wall)
    guard !overflows || stamp.milliseconds < 0 else { return .max }
    guard overflows || lead <= Self.maximumLead else { return lead }
    if (stamp.milliseconds, stamp.counter) > (milliseconds, counter) {
      (milliseconds, counter) = (stamp.milliseconds, stamp.counter)
    }
    return nil
  }

  private mutating func advance(to wall: Int64) {
    if wall > milliseconds {
      (milliseconds, counter) = (wall, 0)
    } else {
      (milliseconds, counter) = Self.successor(milliseconds, counter)
    }
  }

  /// The next time; saturates at the end of the range of Int64.
  private static func successor(_ milliseconds: Int64, _ counter: UInt32) -> (Int64, UInt32) {
    if counter < .max { return (milliseconds, counter + 1) }
    return milliseconds < .max ? (milliseconds + 1, 0) : (milliseconds, counter)
  }
}
