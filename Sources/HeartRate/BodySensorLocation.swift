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
