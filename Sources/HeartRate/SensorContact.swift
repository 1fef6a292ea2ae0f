/// Skin contact as reported by the sensor (bits 1 and 2 of the flags).
public enum SensorContact: String, Sendable, CaseIterable {
  /// The sensor does not support contact detection; the contact is unknown.
  case unsupported
  /// The sensor supports contact detection and detects no contact.
  case notDetected = "off"
  /// The sensor supports contact detection and detects contact.
  case detected = "on"
}
