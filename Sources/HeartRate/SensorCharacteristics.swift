/// The battery charge that a sensor reports: Battery Level (0x2A19), 0 to 100 percent.
public struct BatteryLevel: Hashable, Sendable {
  /// Charge, 0 to 100 percent.
  public let percent: UInt8

  /// Creates a level; nil above 100 percent, which the specification reserves.
  public init?(percent: UInt8) {
    guard percent <= 100 else { return nil }
    self.percent = percent
  }

  /// Decodes the characteristic's value. Nil for an empty value and above 100 percent; bytes after the first
  /// are ignored.
  public init?(payload: some Collection<UInt8>) {
    guard let first = payload.first else { return nil }
    self.init(percent: first)
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

  /// Decodes the characteristic's value. Nil for an empty value and for values reserved for future use; bytes
  /// after the first are ignored, as the specification requires.
  public init?(payload: some Collection<UInt8>) {
    guard let first = payload.first else { return nil }
    self.init(rawValue: first)
  }
}
