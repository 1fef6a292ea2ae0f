/// A value of the Heart Rate Measurement characteristic (0x2A37), or its equivalent from another source.
///
/// Source: Bluetooth SIG, Heart Rate Service 1.0 (2011) and GATT Specification Supplement.
public struct HeartRateMeasurement: Equatable, Sendable {
  /// Heart rate in bpm as computed by the sensor. Absent if the source provides none (a text file of RR). Sensors send 0, and
  /// some 255, when they detect no beat: see ``plausibleHeartRate``.
  public var heartRate: UInt16?
  /// Skin contact as reported by the sensor.
  public var contact: SensorContact
  /// Energy expended in kJ since the last reset; saturates at 65,535. Sensors include it in about one of ten
  /// notifications.
  public var energyExpended: UInt16?
  /// RR intervals, oldest first. Empty in some notifications below 60 bpm, and always for sensors that send
  /// no RR.
  public var rrIntervals: RRIntervals
  /// Number of bytes after the last complete field; 0 in a conforming value.
  public var leftoverBytes: Int

  /// Creates a measurement without validating the values.
  public init(
    heartRate: UInt16?, contact: SensorContact = .unsupported, energyExpended: UInt16? = nil,
    rrIntervals: RRIntervals = .none, leftoverBytes: Int = 0
  ) {
    self.heartRate = heartRate
    self.contact = contact
    self.energyExpended = energyExpended
    self.rrIntervals = rrIntervals
    self.leftoverBytes = leftoverBytes
  }

  /// The same measurement with an empty list of RR intervals.
  public var withoutIntervals: HeartRateMeasurement {
    HeartRateMeasurement(
      heartRate: heartRate, contact: contact, energyExpended: energyExpended, leftoverBytes: leftoverBytes)
  }

  /// The heart rate in bpm, unless it is one of the values that mean "no beat detected" (0 and 255).
  public var plausibleHeartRate: UInt16? {
    heartRate.flatMap { $0 == 0 || $0 == 255 ? nil : $0 }
  }
}

/// The bits of the flags byte. Bits 5 to 7 are reserved and ignored.
@usableFromInline
enum HeartRateFlags {
  @inlinable static var heartRateIsUInt16: UInt8 { 1 << 0 }
  @inlinable static var contactDetected: UInt8 { 1 << 1 }
  @inlinable static var contactSupported: UInt8 { 1 << 2 }
  @inlinable static var energyExpended: UInt8 { 1 << 3 }
  @inlinable static var rrIntervals: UInt8 { 1 << 4 }
}

/// Skin contact as reported by the sensor (bits 1 and 2 of the flags).
public enum SensorContact: String, Sendable, CaseIterable {
  /// The sensor does not support contact detection; the contact is unknown.
  case unsupported
  /// The sensor supports contact detection and detects no contact.
  case notDetected = "off"
  /// The sensor supports contact detection and detects contact.
  case detected = "on"
}
