/// The battery charge that a sensor reports: Battery Level (0x2A19), 0 to 100 percent.
public struct BatteryLevel: Hashable, Sendable {
  /// Charge, 0 to 100 percent.
  public let percent: UInt8

  /// The highest level of a low battery in percent. The voltage of a coin cell is constant for long and then falls fast,
  /// so little charge is left at this level.
  public static let low: UInt8 = 15
  /// The highest level at which a battery that was low stays low, in percent.
  public static let recovered: UInt8 = 20

  public var isLow: Bool { percent <= Self.low }

  /// Creates a level. Rejects numbers above 100 percent, which the specification reserves.
  public init?(percent: UInt8) {
    guard percent <= 100 else { return nil }
    self.percent = percent
  }

  /// Creates a level from any integer of 0 to 100.
  public init?(exactly percent: some BinaryInteger) {
    guard let percent = UInt8(exactly: percent) else { return nil }
    self.init(percent: percent)
  }

  /// Decodes the characteristic's value. Fails for an empty value and above 100 percent; bytes after the first are ignored.
  public init?(payload: some Collection<UInt8>) {
    guard let first = payload.first else { return nil }
    self.init(percent: first)
  }
}

/// Whether the battery of a strap is low, with hysteresis: low from ``BatteryLevel/low`` percent downwards, until it is above
/// ``BatteryLevel/recovered`` percent, as after an exchange of the cell.
public struct BatteryWatch: Equatable, Sendable {
  /// The latest level, once received.
  public private(set) var level: BatteryLevel?
  public private(set) var isLow = false
  /// Whether ``update(_:)`` has reported that a warning is due.
  public private(set) var hasWarned = false

  public init() {}

  /// Returns whether a warning is due: once, at the first low level.
  @discardableResult
  public mutating func update(_ level: BatteryLevel) -> Bool {
    self.level = level
    isLow = level.percent <= (isLow ? BatteryLevel.recovered : BatteryLevel.low)
    guard isLow, !hasWarned else { return false }
    hasWarned = true
    return true
  }
}

/// The body site of the sensor: Body Sensor Location (0x2A38), one byte.
public enum BodySensorLocation: UInt8, Sendable, CaseIterable {
  case other = 0
  case chest = 1
  case wrist = 2
  case finger = 3
  case hand = 4
  case earLobe = 5
  case foot = 6

  /// Decodes the characteristic's value. An empty value and values reserved for future use are invalid; bytes after the first
  /// are ignored, as the specification requires.
  public init?(payload: some Collection<UInt8>) {
    guard let first = payload.first else { return nil }
    self.init(rawValue: first)
  }
}
