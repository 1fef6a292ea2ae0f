/// Where the sensor is worn: Body Sensor Location (0x2A38), one byte.
public enum BodySensorLocation: UInt8, Sendable, CaseIterable {
  case other = 0
  case chest = 1
  case wrist = 2
  case finger = 3
  case hand = 4
  case earLobe = 5
  case foot = 6

  /// Decodes the characteristic's value. Nil when it is empty or reserved for future use; bytes after the
  /// first are ignored, as the specification asks of clients.
  public init?(payload: some Collection<UInt8>) {
    guard let first = payload.first else { return nil }
    self.init(rawValue: first)
  }
}
