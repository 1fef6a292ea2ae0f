/// A pulse-to-pulse interval of an optical sensor.
///
///     heart rate  interval   error      flags
///     +----+      +----+---+ +----+---+ +----+
///     | 8  |      | 16 LE  | | 16 LE  | | 8  |   ms; bit 0 blocked, bit 1 contact, bit 2 contact supported
///     +----+      +----+---+ +----+---+ +----+
public struct PulseInterval: Equatable, Sendable {
  /// Heart rate in bpm; 0 if unknown.
  public var heartRate: UInt8
  /// Interval in ms.
  public var milliseconds: UInt16
  /// Error estimate in ms.
  public var error: UInt16
  /// Whether the sensor moved, which makes the interval invalid (the blocker flag).
  public var isBlocked: Bool
  /// Skin contact, if the sensor measures it.
  public var hasContact: Bool?

  static let length = 6

  /// Largest error estimate of an interval that is used, in ms. Polar's documentation of PPI data attributes larger
  /// estimates to movement or a loose sensor.
  public static let largestError: UInt16 = 30

  public init(
    heartRate: UInt8, milliseconds: UInt16, error: UInt16, isBlocked: Bool = false, hasContact: Bool? = nil
  ) {
    (self.heartRate, self.milliseconds, self.error) = (heartRate, milliseconds, error)
    (self.isBlocked, self.hasContact) = (isBlocked, hasContact)
  }

  /// Decodes the interval with the number `index`, from 0, of a PPI frame.
  @usableFromInline
  init(payload: [UInt8], index: Int) {
    let offset = SensorFrame.headerLength + Self.length * index
    let flags = payload[offset + 5]
    heartRate = payload[offset]
    milliseconds = UInt16(payload[offset + 1]) | UInt16(payload[offset + 2]) << 8
    error = UInt16(payload[offset + 3]) | UInt16(payload[offset + 4]) << 8
    isBlocked = flags & 1 != 0
    hasContact = flags & 4 == 0 ? nil : flags & 2 != 0
  }

  /// Whether the interval can be used as an RR interval: it is not blocked, and its error is at most ``largestError``.
  public var isReliable: Bool { !isBlocked && error <= Self.largestError && milliseconds > 0 }

  /// The interval, exactly.
  @usableFromInline var rr: RRInterval {
    RRInterval(ticks: Int64(milliseconds) * RRInterval.ticksPerMillisecond)
  }

  var encoded: [UInt8] {
    let contact: UInt8 = hasContact.map { $0 ? 6 : 4 } ?? 0
    return [
      heartRate, UInt8(truncatingIfNeeded: milliseconds), UInt8(milliseconds >> 8),
      UInt8(truncatingIfNeeded: error), UInt8(error >> 8), contact | (isBlocked ? 1 : 0),
    ]
  }
}
