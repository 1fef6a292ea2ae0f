/// What the sensor says about its contact with the skin (bits 1 and 2 of the flags).
public enum SensorContact: String, Sendable, CaseIterable {
  /// The sensor does not report contact: neither good nor bad is known.
  case unsupported
  /// The sensor reports contact and finds none.
  case notDetected = "off"
  /// The sensor reports contact and finds it.
  case detected = "on"
}
